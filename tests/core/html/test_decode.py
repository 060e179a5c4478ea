"""From bytes to text: every encoding of the Web, with and without a declaration, and whatever else comes."""

from __future__ import annotations

import encodings.aliases
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from cleancrawl import clean
from cleancrawl.core.html import guessed_encoding
from cleancrawl.core.html.declared_encoding import SEARCHED_BYTES, codec_names
from cleancrawl.core.html.decode import decode
from cleancrawl.core.html.guessed_encoding import SEVERAL_BYTES
from tests.core.html.encoded_pages import EncodedPage, encoded, encoded_pages, same_text
from tests.growth import about_linear

PAGES = list(encoded_pages())
WITH_LANGUAGE = list(encoded_pages(declare_language=True))
# Nothing but letters in their language tells Hungarian from Western European text, and one byte of the euro's encoding
# from windows-1252.
ONLY_WITH_LANGUAGE = {"windows-1250/hu", "iso-8859-2/hu"}
NEVER = {"iso-8859-15/fr"}
CODECS = sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()})


def ids(page: EncodedPage) -> str:
    return page.name


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in {*ONLY_WITH_LANGUAGE, *NEVER}], ids=ids)
def test_a_page_without_a_declaration_is_read(page: EncodedPage) -> None:
    assert same_text(decode(page.body)[0], page.html)


@pytest.mark.parametrize("page", [page for page in WITH_LANGUAGE if page.name not in NEVER], ids=ids)
def test_the_declared_language_helps(page: EncodedPage) -> None:
    assert same_text(decode(page.body)[0], page.html)


def test_the_cleaned_text_is_the_text(page_of: Callable[[str], EncodedPage]) -> None:
    for name in (
        "gbk/zh-Hans",
        "shift_jis/ja",
        "euc-jp/ja",
        "euc-kr/ko",
        "big5/zh-Hant",
        "windows-1251/ru",
        "koi8-r/ru",
    ):
        page = page_of(name)
        document = clean(page.body, url="https://news.example/a")
        paragraph = page.html.partition("<p>")[2].partition("</p>")[0]
        assert paragraph in document.text
        assert document.title in page.html


@pytest.fixture
def page_of() -> Callable[[str], EncodedPage]:
    return {page.name: page for page in PAGES}.__getitem__


@pytest.mark.parametrize("page", [page for page in PAGES if page.encoding in {*SEVERAL_BYTES, "gbk"}], ids=ids)
def test_teasers_that_are_cut_inside_a_character_do_not_change_the_encoding(page: EncodedPage) -> None:
    before, _, rest = page.body.partition(b"<p>")
    codec = codec_names(page.encoding)[0]
    text = page.html.partition("<p>")[2].partition("</p>")[0]
    cuts = [cut for end in range(10, 60) for cut in [text[:end].encode(codec)[:-1]] if not _fits(cut, codec)]
    assert len(cuts) >= 30
    for first, second in pairwise(cuts):
        text, _ = decode(before + b"<p>" + first + b"...</p><p>" + second + b"</p><p>" + rest)
        assert text.startswith(page.html.partition("<p>")[0])
        assert text.endswith(page.html.partition("<p>")[2])


def _fits(text: bytes, codec: str) -> bool:
    try:
        text.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_declaration_is_believed(page: EncodedPage) -> None:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={page.encoding}">'
    html = page.html.replace("<head>", f"<head>{meta}")
    assert same_text(decode(encoded(html, page.encoding))[0], html)
    assert same_text(decode(page.body, f'text/html;charset="{page.encoding.upper()}"')[0], page.html)


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("Shift_JIS", "euc-jp/ja"),
        ("EUC-JP", "shift_jis/ja"),
        ("utf-8", "gbk/zh-Hans"),
        ("utf-8", "windows-1251/ru"),
        ("utf-8", "windows-1252/de"),
        ("big5", "shift_jis/ja"),
        ("iso-8859-1", "shift_jis/ja"),
        ("euc-jp", "windows-1251/ru"),
    ],
)
def test_a_declaration_that_cannot_be_true_is_not_believed(
    declared: str, name: str, page_of: Callable[[str], EncodedPage]
) -> None:
    page = page_of(name)
    assert same_text(decode(page.body, f"text/html; charset={declared}")[0], page.html)


def test_the_header_is_wrong_and_the_page_is_right(page_of: Callable[[str], EncodedPage]) -> None:
    html = page_of("iso-8859-2/hu").html.replace("<head>", "<head><meta charset=iso-8859-2>")
    assert decode(encoded(html, "iso-8859-2"), "text/html; charset=utf-8") == (html, "iso-8859-2")


@pytest.mark.parametrize("page", [page for page in PAGES if page.encoding != "iso-2022-jp"], ids=ids)
@pytest.mark.parametrize("declared", ["iso-8859-1", "gbk", "shift_jis", "koi8-r", "utf-16", "base64"])
def test_valid_utf_8_wins_over_any_declaration(page: EncodedPage, declared: str) -> None:
    assert decode(page.html.encode(), f"text/html; charset={declared}") == (page.html, "utf-8")


@pytest.mark.parametrize("broken", [b"\xff", b"caf\xe9 ", b"\xe2\x82"])
def test_some_broken_characters_leave_utf_8_what_it_is(broken: bytes) -> None:
    body = "<meta charset=utf-8><p>Grüße „aus“ Köln, schöne Grüße</p>".encode() + broken
    text, encoding = decode(body)
    assert encoding == "utf-8"
    assert "Grüße „aus“ Köln" in text


@pytest.mark.parametrize(
    ("body", "text", "encoding"),
    [
        ("\ufeff<p>größer".encode(), "<p>größer", "utf-8"),
        (b"\xff\xfe" + "<p>größer".encode("utf-16-le"), "<p>größer", "utf-16le"),
        (b"\xfe\xff" + "<p>größer".encode("utf-16-be"), "<p>größer", "utf-16be"),
        ("<p>größer".encode("utf-16-le"), "<p>größer", "utf-16le"),
        ("<p>größer".encode("utf-16-be"), "<p>größer", "utf-16be"),
        (b"<meta charset=utf-16><p>gr\xc3\xb6\xc3\x9fer", "<meta charset=utf-16><p>größer", "utf-8"),
        (b"<meta charset=x-user-defined><p>\x93gr\xf6\xdfer\x94", None, "windows-1252"),
        (b"<meta charset=iso-2022-kr><p>plain", "<meta charset=iso-2022-kr><p>plain", "utf-8"),
        (b"<!-- <meta charset=koi8-r> --><p>gr\xf6\xdfer", None, "windows-1252"),
        (b"<?xml version='1.0' encoding='iso-8859-2'?><p>\xb3\xf3d\xbc", None, "iso-8859-2"),
        (b"<script>" + b" " * 6000 + b"</script><meta charset=koi8-r><p>\xd0\xd2", None, "koi8-r"),
        ("<meta charset=euc-jp><p>①と②".encode("euc_jis_2004"), "<meta charset=euc-jp><p>①と②", "euc-jp"),
        (b"<meta charset=gb2312><p>\x80 9,90", "<meta charset=gb2312><p>€ 9,90", "gbk"),
        (b"caf\xe9", "café", "windows-1252"),
        (b"", "", "utf-8"),
    ],
)
def test_as_browsers_do(body: bytes, text: str | None, encoding: str) -> None:
    found = decode(body)
    assert found[1] == encoding
    assert text is None or found[0] == text


def test_labels_that_only_python_knows_are_ignored() -> None:
    html = "<p>größer und schöner</p>"
    ignored = [label for label in CODECS if label not in LABELS]
    assert {"base64", "hex", "rot13", "utf_7", "zlib"} <= {*ignored}
    for label in [*ignored, "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"]:
        meta = f"<meta charset={label}>"
        assert decode((meta + html).encode("latin-1")) == (meta + html, "windows-1252")
        assert decode(html.encode("latin-1"), f"text/html; charset={label}") == (html, "windows-1252")
        assert clean((meta + html).encode("latin-1")).page.html == meta + html


LABEL = st.sampled_from([*CODECS, *LABELS, "", "ütf-8", '"', "\ud800", "utf\0-8", "hex", "x" * 100])


@given(
    st.binary(max_size=400),
    LABEL | st.text(max_size=20),
    st.none() | LABEL.map("text/html; charset={}".format) | st.text(max_size=40),
)
@example(b"eJwDAAAAAAE=", "base64", "text/html; charset=zlib")
@example(b"\xff", "idna", None)
def test_any_bytes_and_any_label_give_text(body: bytes, label: str, content_type: str | None) -> None:
    text, encoding = decode(body, content_type)
    assert isinstance(text, str)
    assert encoding in set(LABELS.values()) | {"utf-32-le", "utf-32-be"}
    decode(b"<meta charset='" + label.encode("utf-8", "replace") + b"'>" + body, content_type)


@given(st.binary(max_size=200), st.sampled_from(CODECS))
def test_clean_takes_any_bytes_and_any_label(body: bytes, label: str) -> None:
    assert isinstance(clean(f"<meta charset={label}>".encode() + b"<p>" + body).text, str)


@pytest.mark.parametrize(
    "piece",
    [b"<!--\xe9", b"<script>\xe9", b"<meta ", b"<meta charset='", b"a=\"\xe9'", b"<html lang", b"\xe9<", b"charset="],
)
def test_the_time_grows_with_the_page(piece: bytes) -> None:
    assert about_linear(decode, lambda size: piece * (size // len(piece)), 200_000)


def test_without_the_detector_text_is_western(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessed_encoding, "EncodingDetector", None)
    assert decode("größer".encode("latin-1") + b" " * SEARCHED_BYTES)[1] == "windows-1252"


@given(st.binary(max_size=300), st.none() | LABEL)
@example(b"\x1b$B$\x22\x1b(B", None)
@example("<p>привет, как дела".encode("koi8-r"), "euc-jp")
@example(b"\xc2\x82", "ms_kanji")
def test_a_body_is_read_the_same_once_its_encoding_is_known(body: bytes, label: str | None) -> None:
    text, encoding = decode(body, label and f"text/html; charset={label}")
    assert decode(body, f"text/html; charset={encoding}") == (text, encoding)

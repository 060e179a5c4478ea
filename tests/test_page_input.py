"""What ``clean`` takes: all that people have in hand of a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import requests
from lxml import etree
from lxml import html as lxml_html
from parsel import Selector
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from cleancrawl import Cleaner, clean
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.page_input import load_page
from tests.crawling import LittleServer

STORY = (
    '<html lang="ru"><head><base href="https://elsewhere.example/"><title>Шторм</title></head><body>'
    "<!-- a comment --><nav><a href=/>Главная</a> <a href=/all>Все новости</a></nav><article><h1>Шторм</h1>"
    + "".join(
        f"<p>Сильный шторм {day} ноября обрушился на побережье, и порт был закрыт, сообщил капитан порта &amp; мэр.</p>"
        for day in range(1, 6)
    )
    + "<script>if (1 < 2) document.write('<p>Реклама</p>')</script></article><p class=ad>Реклама</p></body></html>"
)
URL = "https://news.example/storm"
TEXT = clean(STORY, URL).text
HEADER = "text/html; charset=windows-1251"
CYRILLIC = STORY.encode("cp1251")


class HttpxUrl:
    """An address as httpx has it: an object."""

    def __str__(self) -> str:
        return URL


@dataclass
class HttpxLike:
    content: bytes = CYRILLIC
    url: Any = field(default_factory=HttpxUrl)
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": HEADER})
    status_code: int = 200
    encoding: str = "windows-1251"


class Unread:
    """A response whose body is a stream, as aiohttp has it."""

    url, headers, status, content = URL, {"Content-Type": HEADER}, 200, object()


TREE = lxml_html.document_fromstring(STORY, base_url=URL)

GIVEN: dict[str, Callable[[], Any]] = {
    "str": lambda: STORY,
    "bytes": lambda: STORY.encode(),
    "bytearray": lambda: bytearray(STORY.encode()),
    "memoryview": lambda: memoryview(STORY.encode()),
    "scrapy": lambda: HtmlResponse(URL, body=CYRILLIC, headers={"Content-Type": HEADER}),
    "scrapy, set by hand": lambda: HtmlResponse(URL, body=CYRILLIC, encoding="cp1251"),
    "scrapy, any response": lambda: Response(URL, body=CYRILLIC, headers={"Content-Type": HEADER}),
    "httpx": HttpxLike,
    "httpx, header in another case": lambda: HttpxLike(headers={"Content-Type": HEADER}),
    "selector": lambda: Selector(STORY, base_url=URL),
    "selector of a response": lambda: HtmlResponse(URL, body=STORY, encoding="utf-8").selector,
    "selector of a part": lambda: Selector(STORY, base_url=URL).css("html")[0],
    "element": lambda: TREE,
    "tree": lambda: TREE.getroottree(),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_all_give_the_same_text(kind: str) -> None:
    document = clean(GIVEN[kind](), URL)
    assert document.text == TEXT
    assert TEXT.count("шторм") == 5
    assert (document.title, document.url) == ("Шторм", URL)


@pytest.mark.parametrize("kind", [kind for kind in GIVEN if kind not in ("str", "bytes", "bytearray", "memoryview")])
def test_what_knows_its_address_brings_it(kind: str) -> None:
    assert clean(GIVEN[kind]()).url == URL
    assert clean(GIVEN[kind](), "https://other.example/").url == "https://other.example/"


def test_a_response_of_requests(server: LittleServer) -> None:
    address = server.page("/storm", CYRILLIC, kind=HEADER)
    assert clean(requests.get(address, timeout=10)).text == TEXT
    assert clean(requests.get(address, timeout=10)).url == address
    # Without a charset requests says ISO-8859-1, which is no word of the page's; one that was set by hand is.
    unnamed = requests.get(server.page("/utf", STORY.encode(), kind="text/html"), timeout=10)
    assert (unnamed.encoding, clean(unnamed).text) == ("ISO-8859-1", TEXT)
    named = requests.get(server.page("/named", CYRILLIC, kind="text/html"), timeout=10)
    named.encoding = "windows-1251"
    assert clean(named).text == TEXT


def test_a_cleaner_takes_them_and_knows_their_site() -> None:
    with Cleaner() as cleaner:
        for kind in ("scrapy", "httpx", "selector", "tree"):
            assert cleaner.clean(GIVEN[kind]()).text == TEXT
        assert [site.site for site in cleaner.store.sites()] == ["news.example"]


@pytest.mark.parametrize("part", ["tree", "element", "paragraph"])
@pytest.mark.parametrize("meta", ["", '<meta http-equiv="Content-Type" content="text/html; charset=latin-1">'])
def test_a_tree_is_left_unchanged(part: str, meta: str) -> None:
    root = lxml_html.document_fromstring(STORY.replace("<head>", f"<head>{meta}"))
    given = {"tree": root.getroottree(), "element": root, "paragraph": root.find(".//p")}[part]
    before = etree.tostring(root.getroottree(), method="c14n")
    document = clean(given, URL, "tests.recipes_for_tests.paragraphs")
    assert document.markdown
    assert document.html
    assert document.metadata.language
    assert etree.tostring(root.getroottree(), method="c14n") == before


def test_a_part_of_a_tree_is_cleaned_alone() -> None:
    first = lxml_html.document_fromstring(STORY).find(".//p")
    first.tail = "Not a part of it, though it follows."
    assert clean(first, URL, "tests.recipes_for_tests.paragraphs").text == TEXT.splitlines()[0]


def test_trees_of_other_makers() -> None:
    xhtml = etree.fromstring(
        b'<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Storm</title>'
        b"<script/></head><body><p>A heavy storm hit the northern coast, and the harbour was closed, he said.</p>"
        b"</body></html>"
    )
    assert clean(xhtml).text == "A heavy storm hit the northern coast, and the harbour was closed, he said."
    assert clean(etree.ElementTree()).text == ""
    assert clean(etree.Comment("none")).text == ""
    # A file that was parsed has its name as address: no page is found there.
    assert clean(lxml_html.document_fromstring("<p>text", base_url="/home/me/page.html")).url is None


def test_a_deep_tree_is_read() -> None:
    root = etree.Element("div")
    inner = root
    for _ in range(20_000):
        inner = etree.SubElement(inner, "div")
    inner.text = "word"
    assert clean(root).url is None


@pytest.mark.parametrize(
    "given",
    [
        5,
        None,
        ["<p>text"],
        Selector("<p>text").css("p"),
        Selector("<p>text").xpath("//p/text()")[0],
        Selector('{"a": "b"}', type="json"),
        Request(URL),
        Unread(),
        open,
    ],
    ids=lambda given: type(given).__name__,
)
def test_anything_else_is_refused_by_name(given: Any) -> None:
    for refused in (clean, Cleaner().clean):
        with pytest.raises(TypeError, match="html must be str, bytes, a response") as error:
            refused(given)
        assert type(given).__name__ in str(error.value)


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("<p>größer".encode(), True),
        ("\ufeff<p>größer".encode(), False),
        ("<p>größer".encode("latin-1"), False),
        ("<p>größer …".encode()[:-1], False),
        (b"<meta charset=utf-8><p>gr\xf6\xdfer " + "größer ".encode() * 99, False),
        ("<p>itâ€™s, donâ€™t, weâ€™re".encode(), False),
    ],
    ids=["utf-8", "marked", "latin-1", "cut off", "broken", "misread"],
)
def test_bytes_are_kept_for_the_parser_only_where_they_are_the_text(body: bytes, kept: bool) -> None:
    page = load_page(body)
    assert page.encoded == (body if kept else None)
    assert not kept or page.encoded == page.html.encode()
    again = load_page(page.source)
    TextBlocks()(page)
    TextBlocks()(again)
    assert page.encoded is None
    assert [block.text for block in page.blocks] == [block.text for block in again.blocks]

"""In a crawl a page is parsed once: the spider's selectors and the cleaning read the same tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml.html import HtmlElement, tostring
from scrapy import Request
from scrapy.http import HtmlResponse

from cleancrawl.core.html.dom import LARGEST_TREE
from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation import readings, text_blocks
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.crawl.cleaning.cleaning_middleware import make_job, parsed
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.fetching.decoding import DecodingMiddleware

SITE = Path(__file__).parents[2] / "site"
URL = "https://a.example/x"


def response(body: bytes, charset: str = "utf-8") -> HtmlResponse:
    headers = {"Content-Type": f"text/html; charset={charset}"}
    return HtmlResponse(URL, headers=headers, body=body, request=Request(URL))


def texts(page: Page) -> list[str]:
    TextBlocks()(page)
    return [block.text for block in page.blocks]


@pytest.mark.skipif(compiled("tree_events") is None, reason=why_not("tree_events"))
def test_the_tree_of_the_response_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "parse_source", None)
    monkeypatch.setattr(text_blocks, "read_parsed", None)
    monkeypatch.setattr(readings, "feed", None)
    for path in sorted(SITE.rglob("*.html")):
        answer = response(path.read_bytes())
        before = tostring(answer.selector.root)
        job = make_job(answer, Config())
        assert texts(job.page)
        assert tostring(answer.selector.root) == before


def test_blocks_are_those_of_the_source() -> None:
    for path in sorted(SITE.rglob("*.html")):
        body = path.read_bytes()
        assert texts(make_job(response(body), Config()).page) == texts(Page(body.decode()))


def test_a_text_that_was_repaired_is_parsed_anew() -> None:
    body = "<p>donâ€™t, itâ€™s, weâ€™re here</p>".encode()
    assert make_job(response(body), Config()).page.borrow is None


@pytest.mark.parametrize(
    ("body", "announced"),
    [
        ("<p>Grüße aus Köln</p>".encode("latin-1"), "latin-1"),
        ("<p>Grüße aus Köln</p>".encode(), "latin-1"),
        ("<p>Grüße aus Köln</p>".encode("latin-1"), "utf-8"),
        ("<p>Grüße aus Köln</p>".encode("latin-1"), "base64"),
    ],
)
def test_a_tree_that_is_read_is_one_of_the_right_text(body: bytes, announced: str) -> None:
    answer = response(body, announced)
    page = make_job(answer, Config()).page
    assert page.source == "<p>Grüße aus Köln</p>"
    assert page.borrow is not None
    tree = page.borrow()
    assert tree is not None
    assert tree.text_content() == "Grüße aus Köln"
    assert texts(page) == ["Grüße aus Köln"]
    right = DecodingMiddleware().process_response(Request(URL), answer)
    assert right.css("p::text").get() == "Grüße aus Köln"


def test_where_no_encoding_is_declared_scrapy_does_not_guess_one(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "<p>Grüße aus Köln</p>".encode("cp1252")
    answer = HtmlResponse(URL, body=body, headers={"ETag": "a"}, flags=["seen"], request=Request(URL, meta={"a": 1}))
    monkeypatch.setattr(HtmlResponse, "_body_inferred_encoding", None)
    right = DecodingMiddleware().process_response(Request(URL), answer)
    assert right.css("p::text").get() == "Grüße aus Köln"
    assert (right.url, right.body, right.headers, right.flags) == (URL, body, answer.headers, ["seen"])
    assert right.request is answer.request


def test_an_encoding_that_was_set_by_hand_is_kept() -> None:
    body = "<p>Grüße aus Köln</p>".encode("cp437")
    assert texts(make_job(response(body).replace(encoding="cp437"), Config()).page) == ["Grüße aus Köln"]
    body = "<p>łódź</p>".encode("iso-8859-2")
    assert texts(make_job(response(body, "utf-8").replace(encoding="latin2"), Config()).page) == ["łódź"]


def test_characters_that_python_does_not_know_are_not_borrowed_from_scrapy() -> None:
    body = "<p>①と②</p>".encode("euc_jis_2004")
    assert texts(make_job(response(body, "euc-jp"), Config()).page) == ["①と②"]


def test_trees_that_cost_too_much_are_not_built() -> None:
    wide = b"<p " + b" ".join(b"a%d=x" % number for number in range(1000)) + b">text"
    large = b"<p>text</p>" + b" " * LARGEST_TREE
    assert parsed(response(wide)) is None
    assert parsed(response(large)) is None
    assert isinstance(parsed(response(b"<p>text")), HtmlElement)


@pytest.mark.parametrize("body", [b"", b"\x00", b"<div>" * 5000 + b"<p>Deep text here</p>"])
def test_what_makes_no_tree_is_read_without(body: bytes) -> None:
    assert texts(make_job(response(body), Config()).page) == (["Deep text here"] if b"Deep" in body else [])

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

SITE = Path(__file__).parents[2] / "site"
URL = "https://a.example/x"


def response(body: bytes, charset: str = "utf-8") -> HtmlResponse:
    headers = {"Content-Type": f"text/html; charset={charset}"}
    return HtmlResponse(URL, headers=headers, body=body, request=Request(URL))


def texts(page: Page) -> list[str]:
    TextBlocks()(page)
    return [block.text for block in page.blocks]


@pytest.mark.skipif(compiled("segmentation") is None, reason=why_not("segmentation"))
def test_the_tree_of_the_response_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "parse_source", None)
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


@pytest.mark.parametrize(
    "body",
    [
        "Grüße aus Köln".encode("latin-1"),
        "<p>donâ€™t, itâ€™s, weâ€™re here</p>".encode(),
    ],
)
def test_a_page_that_was_read_otherwise_than_scrapy_does_is_parsed_anew(body: bytes) -> None:
    charset = "utf-8" if body.startswith(b"<p>") else "latin-1"
    job = make_job(response(body, charset), Config())
    assert job.page.borrow is None


def test_trees_that_cost_too_much_are_not_built() -> None:
    wide = b"<p " + b" ".join(b"a%d=x" % number for number in range(1000)) + b">text"
    large = b"<p>text</p>" + b" " * LARGEST_TREE
    assert parsed(response(wide)) is None
    assert parsed(response(large)) is None
    assert isinstance(parsed(response(b"<p>text")), HtmlElement)


@pytest.mark.parametrize("body", [b"", b"\x00", b"<div>" * 5000 + b"<p>Deep text here</p>"])
def test_what_makes_no_tree_is_read_without(body: bytes) -> None:
    assert texts(make_job(response(body), Config()).page) == (["Deep text here"] if b"Deep" in body else [])

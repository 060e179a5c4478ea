"""Sources, gold texts and pages agree."""

from __future__ import annotations

import re
from html import escape

import pytest

from tests.site import manifest
from tests.site.server import SampleSite
from tests.site.source import articles, gold_text
from tests.site.test_server import fetch

INLINE = re.compile("</?(a|em)\\b[^>]*>")
WITH_GOLD = [page for page in manifest.pages() if page.source]


def test_gold_texts_are_those_of_the_sources() -> None:
    for article in articles().values():
        assert article.gold.read_text("utf-8") == gold_text(article), "run python -m tests.site.gold and review"
    stored = {path.stem for path in manifest.WHERE_GOLD_IS.glob("*.txt")}
    assert stored == set(articles())


@pytest.mark.parametrize("page", WITH_GOLD, ids=lambda page: page.portal + page.path)
def test_pages_hold_their_gold_lines_in_order(sample_site: SampleSite, page: manifest.Entry) -> None:
    reply = fetch(sample_site.portals[page.portal].url, page.path)
    source = INLINE.sub("", reply.body.decode(page.encoding))
    position = source.index("<body")
    for line in page.gold_text.splitlines():
        position = source.index(escape(line, quote=False), position)


def test_every_page_says_its_title_and_language(sample_site: SampleSite) -> None:
    for page in WITH_GOLD:
        reply = fetch(sample_site.portals[page.portal].url, page.path)
        source = reply.body.decode(page.encoding)
        assert escape(str(page.title), quote=False) in source
        assert f'lang="{page.language}"' in source


def test_one_quote_stands_in_three_articles_of_a_portal() -> None:
    quotes = [block for article in articles().values() for block in article.body if block.kind == "quote"]
    assert max(quotes.count(quote) for quote in quotes) == 3

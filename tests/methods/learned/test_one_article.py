"""What stands behind the article goes; the article, what may be a part of it, and threads stay."""

from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.one_article import OneArticle

PROSE = "<p>The old bridge over the river was closed on Monday, and nobody could say for how long it would be.</p>"
OTHER = "<p>A ferry was bought by the council of the town, which had saved for it over many years of low water.</p>"
HEAD = "<head><title>Bridge closed on Monday – The Paper</title></head>"
OWN, ANOTHER = "<h1>Bridge closed on Monday</h1>", "<h1>Council buys a ferry</h1>"


def removed(html: str, url: str | None = None) -> list[tuple[str, str]]:
    """The beginning of each removed block's text, and why it went."""
    page = Page(f"<html>{HEAD}<body>{html}</body></html>", url)
    TextBlocks()(page)
    OneArticle()(page)
    return [(block.text[:12], str(block.removed)) for block in page.blocks if block.removed]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("<div><article>", "</article></div>"),
        ("<article><article>", "</article>"),
        ("<div class='post-12 hentry'>", "</div>"),
    ],
)
def test_an_article_with_its_own_headline_below_the_first_goes(start: str, end: str) -> None:
    found = removed(f"{start}{OWN}{PROSE * 4}{end}{start}{ANOTHER}{OTHER * 4}{end}")
    why = "score: second-article (Council buys a ferry)"
    assert found == [("Council buys", why), *[("A ferry was ", why)] * 4]


@pytest.mark.parametrize(
    "html",
    [
        # Parts of one article, whose headings are of the highest rank.
        f"<article>{OWN}{PROSE * 4}<article>{ANOTHER}{OTHER * 4}</article></article>",
        f"<section>{OWN}{PROSE * 4}</section><section>{ANOTHER}{OTHER * 4}</section>",
        # A list of articles, of which none is the page's.
        f"<article><h1>Low water again</h1>{PROSE * 4}</article><article>{ANOTHER}{OTHER * 4}</article>",
        # The first is a teaser, and the second the article.
        f"<article>{OWN}{PROSE}</article><article>{ANOTHER}{OTHER * 4}</article>",
        # Two parts without headlines.
        f"<article>{OWN}{PROSE * 4}</article><article>{OTHER * 4}</article>",
        # The same headline again.
        f"<article>{OWN}{PROSE * 4}</article><article>{OWN}{OTHER * 4}</article>",
    ],
)
def test_parts_and_lists_of_articles_stay(html: str) -> None:
    assert removed(html) == []


@pytest.mark.parametrize(
    ("start", "end", "name"),
    [
        ("<article>", "</article>", "article"),
        ("<div class='post hentry'>", "</div>", "hentry"),
        ("<article class='hentry'>", "</article>", "hentry"),
        ("<div class='wide entry-content'>", "</div>", "entry-content"),
        ("<div class='article__body'>", "</div>", "article__body"),
    ],
)
def test_what_stands_behind_the_only_article_goes(start: str, end: str, name: str) -> None:
    found = removed(f"{PROSE}{start}{OWN}{PROSE * 4}{end}<div>{OTHER}</div>")
    assert found == [("A ferry was ", f"score: behind-article (behind the only {name})")]


def test_behind_the_text_inside_the_article_too() -> None:
    html = f"<article>{OWN}<div class=article-body>{PROSE * 4}</div><div class=writer>{OTHER}</div></article>"
    assert [text for text, _ in removed(html)] == ["A ferry was "]


@pytest.mark.parametrize(
    "html",
    [
        # Too short to be the article, or too small a part of the page.
        f"<article>{OWN}{PROSE}</article><div>{OTHER}</div>",
        f"<article>{OWN}{PROSE * 4}</article><div>{OTHER * 5}</div>",
        f"<div class=hentry>{OWN}{PROSE * 4}</div><div>{OTHER * 10}</div>",
        # Not the only one.
        f"<article>{PROSE * 4}</article><article>{OTHER * 4}</article><div>{OTHER}</div>",
        # Nothing says that it is an article.
        f"<div class=entries>{PROSE * 4}</div><div>{OTHER}</div>",
        f"<div class=post-content-wide>{PROSE * 4}</div><div>{OTHER}</div>",
        "",
    ],
)
def test_where_nothing_tells_the_end_all_stays(html: str) -> None:
    assert removed(html) == []


def test_entries_of_blogs_may_be_a_smaller_part() -> None:
    assert len(removed(f"<div class=hentry>{OWN}{PROSE * 4}</div><div>{OTHER * 6}</div>")) == 6


def test_posts_of_a_thread_stay() -> None:
    html = f"<article>{OWN}{PROSE * 4}</article><article>{ANOTHER}{OTHER * 4}</article>"
    assert removed(html, "https://a.example/forum/bridge") == []
    assert len(removed(html, "https://a.example/news/bridge")) == 5


def test_what_has_a_reason_to_be_gone_keeps_it() -> None:
    page = Page(f"<html>{HEAD}<body><article>{OWN}{PROSE * 4}</article>{OTHER}</body></html>")
    TextBlocks()(page)
    page.blocks[-1].remove("primary", "ad-keyword", "ad")
    OneArticle()(page)
    assert str(page.blocks[-1].removed) == "primary: ad-keyword (ad)"


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, OneArticle) for stage in recipe().score)

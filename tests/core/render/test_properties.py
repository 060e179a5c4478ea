from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cleancrawl import clean
from cleancrawl.core.document import Document
from cleancrawl.core.html.head import feed
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.core.render.nodes import printable
from cleancrawl.core.render.rich import RichCollector
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.recipes import RECIPES, get_recipe
from tests.core.render.soup import assert_clean, document, parse_fragment, soups, squeezed


def text_of(html: str) -> str:
    return squeezed("".join(str(text) for text in parse_fragment(html).itertext()))


@settings(deadline=None, max_examples=150)
@given(soups)
def test_the_rich_run_cuts_like_the_plain_one(html: str) -> None:
    page = Page(html)
    TextBlocks()(page)
    collector = RichCollector(None, None)
    feed(html, collector)
    collector.tree()
    assert collector.texts == [block.text for block in page.blocks]


@settings(deadline=None, max_examples=150)
@given(soups, st.sets(st.integers(0, 20)))
def test_html_is_sound_safe_and_holds_the_kept_text_once(html: str, removed: set[int]) -> None:
    cleaned = document(html)
    for index in removed:
        if index < len(cleaned.blocks):
            cleaned.blocks[index].remove("score", "low")
    assert_clean(cleaned.html)
    assert text_of(cleaned.html) == squeezed(printable(cleaned.text))


@settings(deadline=None, max_examples=150)
@given(soups)
def test_markdown_reads_back_as_the_same_text(html: str) -> None:
    cleaned = document(html)
    back = MarkdownIt("commonmark", {"xhtmlOut": True}).enable(["table", "strikethrough"]).render(cleaned.markdown)
    assert text_of(back) == text_of(cleaned.html)


@settings(deadline=None, max_examples=40)
@given(soups, st.sampled_from(sorted(RECIPES)))
def test_every_recipe_renders_any_page(html: str, recipe: str) -> None:
    cleaned = clean(html, "https://e.org/a/", recipe)
    assert_clean(cleaned.html)
    assert bool(cleaned.markdown) >= bool(cleaned.html)


@settings(deadline=None, max_examples=100)
@given(soups, st.sampled_from([get_recipe(name).segment for name in RECIPES]), st.sets(st.integers(0, 9)))
def test_blocks_of_every_segmentation_render(html: str, segment: tuple[Stage, ...], removed: set[int]) -> None:
    page = Page(html, "https://e.org/a/")
    for stage in segment:
        stage(page)
    for index in removed:
        if index < len(page.blocks):
            page.blocks[index].remove("score", "low")
    cleaned = Document(page, "some")
    assert_clean(cleaned.html)
    assert bool(cleaned.markdown) == bool(cleaned.html)
    if not page.kept:
        assert cleaned.html == ""


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 10_000 + "x1",
        "<ul><li>word" * 10_000,
        "<blockquote>word" * 5_000,
        "<a href=/x><b>" * 5_000 + "word",
        "<p>word" * 30_000,
        "<p>" + "!<a href=/x>y</a>" * 8_000,
        "<figure>" * 5_000 + "<img src=/x>word",
        "<table><tr>" + "<td>1" * 4_000 + "<tr><td>2" * 4_000,
        "<p>word<img src=/x>" * 8_000,
        "<ol>" + "<li>word" * 15_000,
        "<p>" + "[" * 100_000,
        "<pre>" + "`" * 100_000 + "\n" * 100_000 + "x",
    ],
    ids=lambda html: html[:20],
)
def test_hostile_pages_come_out_in_proportion(html: str) -> None:
    cleaned = document(html)
    assert_clean(cleaned.html)
    assert len(cleaned.markdown) < 20 * len(html) + 1000


@pytest.mark.parametrize(("recipe", "tag"), [*product(sorted(RECIPES), ["p", "div", "td"])])
def test_no_text_comes_twice(recipe: str, tag: str) -> None:
    sentences = [
        f"Sentence number{n}, with some more words, tells what happened on day {n} in town." for n in range(12)
    ]
    body = "".join(f"<{tag}>{sentence}</{tag}>" for sentence in sentences)
    html = f"<html><title>T</title><body><h1>News</h1><div>{'<table><tr>' + body if tag == 'td' else body}</div>"
    cleaned = clean(html, "https://e.org/a/", recipe)
    for sentence in sentences:
        assert cleaned.markdown.count(sentence) == cleaned.text.count(sentence) == cleaned.html.count(sentence) <= 1

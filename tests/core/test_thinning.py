"""Pages with too many blocks or elements are cut down to what can be content, and say so."""

from __future__ import annotations

import pytest

from cleancrawl import Page, clean
from cleancrawl.commands.clean import render
from cleancrawl.core.article import Article
from cleancrawl.core.html import thinning
from cleancrawl.core.html.thinning import MOST_BLOCKS, may_be_thick, thinned
from cleancrawl.recipes import RECIPES
from cleancrawl.report.page_report import explain
from tests.measuring import peak_memory

SENTENCE = "The council said that the old bridge, which had been closed, would open again in May. "
ARTICLE = "".join(f"<p>{SENTENCE}It is the {number}th time.</p>" for number in range(12))
TINY = "<p>a</p>" * 3 * MOST_BLOCKS


def test_a_page_for_readers_is_left_alone() -> None:
    html = f"<h1>Bridge</h1>{ARTICLE}{'<p>One, two.</p>' * (MOST_BLOCKS // 2)}"
    page = Page(html)
    assert page.html is html
    assert page.left_out == 0
    assert not may_be_thick(html)


def test_many_tags_with_few_texts_are_left_alone() -> None:
    html = f"{ARTICLE}{'<p><b></b></p>' * MOST_BLOCKS}"
    assert len(html) > 3 * MOST_BLOCKS
    assert Page(html).html is html


@pytest.mark.parametrize("place", ["before", "behind", "between"])
def test_the_article_stays_wherever_it_stands(place: str) -> None:
    html = {"before": ARTICLE + TINY, "behind": TINY + ARTICLE, "between": TINY + ARTICLE + TINY}[place]
    page = Page(f"<html lang=en><title>A &amp; B</title><body>{html}")
    clean_one = clean(f"<html lang=en><title>A &amp; B</title><body>{html}")
    assert page.left_out == html.count("<p>") - MOST_BLOCKS
    assert page.html.count("th time") == 12
    assert sum("th time" in block.text for block in clean_one.blocks) == 12
    assert (clean_one.page.title, clean_one.page.language) == ("A & B", "en")


def test_what_was_left_out_is_said() -> None:
    document = clean(TINY + ARTICLE)
    left_out = document.page.left_out
    article = Article.of(document, url="https://a.example/b", site="a.example", fetched=0)
    assert left_out == 2 * MOST_BLOCKS + 12
    assert article.blocks_total == len(document.blocks) + left_out == 3 * MOST_BLOCKS + 12
    assert article.removed["too-many-blocks"] == left_out
    assert document.to_dict()["removed"]["too-many-blocks"] == left_out
    assert f"- {left_out} more blocks too-many-blocks" in render(document, "text", why=True).splitlines()[-1]
    assert f"{left_out:,} more blocks" in explain(document)


def test_nothing_is_said_of_other_pages() -> None:
    document = clean(ARTICLE)
    assert "too-many-blocks" not in Article.of(document, url="https://a.example/b", site="a.example", fetched=0).removed
    assert "more blocks" not in render(document, "text", why=True)
    assert "left out" not in explain(document)


def test_markup_that_json_ld_brings_is_bounded_as_well() -> None:
    body = "<p>a" * 2 * MOST_BLOCKS
    document = clean(f'<script type="application/ld+json">{{"articleBody": "{body}"}}</script><p>Wait')
    assert len(document.blocks) <= MOST_BLOCKS < document.page.left_out + len(document.blocks)


def test_a_page_of_meta_and_link_elements_is_cut_down_once() -> None:
    head = "<title>Bridge</title><meta name=author content='Ann Lee'>"
    found = thinned(f"<head>{head}{'<link rel=a href=b>' * 60_000}{'<meta name=a content=b>' * 60_000}<body><p>A text")
    assert found is not None
    # What would be left of it otherwise is as thick as a page may be, and everything after it costs as much.
    assert found.html.count("<") < 6_000
    assert found.html.count('name="author"') == found.html.count("<p>A text") == 1
    assert thinned(found.html) is None


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinning, "MOST_BLOCKS", 4)
    monkeypatch.setattr(thinning, "MOST_ELEMENTS", 60)


def written(html: str) -> str:
    found = thinned(html)
    assert found is not None
    return found.html.removeprefix("<html>").removeprefix("<body>").removesuffix("</html>").removesuffix("</body>")


@pytest.mark.usefixtures("few")
def test_the_longest_blocks_stay_with_the_elements_around_them() -> None:
    html = "<div id=1><p>a</p></div><div id=2 class='b c'><p>one <b>two &lt; three</b></p></div>" + "<p>aa</p>" * 4
    assert written(html) == '<div id="2" class="b c"><p>one <b>two &lt; three</b></p></div>' + "<p>aa</p>" * 3


@pytest.mark.usefixtures("few")
def test_headings_stay_before_other_short_texts() -> None:
    assert written("<p>abc</p>" * 9 + "<h2>a</h2>") == "<p>abc</p>" * 3 + "<h2>a</h2>"


@pytest.mark.usefixtures("few")
def test_blocks_that_nothing_parts_any_more_stay_apart() -> None:
    assert written("one text<p>a</p>two texts<p>b</p>three<br><br>four here<p>a</p>") == (
        "one text<br><br>two texts<br><br>three<br><br>four here"
    )


@pytest.mark.usefixtures("few")
def test_title_meta_elements_and_json_ld_stay_and_scripts_go() -> None:
    head = '<head><title>T &amp; U</title><meta name="a" content="b&quot;c">'
    script = '<script type="application/ld+json">{"a": "<b> & c"}</script>'
    html = f"{head}{script}<script>var a</script><style>p {{}}</style></head>{'<p>abc</p>' * 9}"
    assert written(html) == f"{head}{script}</head><body>{'<p>abc</p>' * 4}"


@pytest.mark.usefixtures("few")
def test_text_below_too_many_levels_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinning, "_DEEPEST", 5)
    found = written("<div>one " * 3 + "<div>" * 100 + "the text")
    assert found == "<div>one " * 3 + "the text" + "</div>" * 3 or "the text" in found
    assert found.count("<div>") <= 5


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("piece", ["<p>a", "<div>a ", "a<br><br>"])
def test_memory_of_hostile_pages_is_bounded_in_every_recipe(name: str, piece: str) -> None:
    """Counted in Python's own memory, which does not depend on the machine; the bound is a tenth of what it was."""
    html = ARTICLE + piece * 5 * MOST_BLOCKS
    kept = list[int]()
    assert peak_memory(lambda: kept.append(len(clean(html, recipe=name).blocks))) < 120_000_000
    assert kept[0] <= MOST_BLOCKS + 1

"""Stages that take back what the learned score removed: lists, headings, standfirsts; and the end of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl import clean
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.headings_between import HeadingsBetween
from cleancrawl.methods.learned.standfirst import Standfirst
from cleancrawl.methods.learned.trailing_headings import TrailingHeadings
from cleancrawl.methods.learned.whole_lists import WholeLists

LONG = "a paragraph with as many words as a sentence of a story usually has, and then some more, number"
STORY = "".join(f"<p>{LONG} {number}.</p>" for number in range(3))
SPICES = ("Two cups of flour", "One cup of sugar", "Three eggs", "Salt")
HOURS = (("Monday", "closed"), ("Tuesday", "10 to 18"), ("Sunday", "11 to 16"))


def scored(html: str, scores: dict[str, float], other: float = 0.95, bar: float = 0.5) -> Page:
    """A page as the score leaves it: blocks with these texts have these scores, all others another one."""
    page = Page(html)
    TextBlocks()(page)
    for block in page.blocks:
        block.score = scores.get(block.text, other)
        if block.score < bar:
            block.remove("score", "learned", f"{block.score:.2f}")
    return page


def items(texts: tuple[str, ...], tag: str = "ul") -> str:
    return f"<{tag}>" + "".join(f"<li>{text}</li>" for text in texts) + f"</{tag}>"


def kept(page: Page) -> list[str]:
    return [block.text for block in page.kept]


def test_salt_comes_back_with_the_other_ingredients() -> None:
    page = scored(STORY + items(SPICES) + STORY, {"Salt": 0.2, "Three eggs": 0.4})
    WholeLists()(page)
    assert [text for text in kept(page) if text in SPICES] == list(SPICES)
    salt = next(block for block in page.blocks if block.text == "Salt")
    assert page.notes[salt.index].startswith("part of a list that scores 0.")


def test_a_nested_list_is_part_of_the_outer_one() -> None:
    html = f"{STORY}<ul><li>For the dough {items(SPICES)}</li><li>For the icing, which is thin</li></ul>{STORY}"
    page = scored(html, {"Salt": 0.2, "For the dough": 0.45})
    WholeLists()(page)
    assert len(page.kept) == len(page.blocks)


def test_opening_hours_between_paragraphs_come_back() -> None:
    rows = "".join(f"<tr><th>{day}</th><td>{hours}</td></tr>" for day, hours in HOURS)
    scores = {text: 0.3 for row in HOURS for text in row}
    page = scored(f"{STORY}<table>{rows}</table>{STORY}", scores)
    WholeLists()(page)
    assert len(page.kept) == len(page.blocks)
    # Behind the text it may be the site's own.
    after = scored(f"{STORY}<table>{rows}</table>", scores)
    WholeLists()(after)
    assert len(after.kept) == 3


CELLS = tuple(text for row in HOURS for text in row)
TABLE = "<table>" + "".join(f"<tr><th>{day}</th><td>{hours}</td></tr>" for day, hours in HOURS) + "</table>"


def test_so_does_a_table_right_behind_the_text_of_which_a_part_was_kept() -> None:
    scores = {**dict.fromkeys(CELLS, 0.3), "Sunday": 0.6}
    page = scored(f"{STORY}<p>Print</p>{TABLE}", {**scores, "Print": 0.1})
    WholeLists()(page)
    assert [block.text for block in page.blocks if block.removed] == ["Print"]


@pytest.mark.parametrize(
    "html",
    [
        f"{STORY}{'<p>Share</p>' * 3}{TABLE}",
        f"{STORY}<table><tr><th>Monday</th><td>closed</td><td>Sunday</td></tr></table>",
        f"{TABLE}{STORY}",
    ],
)
def test_a_table_far_behind_the_text_before_it_or_of_three_cells_does_not(html: str) -> None:
    page = scored(html, {**dict.fromkeys(CELLS, 0.3), "Sunday": 0.6, "Share": 0.1})
    before = len(page.kept)
    WholeLists()(page)
    assert len(page.kept) == before


def test_a_definition_list_between_paragraphs_comes_back() -> None:
    html = f"{STORY}<dl><dt>Energy</dt><dd>318 kcal</dd><dt>Fat</dt><dd>20 g</dd></dl>{STORY}"
    page = scored(html, dict.fromkeys(("Energy", "318 kcal", "Fat", "20 g"), 0.25))
    WholeLists()(page)
    assert len(page.kept) == len(page.blocks)


@pytest.mark.parametrize("score", [0.05, 0.45])
def test_menus_tags_and_related_links_stay_removed(score: float) -> None:
    links = tuple(f'<a href="/{number}">Another story of the day {number}</a>' for number in range(4))
    page = scored(STORY + items(links) + STORY, {f"Another story of the day {number}": score for number in range(4)})
    WholeLists()(page)
    assert len(page.kept) == 6


def test_what_a_rule_named_stays_removed() -> None:
    page = scored(STORY + items(SPICES) + STORY, {})
    salt = next(block for block in page.blocks if block.text == "Salt")
    salt.remove("primary", "ad-domain", "salt.example")
    WholeLists()(page)
    assert salt.removed is not None


def test_a_list_that_holds_most_of_the_page_is_its_layout() -> None:
    page = scored(f"<table><tr><td>{STORY}</td><td>Menu</td></tr></table>", {"Menu": 0.1})
    WholeLists()(page)
    assert len(page.kept) == 3


def test_a_heading_between_sure_blocks_comes_back_and_a_linked_one_does_not() -> None:
    html = f'{STORY}<h2>Steps</h2>{STORY}<h2><a href="/x">Read also</a></h2>{STORY}'
    page = scored(html, {"Steps": 0.3, "Read also": 0.3})
    HeadingsBetween()(page)
    assert "Steps" in kept(page)
    assert "Read also" not in kept(page)
    unsure = scored(html, {"Steps": 0.3, "Read also": 0.3}, other=0.6)
    HeadingsBetween()(unsure)
    assert "Steps" not in kept(unsure)


TOLD = "The old mill on the river burnt down on Monday night"
HEAD = f'<title>Fire in Aldbury</title><meta name="description" content="{TOLD}.">'


def test_a_standfirst_before_the_byline_comes_back() -> None:
    html = f"{HEAD}<h1>Fire in Aldbury</h1><p>{TOLD}.</p><p>By Ada Brook</p><p>16 November</p>{STORY}"
    scores = {f"{TOLD}.": 0.3, "By Ada Brook": 0.3, "16 November": 0.1}
    page = scored(html, scores)
    Standfirst()(page)
    assert f"{TOLD}." in kept(page)
    assert "By Ada Brook" not in kept(page)


@pytest.mark.parametrize(
    "line",
    [
        f"<figcaption>{TOLD}.</figcaption>",
        f"<h2>{TOLD}.</h2>",
        f'<p><a href="/x">{TOLD}.</a></p>',
        "<p>Fire, water and other news of the valley</p>",
    ],
)
def test_captions_headings_links_and_other_lines_are_no_standfirst(line: str) -> None:
    scores = {f"{TOLD}.": 0.3, "Fire, water and other news of the valley": 0.3}
    page = scored(f"{HEAD}{line}{STORY}", scores)
    Standfirst()(page)
    assert len(page.kept) == 3


def test_a_slogan_of_the_site_is_no_standfirst() -> None:
    page = scored(f"{HEAD}<p>{TOLD}.</p>{STORY}", {f"{TOLD}.": 0.05})
    Standfirst()(page)
    assert len(page.kept) == 3


DECK = "What became of a mill that was older than the town"


@pytest.mark.parametrize(
    "line",
    [
        f"<p class=article-subtitle>{DECK}</p>",
        f"<div class=ArticleDek_root><p>{DECK}</p></div>",
        f"<span>News</span><p class=strapline>{DECK}</p>",
    ],
)
def test_a_line_behind_the_headline_that_is_named_as_a_standfirst_comes_back(line: str) -> None:
    page = scored(f"<h1>Fire in Aldbury</h1>{line}<p>By Ada Brook</p>{STORY}", {DECK: 0.2, "By Ada Brook": 0.2})
    Standfirst()(page)
    assert DECK in kept(page)
    assert "By Ada Brook" not in kept(page)


@pytest.mark.parametrize(
    "line",
    [
        f"<p>{DECK}</p>",
        f"<div class=image-description><p>{DECK}</p></div>",
        f"<div class=intro><p class=date>{DECK}</p></div>",
        f"<p class=summary>{DECK}</p>",
        f"<p class=leaderboard>{DECK}</p>",
        f"<p>By Ada</p><p>Monday</p><p>Share</p><p class=subtitle>{DECK}</p>",
        f"<div class=intro><p>By Ada</p><p>Monday</p><p>{DECK}</p><p>Share</p></div>",
        "<p class=subtitle>A fire, a fire in Aldbury</p>",
    ],
)
def test_other_lines_behind_the_headline_stay_removed(line: str) -> None:
    others = ("By Ada", "Monday", "Share", "A fire, a fire in Aldbury")
    page = scored(f"<title>A fire in Aldbury</title><h1>A fire</h1>{line}{STORY}", dict.fromkeys((DECK, *others), 0.2))
    Standfirst()(page)
    assert len(page.kept) == 4


def test_a_named_line_before_the_headline_is_a_teaser() -> None:
    page = scored(f"<p class=subtitle>{DECK}</p><h1>Fire in Aldbury</h1>{STORY}", {DECK: 0.2})
    Standfirst()(page)
    assert DECK not in kept(page)


def test_a_heading_that_is_a_sentence_can_end_the_text() -> None:
    last = "Still, the town will go on with its fair, they said, whether the mill stands or not."
    page = scored(f"{STORY}<h2>{last}</h2><h2>Related</h2>", {})
    TrailingHeadings()(page)
    assert kept(page)[-1] == last


@pytest.mark.parametrize("html", ["", "<ul></ul>", "<ul><li></ul>", "<table>" * 3000 + "x" + "<td>y" * 3000])
def test_hostile_lists(html: str) -> None:
    clean(html)
    clean("<ul><li>a" * 2000 + STORY)


def test_lists_in_lists_are_walked_once() -> None:
    page = scored(STORY * 200 + "<ul><li>Salt" * 100 + "<li>Salt" * 2000, {"Salt": 0.6})
    for block in page.blocks[-1000:]:
        block.remove("score", "learned", "0.60")
    WholeLists()(page)
    assert len(page.kept) == len(page.blocks)


@given(st.lists(st.tuples(st.sampled_from(["p", "li", "td", "dd", "h2"]), st.floats(0, 1)), max_size=30))
def test_what_came_back_is_kept_or_was_removed_by_a_later_stage(blocks: list[tuple[str, float]]) -> None:
    html = "".join(
        f"<{tag}>{LONG if tag == 'p' else 'few words'} {place}</{tag}>" for place, (tag, _) in enumerate(blocks)
    )
    page = Page(f"<ul><table><dl>{html}")
    TextBlocks()(page)
    for block, (_, score) in zip(page.blocks, blocks, strict=False):
        block.score = score
        if score < 0.5:
            block.remove("score", "learned", f"{score:.2f}")
    for stage in (WholeLists(), HeadingsBetween(), Standfirst(), TrailingHeadings()):
        stage(page)
    later = [block.removed for block in page.blocks if block.index in page.notes]
    assert all(removed is None or removed.rule == "afterthought" for removed in later)

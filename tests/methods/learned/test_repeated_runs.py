"""A copy of the article goes; what the article itself repeats stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.repeated_runs import RepeatedRuns

STORY = "".join(
    f"<p>Paragraph {number} of the story has as many words as a sentence of a story has, and {number} more.</p>"
    for number in range(1, 7)
)
FIRST = STORY.split("</p>")[0].removeprefix("<p>")


def cleaned(html: str, score: float = 0.95) -> Page:
    page = Page(f"<body>{html}</body>")
    TextBlocks()(page)
    for block in page.blocks:
        block.score = score
    RepeatedRuns()(page)
    return page


VERSES = "".join(
    f"<p>Verse {number} tells us what the river did that year.</p>"
    "<p>Roll on, roll on, old river, to the sea,</p><p>and take the mill and take the miller's daughter,</p>"
    "<p>and take the stones,</p><p>but leave the bridge to me.</p>"
    for number in range(4)
)
MEALS = "".join(
    f"<div class=day><h3>Day {number}</h3><p>Breakfast: porridge with apples, nuts and a spoonful of honey</p>"
    f"<p>Lunch: soup number {number}</p><p>Dinner: bread, cheese and a salad of the season with oil</p></div>"
    for number in range(1, 5)
)
HOURS = "".join(
    f"<li>{day}</li><li>9 to 12 and 14 to 18, last entry half an hour before closing time</li>" for day in "MTWTF"
)
RESULTS = "".join(
    f"<tr><td>Heat {number}</td><td>did not finish because of the storm on the far side of the lake</td></tr>"
    for number in range(5)
)
OVEN = "".join(f"<p>Step {number}</p><p>Off</p>" for number in range(8))


@pytest.mark.parametrize("own", [VERSES, MEALS, f"<ul>{HOURS}</ul>", f"<table>{RESULTS}</table>", OVEN])
def test_what_the_article_repeats_stays(own: str) -> None:
    page = cleaned(f"<article>{STORY}{own}</article>")
    assert len(page.kept) == len(page.blocks)


@pytest.mark.parametrize(
    "copy",
    [
        f"<div class=print>{STORY}</div>",
        f"<div class=mobile><div class=body>{STORY}</div></div>",
        f"<article>{STORY}</article>",
        f"<blockquote class=pull>{FIRST}</blockquote>",
        f"<div class=teaser><a href=/story><p>{FIRST}</p></a></div>",
        f"<div class=standfirst>{FIRST}</div>",
    ],
)
def test_a_copy_goes(copy: str) -> None:
    page = cleaned(f"<article>{STORY}</article>{copy}")
    assert [block.index for block in page.kept] == list(range(6))
    assert str(page.blocks[6].removed) == "score: repeated (same text as block 0)"


def test_a_copy_goes_with_its_headings_and_short_items() -> None:
    part = f"<h2>What to bring</h2><ul><li>bread</li><li>salt</li></ul>{STORY}"
    page = cleaned(f"<article>{part}</article><div class=print>{part}</div>")
    assert len(page.kept) == 9


def test_notices_between_the_paragraphs_are_no_text() -> None:
    notice = "<p>This post may have been deleted by whoever wrote it.</p>"
    often = "".join(f"<p>Own line number {number} of the article.</p>{notice}" for number in range(7))
    assert len(cleaned(f"<article>{often}</article>").kept) == 8
    twice = f"<article>{notice}{STORY}{notice}</article>"
    assert len(cleaned(twice).kept) == 8
    assert len(cleaned(twice, score=0.5).kept) == 7


@given(st.lists(st.tuples(st.sampled_from(["p", "li", "td", "h2"]), st.sampled_from("abcd")), max_size=30))
def test_the_first_of_equal_texts_always_stays(lines: list[tuple[str, str]]) -> None:
    rest = "and ten more words, so that it is long enough to go"
    page = cleaned("".join(f"<{tag} class={text}>{text * 9} {rest}</{tag}>" for tag, text in lines))
    assert {block.text for block in page.kept} == {block.text for block in page.blocks}

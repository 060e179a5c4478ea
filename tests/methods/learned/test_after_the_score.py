"""The stages that follow the learned score."""

from __future__ import annotations

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.contents_list import ContentsList
from cleancrawl.methods.learned.headline import Headline
from cleancrawl.methods.learned.hidden_blocks import HiddenBlocks
from cleancrawl.methods.learned.trailing_headings import TrailingHeadings

LONG = "a paragraph with as many words as a sentence of a story usually has, number"


def page_of(*blocks: Block) -> Page:
    page = Page("")
    page.blocks = list(blocks)
    for index, block in enumerate(page.blocks):
        block.index = index
    return page


def segment(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def block(text: str, score: float = 0.9, tag: str = "p", link_words: int = 0) -> Block:
    return Block(text, len(text.split()), link_words, tag, score=score)


def story(count: int, score: float = 0.9) -> list[Block]:
    return [block(f"{LONG} {number}", score) for number in range(count)]


def noise(count: int) -> list[Block]:
    blocks = [block("Share", 0.01) for _ in range(count)]
    for one in blocks:
        one.remove("score", "learned", "0.01")
    return blocks


SHOWN = "<div>" + "".join(f"<p>{LONG} {number}.</p>" for number in range(5)) + "</div>"
UNSEEN = "".join(f"<div hidden><p>{LONG} hidden, {number}.</p></div>" for number in range(4))


def test_hidden_text_goes_where_the_page_shows_as_much() -> None:
    page = segment(SHOWN + UNSEEN)
    HiddenBlocks()(page)
    assert [one.index for one in page.kept] == [0, 1, 2, 3, 4]
    assert str(page.blocks[5].removed) == "score: hidden (by its attributes)"


def test_hidden_text_stays_where_it_is_most_of_the_content() -> None:
    page = segment(SHOWN + UNSEEN)
    for one in page.blocks[:3]:
        one.remove("score", "learned", "0.10")
    HiddenBlocks()(page)
    assert [one.index for one in page.kept] == [3, 4, 5, 6, 7, 8]


def test_hidden_text_of_a_low_score_stays_removed() -> None:
    page = segment(SHOWN + UNSEEN + UNSEEN)
    for one in page.blocks[5:]:
        one.remove("score", "learned", "0.10")
    HiddenBlocks()(page)
    assert [one.index for one in page.kept] == [0, 1, 2, 3, 4]


def test_text_far_behind_the_text_is_the_scores_business() -> None:
    page = page_of(*story(6), *noise(8), block("a last line", 0.6))
    TrailingHeadings()(page)
    assert len(page.kept) == 7
    TrailingHeadings()(page_of())


def test_links_that_name_later_headings_are_a_list_of_contents() -> None:
    entries = [block("1. Where to go", tag="li", link_words=4), block("What to eat", tag="li", link_words=3)]
    headings = [block("Where to go", tag="h2"), block("What to eat", tag="h3")]
    other = block("Somewhere else", tag="li", link_words=2)
    page = page_of(*entries, other, headings[0], *story(2), headings[1], *story(1))
    ContentsList()(page)
    assert [one for one in page.blocks if one.removed] == entries
    assert str(entries[1].removed) == "score: contents (names the heading in block 6)"


def test_plain_lines_single_links_and_links_after_their_heading_stay() -> None:
    page = page_of(
        block("Where to go", tag="p"),
        block("What to eat", tag="li", link_words=3),
        block("Where to go", tag="h2"),
        block("What to eat", tag="h2"),
        block("Where to go", tag="li", link_words=3),
    )
    ContentsList()(page)
    assert len(page.kept) == 5
    ContentsList()(page_of(*story(2)))


def test_the_names_of_what_a_table_compares_stay() -> None:
    cells = [block("Where to go", tag="td", link_words=3), block("What to eat", tag="th", link_words=3)]
    page = page_of(*cells, block("Where to go", tag="h2"), *story(2), block("What to eat", tag="h3"), *story(1))
    ContentsList()(page)
    assert len(page.kept) == len(page.blocks)


def test_the_headline_is_the_title_and_other_headings_are_text() -> None:
    page = Page("<title>A bridge for Aldbury - The Mill</title>")
    page.blocks = [
        block("A bridge for Aldbury", tag="h1"),
        block("What it costs", tag="h1"),
        block("Aldbury", tag="h2"),
    ]
    Headline()(page)
    assert [one.text for one in page.kept] == ["What it costs", "Aldbury"]
    untitled = page_of(block("A bridge for Aldbury", tag="h1"))
    Headline()(untitled)
    assert len(untitled.kept) == 1


def test_headings_at_the_very_end_are_headings_of_nothing() -> None:
    more = [block("More on this story", tag="h3"), block("Related", tag="h2")]
    page = page_of(block("Title", tag="h1"), *story(3), block("Inside", tag="h2"), *story(1), *more)
    TrailingHeadings()(page)
    assert page.kept == page.blocks[:-2]
    assert str(more[0].removed) == "score: afterthought (a heading of nothing)"

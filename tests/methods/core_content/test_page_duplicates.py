"""METHODS A6 inside a page, and blocks known from other pages."""

from __future__ import annotations

import pytest

from cleancrawl import Block, Page
from cleancrawl.core.fingerprints import simhash
from cleancrawl.core.fingerprints.simhash import hamming
from cleancrawl.core.known_blocks import KnownBlocks
from cleancrawl.core.page import Known
from cleancrawl.methods.core_content.page_duplicates import PageDuplicates

STORY = (
    "The council of the small harbour town voted late on Tuesday for a new bridge over the river, which engineers "
    "expect to open within three years, although residents of the old quarter fear noise, dust and higher taxes. "
    "The mayor promised a public hearing before the first stone is laid and said that every objection would be read. "
)


def page_of(*texts: str) -> Page:
    page = Page("<html lang=en>")
    page.blocks = [Block(text, len(text.split()), 0, "div", index=i) for i, text in enumerate(texts)]
    return page


def verdicts(page: Page) -> list[str]:
    return [str(block.removed) for block in page.blocks]


def test_a6_the_first_of_two_equal_blocks_stays() -> None:
    page = page_of(STORY, "Read more", "read  more", STORY, "Other")
    PageDuplicates()(page)
    assert verdicts(page) == [
        "None",
        "None",
        "secondary: duplicate (same text as block 1)",
        "secondary: duplicate (same text as block 0)",
        "None",
    ]


def test_a6_near_duplicates_name_the_earlier_block() -> None:
    page = page_of("Intro of the page", STORY * 4, STORY * 4 + "Share", "Something else entirely")
    PageDuplicates()(page)
    assert [block.kept for block in page.blocks] == [True, True, False, True]
    assert "from block 1" in verdicts(page)[2]
    assert page.blocks[2].removed is not None
    assert page.blocks[2].removed.rule == "near-duplicate"


def test_a6_short_blocks_are_compared_by_exact_text() -> None:
    page = page_of("Council votes for bridge", "Council votes for bridges", "COUNCIL VOTES FOR BRIDGE")
    PageDuplicates()(page)
    assert [block.kept for block in page.blocks] == [True, True, False]


def test_a6_removed_blocks_neither_remove_nor_are_removed_again() -> None:
    page = page_of(STORY, STORY)
    page.blocks[0].remove("primary", "ad-keyword")
    PageDuplicates()(page)
    assert verdicts(page) == ["primary: ad-keyword", "None"]


def test_a6_short_lines_may_repeat_where_wanted() -> None:
    page = page_of("Read more", "Read more", STORY, STORY)
    PageDuplicates(min_words=6, window=16)(page)
    assert [block.kept for block in page.blocks] == [True, True, True, False]


def test_a6_many_alike_blocks_are_compared_with_those_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0

    def counted(a: int, b: int) -> int:
        nonlocal compared
        compared += 1
        return hamming(a, b)

    monkeypatch.setattr(simhash, "hamming", counted)
    page = page_of(*[f"{STORY}{number}" for number in range(300)])
    PageDuplicates(window=4)(page)
    assert page.blocks[0].kept
    assert len(page.kept) < 20
    assert 300 < compared <= 300 * 4 * len(page.kept)


def test_known_blocks_of_the_site_are_removed() -> None:
    page = page_of("Menu", STORY, "Footer")
    page.known = Known(pages=[9, 0, 2], site_pages=10)
    KnownBlocks()(page)
    assert verdicts(page) == [
        "secondary: site-block (seen on 9 of 10 pages)",
        "None",
        "secondary: site-block (seen on 2 of 10 pages)",
    ]


def test_known_blocks_can_need_a_share_of_the_site() -> None:
    page = page_of("Menu", STORY, "Footer")
    page.known = Known(pages=[9, 0, 2], site_pages=10)
    KnownBlocks(min_share=0.5)(page)
    assert [block.kept for block in page.blocks] == [False, True, True]


def test_known_blocks_without_a_store_or_with_no_pages_remove_nothing() -> None:
    page = page_of("Menu")
    KnownBlocks()(page)
    page.known = Known(pages=[0], site_pages=0)
    KnownBlocks(min_pages=0)(page)
    assert page.blocks[0].kept

from __future__ import annotations

from cleancrawl.core.block import Block
from cleancrawl.core.known_blocks import NOISE_PLACES, KnownBlocks
from cleancrawl.core.page import Known, Page


def line(number: int, words: int) -> str:
    return " ".join(f"w{number}x{place}" for place in range(words))


def page_of(*blocks: tuple[str, int, int]) -> Page:
    """A page of blocks with a tag, so many words, seen on so many other pages of ten."""
    page = Page("<title>Council votes for bridge</title>", "https://a.example/s")
    for number, (tag, words, _) in enumerate(blocks):
        text = "Council votes" if tag == "h1" else line(number, words)
        page.blocks.append(Block(text, words, words if tag == "a" else 0, tag, index=number))
    page.known = Known([pages for _, _, pages in blocks], 10)
    return page


def removed(page: Page) -> list[int]:
    KnownBlocks(min_pages=3, min_share=0.25)(page)
    assert {block.removed.rule for block in page.blocks if block.removed} <= {"site-block"}
    return [place for place, block in enumerate(page.blocks) if block.removed]


MENU, LEGAL = ("a", 20, 10), ("p", 60, 10)


def test_the_larger_part_of_a_body_is_no_noise() -> None:
    quoted = [("p", 40, 6), ("p", 12, 6), ("p", 40, 6)]
    assert removed(page_of(MENU, *quoted, ("p", 30, 0), MENU)) == [0, 5]
    # The smaller part is, as it was.
    assert removed(page_of(MENU, *quoted, ("p", 90, 0), MENU)) == [0, 1, 2, 3, 5]


def test_unless_its_place_holds_noise_on_other_pages() -> None:
    page = page_of(MENU, ("p", 40, 6), ("p", 40, 6), LEGAL, LEGAL)
    page.memo[NOISE_PLACES] = [True, False, False, True, True]
    assert removed(page) == [0, 3, 4]
    page = page_of(MENU, ("p", 50, 0), LEGAL, LEGAL)
    page.memo[NOISE_PLACES] = [True, False, True, True]
    assert removed(page) == [0, 2, 3]


def test_a_lead_that_others_show_as_a_teaser_is_no_noise_below_its_headline() -> None:
    own = [("p", 60, 0), ("p", 60, 0)]
    assert removed(page_of(("h1", 2, 0), ("p", 20, 7), *own)) == []
    assert removed(page_of(("h1", 2, 0), ("time", 2, 7), ("p", 20, 7), *own)) == [1]
    # What nearly all pages have is the template's; what stands elsewhere is a teaser.
    assert removed(page_of(("h1", 2, 0), ("p", 20, 8), *own)) == [1]
    assert removed(page_of(("h1", 2, 0), *own, ("p", 20, 7))) == [3]
    assert removed(page_of(("p", 20, 7), ("h1", 2, 0), *own)) == [0]

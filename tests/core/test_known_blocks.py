from __future__ import annotations

from cleancrawl.core.block import Block
from cleancrawl.core.known_blocks import NOISE_PLACES, KnownBlocks
from cleancrawl.core.page import Known, Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.segmentation.text_blocks import TextBlocks


def line(number: int, words: int) -> str:
    return " ".join(f"w{number}x{place}" for place in range(words))


def page_of(*blocks: tuple[str, int, int], site_pages: int = 10) -> Page:
    """A page of blocks with a tag, so many words, seen on so many other pages, of ten as a rule."""
    page = Page("<title>Council votes for bridge</title>", "https://a.example/s")
    for number, (tag, words, _) in enumerate(blocks):
        text = "Council votes" if tag == "h1" else line(number, words)
        page.blocks.append(Block(text, words, words if tag == "a" else 0, tag, index=number))
    page.known = Known([pages for _, _, pages in blocks], site_pages)
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


STORY = [("p", 60, 0), ("p", 60, 0)]
QUOTE = ("p", 20, 3)


def test_the_frame_of_a_new_design_is_noise_on_a_site_that_has_hundreds_of_pages_of_the_old_one() -> None:
    frame = [("a", 2, 4)] * 12
    assert removed(page_of(*frame, *STORY, site_pages=400)) == list(range(12))
    assert removed(page_of(*frame[:7], *STORY, site_pages=400)) == [], "too few lines to tell"
    # Some lines of the menu are what they were.
    assert removed(page_of(*frame, *[("a", 2, 380)] * 6, *STORY, site_pages=400)) == list(range(18))


def test_a_share_that_the_user_asks_for_is_one_of_the_present_design() -> None:
    asked = KnownBlocks().tailored(Wishes(min_pages=3, min_share=0.8))
    page = page_of(*[("a", 2, 20)] * 12, *[("a", 2, 8)] * 3, *STORY, site_pages=400)
    asked(page)
    assert [place for place, block in enumerate(page.blocks) if block.removed] == list(range(12))


def test_on_an_unchanged_site_quotes_and_teasers_stay_what_they_were() -> None:
    old = [("a", 2, 380)] * 20
    assert removed(page_of(*old, QUOTE, *STORY, site_pages=400)) == list(range(20))
    # Teasers in lists come and go: they were seen now more, now less often.
    teasers = [("a", 6, pages) for pages in (3, 3, 3, 4, 4, 5, 6, 7, 9, 10, 11, 11)]
    assert removed(page_of(*old[:4], *teasers, QUOTE, *STORY, site_pages=400)) == list(range(4))
    # An article without a frame, quoted by others.
    assert removed(page_of(*[QUOTE] * 10, *[("p", 60, 0)] * 5, site_pages=400)) == []


def test_what_few_pages_of_a_new_design_quote_is_no_noise() -> None:
    frame = [("a", 2, 10)] * 12
    assert removed(page_of(*frame, QUOTE, *STORY, site_pages=400)) == list(range(12))
    lead = [("h1", 2, 0), ("p", 20, 6), *STORY]
    assert removed(page_of(*frame, *lead, site_pages=400)) == list(range(12))


def body_page(*blocks: tuple[str, int, int], site_pages: int = 10) -> Page:
    """A page cut into blocks: each with the tags that begin it, so many words, seen on so many other pages."""
    parts = []
    for number, (start, words, _) in enumerate(blocks):
        outer, _, inner = start.partition(">")
        parts.append(f"<{start}>{line(number, words)}" + f"</{inner}>" * bool(inner) + f"</{outer.split()[0]}>")
    page = Page(f"<div class=story>{''.join(parts)}</div>", "https://a.example/s")
    TextBlocks()(page)
    assert len(page.blocks) == len(blocks)
    page.known = Known([pages for *_, pages in blocks], site_pages)
    return page


OWN = ("p", 60, 0)


def test_a_part_of_a_body_that_others_quote_is_no_noise() -> None:
    assert removed(body_page(OWN, ("p", 40, 6), ("p", 9, 6), OWN)) == []
    assert removed(body_page(("p", 40, 6), OWN, OWN, ("p", 40, 6))) == []
    # However many quote it, between the lines of the page's own text.
    assert removed(body_page(OWN, ("p", 40, 10), OWN)) == []
    assert removed(body_page(OWN, ("p", 40, 12), OWN, site_pages=12)) == []


def test_quotes_and_lists_are_part_of_the_text_around_them() -> None:
    assert removed(body_page(OWN, ("blockquote><p", 40, 6), OWN)) == []
    assert removed(body_page(OWN, ("blockquote class=wp-quote><p", 40, 6), OWN)) == []
    assert removed(body_page(OWN, ("ul><li", 30, 6), OWN)) == []
    own = ("p class=text", 60, 0)
    assert removed(body_page(own, ("p class=text", 40, 6), ("blockquote><p", 30, 6), own)) == []
    assert removed(body_page(own, ("ul class=box><li", 30, 6), own)) == [1]


def test_what_stands_in_a_place_of_its_own_is_noise_as_ever() -> None:
    assert removed(body_page(OWN, ("p class=promo", 40, 6), OWN)) == [1]
    assert removed(body_page(OWN, ("aside", 40, 6), OWN, ("a", 20, 6))) == [1, 3]
    # A line of few words is no text: "story continues below".
    assert removed(body_page(OWN, ("p", 4, 6), OWN)) == [1]


def test_a_notice_that_nearly_all_pages_have_below_their_text_is_noise() -> None:
    assert removed(body_page(OWN, OWN, ("p", 40, 7))) == []
    assert removed(body_page(OWN, OWN, ("p", 40, 8))) == [2]
    assert removed(body_page(("p", 40, 8), OWN, OWN)) == [0]


def test_a_place_with_more_known_text_than_own_speaks_for_nothing() -> None:
    legal = [("p class=legal", 60, 6), ("p class=legal", 20, 0), ("p class=legal", 60, 6)]
    assert removed(body_page(OWN, OWN, OWN, *legal)) == [3, 5]

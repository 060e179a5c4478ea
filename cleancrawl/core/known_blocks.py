"""Blocks that other pages of the site show too: the paper's secondary noise, carried across pages by a store."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_letters, digits
from typing import ClassVar

from cleancrawl.core.block import Block, removal
from cleancrawl.core.own_text import PARAGRAPH, among_own_text, is_text
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.text.words import normalise

STAGE = "secondary"
DESCRIPTIONS = frozenset({"description", "og:description", "twitter:description", "og:title", "twitter:title"})
NOISE_PLACES = "noise-places"
"""Under this name ``page.memo`` may have, by block, whether its place in the template holds noise on other pages."""
OWN_WORDS = "own-words"
_PLAIN_STARTS = frozenset(ascii_letters + digits)
FRAME_BLOCKS, AS_OFTEN, DESIGN_SHARE = 8, 0.75, 0.5
"""So many menu lines and short texts that were seen about equally often are a frame; and on what share of the pages
of a design that is younger than the site a block must have been seen."""
LEAD_REACH = 3
"""The lead is the first text among so many blocks behind the headline."""


@dataclass(frozen=True, slots=True)
class KnownBlocks:
    """Marks what ``page.known`` counts on enough other pages of the site; without a store it does nothing.

    Pages that quote an article must not erase it, nor a part of it. Where most of a page's running text is known from
    others, that text goes only if its place speaks against it, too. Where less is, what stands in the place of the text
    that is the page's own stays. Text that only articles of one other section of the site show stays in any case,
    unless its place speaks against it.
    """

    min_pages: int = 2
    """On how many other pages a block must have been seen: one is often the same story twice."""
    min_share: float = 0.0
    """On what share of the other known pages of the site's present design: what a few follow-up stories quote again is
    no noise …"""
    sure_pages: int = 12
    """… but what is on so many pages is, however large the site."""
    lead_share: float = 0.75
    """The same share for the text below the headline, on a site of any size: others repeat it as a teaser. And for what
    stands above or below the running text that is the page's own, in the same place of the template."""
    heeds: ClassVar[frozenset[str]] = frozenset({"min_pages", "min_share"})
    needs_site: ClassVar[bool] = True
    """Tells a crawl that the first pages of a site are worth waiting with."""

    def tailored(self, wishes: Wishes) -> KnownBlocks:
        """A share that the user asks for holds on sites of any size."""
        min_pages = self.min_pages if wishes.min_pages is None else wishes.min_pages
        if wishes.min_share is None:
            return replace(self, min_pages=min_pages)
        return replace(self, min_pages=min_pages, min_share=wishes.min_share, sure_pages=sys.maxsize)

    def __call__(self, page: Page) -> None:
        known = page.known
        if known is None:
            return
        pages_of_design, enough = known.site_pages, self.enough(known.site_pages, self.min_share)
        least = max(self.min_pages, 1)
        seen = {place: pages for place, pages in enumerate(known.pages) if pages >= least}
        if enough > self.min_pages:
            pages_of_design = design_pages(page, seen, enough)
            if pages_of_design < known.site_pages:
                enough = self.enough(pages_of_design, max(self.min_share, DESIGN_SHARE))
        if enough > least:
            seen = {place: pages for place, pages in seen.items() if pages >= enough}
        for place in quoted_elsewhere(page, seen):
            page.notes[place] = f"stays: {seen.pop(place)} pages of another section show it, none of this one"
        if not seen:
            return
        blocks = page.blocks
        seen = {place: seen[place] for place in own_words(page).others(blocks, seen)}
        spared = self.spared(page, seen, pages_of_design)
        for place, pages in seen.items():
            if place not in spared and blocks[place].removed is None:
                blocks[place].removed = removal(STAGE, "site-block", f"seen on {pages} of {known.site_pages} pages")

    def spared(self, page: Page, seen: Mapping[int, int], pages: int) -> set[int]:
        """Which of the known blocks are content all the same: texts, and what lies between them."""
        if not any(is_text(page.blocks[place]) for place in seen):
            return set()
        lead, among = lead_of(page), among_own_text(page, seen)
        outer = among.edges if lead is None else among.edges | {lead}
        few = {place for place in outer if seen.get(place, 0) < self.lead_share * pages}
        noise: Sequence[bool] = page.memo.get(NOISE_PLACES, ())
        return body(page, seen) | few | {place for place in among.inside if not (noise and noise[place])}

    def enough(self, pages: int, share: float) -> float:
        return max(self.min_pages, min(share * pages, self.sure_pages), 1)


def design_pages(page: Page, seen: Mapping[int, int], enough: float) -> int:
    """How many known pages have the page's design: all of the site, unless the frame of this one is younger.

    The lines of a frame are on all of its pages, so they were seen about equally often. Where most of what recurs on a
    page apart from text was, and not yet often enough for a site of this size, the site has a new design, or the page
    one of its own. ``seen`` is what recurs at all.
    """
    known = page.known
    if known is None:
        return 0
    recurring = sorted([pages for place, pages in seen.items() if not is_text(page.blocks[place])])
    young = [pages for pages in recurring if pages < enough]
    if len(young) < FRAME_BLOCKS:
        return known.site_pages
    age = young[-1 - len(young) // 4]
    frame = sum(pages >= AS_OFTEN * age for pages in young)
    return age if frame >= FRAME_BLOCKS and 2 * frame > len(recurring) else known.site_pages


def quoted_elsewhere(page: Page, seen: Collection[int]) -> list[int]:
    """Texts that articles of one other section of the site show, and none of the page's own: no template does that.

    A notice of the whole site is taken for one on the first page of its second section, if at all.
    """
    known = page.known
    if known is None or not known.elsewhere:
        return []
    noise: Sequence[bool] = page.memo.get(NOISE_PLACES, ())
    return [p for p in seen if known.elsewhere[p] and is_text(page.blocks[p]) and not (noise and noise[p])]


class OwnWords:
    """What the page says of itself: other pages repeat its headline and lead as a teaser, but here they belong."""

    __slots__ = ("_other_starts", "_said")

    def __init__(self, said: Iterable[str]) -> None:
        self._said = frozenset([normalise(text).lower() for text in said])
        starts = "".join([text[:1] for text in self._said])
        self._other_starts = _PLAIN_STARTS.difference(starts, starts.upper())
        """With which letters and figures none of it begins: nearly all other texts are told by them."""

    def others(self, blocks: Sequence[Block], places: Iterable[int]) -> list[int]:
        """Those of some blocks, by their places, that say something else, letters in whatever case.

        >>> OwnWords(["The bridge"]).others([Block("The  BRIDGE", 2, 0, "p"), Block("Home", 1, 1, "li")], [0, 1])
        [1]
        """
        said, other_starts = self._said, self._other_starts
        return [
            place
            for place in places
            if (text := blocks[place].text)[:1] in other_starts or normalise(text).lower() not in said
        ]


def own_words(page: Page) -> OwnWords:
    """What a page says of itself, made once."""
    found: OwnWords | None = page.memo.get(OWN_WORDS)
    if found is None:
        said = [content for name, content in page.head.meta if name in DESCRIPTIONS]
        found = page.memo[OWN_WORDS] = OwnWords([page.title, *said])
    return found


def body(page: Page, seen: Collection[int]) -> set[int]:
    """What lies among the known running text of a page, where that is more than what is the page's own.

    What stands in a place that holds noise on other pages is no part of it.
    """
    noise: Sequence[bool] = page.memo.get(NOISE_PLACES, ())
    blocks = page.blocks
    known = [
        place
        for place in sorted(seen)
        if blocks[place].words >= PARAGRAPH
        and blocks[place].kept
        and is_text(blocks[place])
        and not (noise and noise[place])
    ]
    # What recurs is hardly ever running text, and then there is nothing to weigh.
    if not known:
        return set()
    own = [block.words for place, block in enumerate(blocks) if block.kept and is_text(block) and place not in seen]
    if sum([blocks[place].words for place in known]) <= sum(own):
        return set()
    # Short paragraphs and headings between them as well.
    inside = range(known[0], known[-1] + 1)
    return {place for place in seen if place in inside and not (noise and noise[place])}


def lead_of(page: Page) -> int | None:
    """The text right below the headline."""
    start = next((place for place, block in enumerate(page.blocks, 1) if block.tag == "h1" and block.words > 1), None)
    if start is None:
        return None
    below = enumerate(page.blocks[start : start + LEAD_REACH], start)
    return next((place for place, block in below if is_text(block)), None)

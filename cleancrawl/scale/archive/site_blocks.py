"""What is known of one site between the passes, and what it says of each of its pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block import Block
from cleancrawl.core.fingerprints.url_sections import in_one_other
from cleancrawl.core.page import Known
from cleancrawl.core.recipe import SettledNotes
from cleancrawl.scale.archive.counting import PAGES_BYTES, ROW, short_number
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.memory.block_index import BlockIndex
from cleancrawl.stores.page_rules import Own, Sighting

BLOCKS_AT_ONCE = 20_000
"""Blocks of several pages that are looked up in one go, about."""

Ints = NDArray[np.int64]


class OwnPage(NamedTuple):
    """A page as its blocks were counted, all of them: which distinct page it is, and whether that is an article."""

    number: int
    article: bool

    def recorded(self, facts: PageFacts) -> Own:
        """As a store has it."""
        keys = (np.frombuffer(facts.keys, "<u8") & np.uint64(rules.SHORT)).tolist()
        return Own(short_number(self.number), dict.fromkeys(keys, self.article))


class Answer(NamedTuple):
    """What numbers alone say of a page's blocks."""

    places: Ints
    """The row of each block, −1 where there is none."""
    sure: NDArray[np.bool_]
    """Blocks on so many pages that it does not matter on which."""
    pages: list[int]
    """On how many other pages the blocks are that have a row, if none of those is a copy of this page …"""
    apart: list[bool]
    """… and whether all of those are of one other section."""
    near: tuple[Ints, Ints]
    """Blocks that are on few pages or none, and rows that their fingerprints are near to."""


@dataclass(slots=True)
class SiteBlocks(SettledNotes):
    """What is known of one site: its blocks that tell something, the number of its distinct pages, notes of stages."""

    index: BlockIndex = field(default_factory=BlockIndex)
    pages: int = 0
    notes: dict[str, str] = field(default_factory=dict)

    @classmethod
    def unpack(cls, packed: bytes, notes: dict[str, str]) -> SiteBlocks:
        rows = np.frombuffer(packed, ROW, offset=PAGES_BYTES)
        index = BlockIndex()
        index.add_columns(rows["key"], rows["near"], rows["long"], True, 0, 0)
        for name in ("articles", "others", "first", "last", "sections", "squares"):
            getattr(index, name)[: len(rows)] = rows[name]
        return cls(index, int.from_bytes(packed[:PAGES_BYTES], "little"), notes)

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return self.index.nbytes + sum(map(len, self.notes.values()))

    def answers(self, pages: Sequence[tuple[PageFacts, OwnPage]]) -> Iterator[Answer]:
        """What is found out about pages of the site in one go, which costs a third of a go for each."""
        start = 0
        while start < len(pages):
            end, blocks = start, 0
            while end < len(pages) and (end == start or blocks < BLOCKS_AT_ONCE):
                blocks += len(pages[end][0].long)
                end += 1
            yield from self._answered(pages[start:end])
            start = end

    def _answered(self, pages: Sequence[tuple[PageFacts, OwnPage]]) -> Iterator[Answer]:
        index, sizes = self.index, [len(facts.long) for facts, _ in pages]
        places = index.find(np.frombuffer(b"".join([facts.keys for facts, _ in pages]), "<u8"))
        there = places >= 0
        articles = np.where(there, index.articles[places], 0).astype(np.int64)
        others = np.where(there, index.others[places], 0).astype(np.int64)
        sure = articles + others > rules.ENOUGH
        # The page itself is among them.
        own = np.repeat(np.array([own.article for _, own in pages], dtype=np.int64), sizes)
        counts = np.where(sure, articles - own + (others - (1 - own) > 0), 0)
        few = np.flatnonzero(there & ~sure)
        counts[few] = self._on_few(places[few], np.repeat([short_number(own.number) for _, own in pages], sizes)[few])
        sections = np.frombuffer(b"".join([facts.sections for facts, _ in pages]), "<u2").astype(np.int64)
        apart = self._apart(places, there & (sections > 0), own, sections)
        long = np.frombuffer(b"".join([facts.long for facts, _ in pages]), np.bool_)
        asked = np.flatnonzero(long & ~sure)
        query, rows = index.near_pairs(np.frombuffer(b"".join([facts.near for facts, _ in pages]), "<u8")[asked])
        near = asked[query]
        ends = np.cumsum(sizes)
        borders = np.searchsorted(near, ends).tolist()
        first = first_near = 0
        for end, end_near in zip(ends.tolist(), borders, strict=True):
            here, pairs = slice(first, end), slice(first_near, end_near)
            alike = near[pairs] - first, rows[pairs]
            yield Answer(places[here], sure[here], counts[here].tolist(), apart[here].tolist(), alike)
            first, first_near = end, end_near

    def _on_few(self, rows: Ints, own: Ints) -> Ints:
        """On how many other pages blocks are that are on two pages at most: it is known which these are."""
        first, last = self.index.first[rows], self.index.last[rows]
        gone = (first == own).astype(np.int64) + ((last == own) & (last != first))
        articles = self.index.articles[rows].astype(np.int64) - gone
        others = self.index.others[rows].astype(np.int64) + np.minimum(articles, 0)
        counts: Ints = np.maximum(articles, 0) + (others > 0)
        return counts

    def _apart(self, places: Ints, asked: NDArray[np.bool_], own: Ints, sections: Ints) -> NDArray[np.bool_]:
        """Which of the blocks all other articles that show them have in one other section."""
        found = np.zeros(len(places), dtype=np.bool_)
        chosen = np.flatnonzero(asked)
        rows, mine, section = places[chosen], own[chosen], sections[chosen]
        pages = self.index.articles[rows].astype(np.int64) - mine
        total = self.index.sections[rows].astype(np.int64) - mine * section
        squares = self.index.squares[rows].astype(np.int64) - mine * section * section
        # Products may overflow, so that this says which may be, and exact numbers say which are.
        may_be = (pages > 0) & (total > 0) & (total != pages * section) & (total * total == pages * squares)
        for place in np.flatnonzero(may_be).tolist():
            numbers = (int(column[place]) for column in (pages, total, squares, section))
            found[chosen[place]] = in_one_other(*numbers)
        return found

    def known(self, facts: PageFacts, blocks: Sequence[Block], own: OwnPage, answer: Answer | None = None) -> Known:
        """On how many other pages each block was seen, by the rules of stores; ``answer`` is that to the page.

        Most blocks are on many pages, or on no other: these were counted all at once.
        """
        places, sure, pages, apart, near = answer or next(self.answers([(facts, own)]))
        alike = self._alike(*near)
        few = sorted({*np.flatnonzero((places >= 0) & ~sure).tolist(), *alike})
        lengths, total = [_prose(blocks[place]) for place in few], 0
        if elsewhere := sum(lengths):
            for place in np.flatnonzero(~sure).tolist():
                total += _prose(blocks[place])
                if elsewhere < rules.COPY_SHARE * total:
                    break
        # Only of a page whose own text is nearly all on few other pages one of those may be a copy.
        if not elsewhere or elsewhere < rules.COPY_SHARE * total:
            few, lengths, total = list(alike), [0] * len(alike), elsewhere
        if few:
            sections = np.frombuffer(facts.sections, "<u2")
            alone = total - elsewhere
            known = self._count_few(few, places, alike, own.recorded(facts), lengths, alone, sections)
            for place, count, is_apart in zip(few, known.pages, known.elsewhere, strict=False):
                pages[place], apart[place] = count, is_apart
        return Known(pages, max(0, self.pages - 1), elsewhere=apart)

    def _alike(self, blocks: Ints, rows: Ints) -> dict[int, list[Sighting]]:
        """By block: all that its fingerprint is near to."""
        alike: dict[int, list[Sighting]] = {}
        if not len(rows):
            return alike
        for place, row in zip(blocks.tolist(), self.index.sightings(rows), strict=True):
            if row is not None:
                alike.setdefault(place, []).append(row)
        return alike

    def _count_few(
        self,
        few: list[int],
        places: NDArray[np.int64],
        alike: dict[int, list[Sighting]],
        own: Own,
        lengths: Sequence[int],
        own_text: int,
        sections: NDArray[np.uint16],
    ) -> Known:
        """Blocks that are on few pages; behind them one that stands for the text that no other page has."""
        rows = [*self.index.sightings(places[few]), None]
        near = {number: alike[place] for number, place in enumerate(few) if place in alike}
        return rules.count_pages(rows, near, own, [*lengths, own_text], self.pages, sections[few].tolist())

    def note(self, site: str, name: str) -> str | None:
        return self.notes.get(name)


def _prose(block: Block) -> int:
    """The characters of a block that counts as a page's own text, else 0."""
    size = len(block.text)
    return size if size >= rules.PROSE_LENGTH else 0

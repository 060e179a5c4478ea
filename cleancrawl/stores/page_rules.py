"""What all backends decide in the same way, as pure functions: counts of pages, copies of a page, states.

What makes a new version of an article is in ``version_rules``.

A Redis store decides some of it in the server. What says "Also in lua/…" is written there once more and has to change
together with it; the script names it, too. Scripts get the thresholds from here.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from cleancrawl.core.fingerprints.simhash import hamming
from cleancrawl.core.fingerprints.url_sections import in_one_other
from cleancrawl.core.page import Known
from cleancrawl.core.text.encodable import encodable
from cleancrawl.stores.protocol import Limits, PageRecord, PageState, Prints, Visit

NEAR_DISTANCE = 3
"""Bits in which two blocks may differ and still be the same."""
ENOUGH = 2
"""A block found on this many pages by its exact text is not looked up by its fingerprint as well."""
COPY_SHARE = 0.8
"""A page is a copy of another if so much of what is its own was seen there."""
COPY_DISTANCE = 16
"""Above it the kept texts of two pages clearly differ: unrelated texts are 32 ± 4 bits apart."""
PROSE_LENGTH = 80
"""Characters from which on a block counts as a page's own text before anything is scored."""
SHARERS = 500
"""Articles that are looked at for one key of a signature: what one text at endless addresses costs."""
CHANGES_KEPT = 16
"""Times of changes that the state of a page remembers."""
SAMPLE_LENGTH = 200
"""Characters of a block's text that a store keeps, for people who look into it."""
BEGAN = "began"
"""Among the cursors: when the outbox was begun."""
GONE = "gone"
"""Reason of a visit that found no page where one may have been."""
LEFT_AFTER_DROP = 0.9
"""How full a site is after its rarest blocks went: the search for them is paid once for many pages."""

# Also in lua/common.lua.
SHORT = 0xFFFF_FFFE


class Sighting(NamedTuple):
    """What a store knows about one block of a site."""

    key: int
    articles: int
    """Pages with an article that it was seen on."""
    others: int
    first: int
    """Number of the first page that it was seen on."""
    last: int
    sections: int = 0
    """Of a text: the numbers of the sections of all pages with an article that it was seen on, added up …"""
    squares: int = 0
    """… and their squares. Pages that were counted before sections were are in neither."""


class Own(NamedTuple):
    """The page that a URL belongs to, as it was recorded before."""

    page: int
    keys: Mapping[int, bool]
    """The short keys that were counted for it, and whether as an article's."""


NOT_RECORDED = Own(0, {})


def pack_keys(keys: Iterable[int]) -> bytes:
    """Keys in four bytes each: 31 bits are enough to tell the few blocks of one page apart, and one is free.

    >>> unpack_keys(pack_keys([6, (5 << 32) + 9]))
    [6, 8]
    """
    return array("I", (key & SHORT for key in keys)).tobytes()


def unpack_keys(packed: bytes) -> list[int]:
    halves = array("I")
    halves.frombytes(packed)
    return halves.tolist()


def pack_own(keys: Mapping[int, bool], limit: int) -> bytes:
    """The keys of a page; above the limit the oldest go.

    >>> unpack_own(pack_own({2: True, 4: False, 6: True}, 2))
    {4: False, 6: True}
    """
    return array("I", [key | article for key, article in keys.items()]).tobytes()[-4 * limit :]


def unpack_own(packed: bytes) -> dict[int, bool]:
    return {half & SHORT: bool(half & 1) for half in unpack_keys(packed)}


# Also in lua/record.lua.
def counted(own: Own, keys: Iterable[int], article: bool) -> tuple[list[int], list[int], list[int]]:
    """Which keys of a page are new to it, which were counted as what it is now, which as what it is no more."""
    if not own.keys:
        return list(keys), [], []
    fresh, again, moved = list[int](), list[int](), list[int]()
    for key in keys:
        before = own.keys.get(key & SHORT)
        (fresh if before is None else again if before == article else moved).append(key)
    return fresh, again, moved


# Also in lua/record.lua.
def owned(own: Own, keys: Iterable[int], article: bool, limit: int) -> bytes:
    """The packed keys of a page after these were counted for it."""
    counted_now = dict.fromkeys([key & SHORT for key in keys], article)
    return pack_own({**own.keys, **counted_now}, limit)


# Also in lua/seen.lua, which knows nothing of the page itself and looks up one block more.
def unsure(rows: Sequence[Sighting | None], own: Own) -> list[int]:
    """Which blocks have to be looked up by fingerprint: those that their exact text does not settle."""
    return [
        index
        for index, row in enumerate(rows)
        if row is None or row.articles + row.others - (row.key & SHORT in own.keys) < ENOUGH
    ]


def count_pages(
    rows: Sequence[Sighting | None],
    near: dict[int, list[Sighting]],
    own: Own,
    lengths: Sequence[int],
    pages: int,
    sections: Sequence[int] = (),
) -> Known:
    """On how many other pages each block was seen. ``near`` has, by block, all that is within reach of it.

    A page that most of this page's own text was seen on is a copy of it and does not count.
    """
    # Most blocks of a page are on no other: only the others are looked at.
    found = {index: near.get(index) or (row,) for index, row in enumerate(rows) if row is not None}
    found.update((index, matches) for index, matches in near.items() if matches)
    sources: list[tuple[int, ...]] = [()] * len(rows)
    for index, matches in found.items():
        sources[index] = _sources(matches, own.page)
    aside = _copies(sources, found, lengths) | {own.page}
    counts, elsewhere = [0] * len(rows), [False] * len(sections)
    for index, matches in found.items():
        counts[index] = _count(matches, own, aside)
        if sections and sections[index] > 0:
            elsewhere[index] = only_elsewhere(matches, own, sections[index])
    return Known(counts, max(0, pages - (own.page != 0)), sources, elsewhere)


def _sources(matches: Sequence[Sighting], own: int) -> tuple[int, ...]:
    """The other pages that a block was seen on, where the first and the last are all."""
    if len(matches) == 1:
        _, articles, others, first, last, _, _ = matches[0]
        if articles + others > 2:
            return ()
        return _without(own, (first, last) if first < last else (last, first) if last < first else (first,))
    numbers = {n for row in matches if row.articles + row.others <= 2 for n in (row.first, row.last)}
    return _without(own, tuple(sorted(numbers)))


def _without(own: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number != own) if own in numbers else numbers


def _copies(
    sources: Sequence[tuple[int, ...]], found: Mapping[int, Sequence[Sighting]], lengths: Sequence[int]
) -> AbstractSet[int]:
    # What was seen on no page, or on few and thus perhaps on this one alone, when it was recorded before.
    own_text = [length if length >= PROSE_LENGTH else 0 for length in lengths]
    for index, matches in found.items():
        if own_text[index] and not sources[index] and not _are_few(matches):
            own_text[index] = 0
    return {page for page, share in shares(sources, own_text) if share >= COPY_SHARE}


def _are_few(matches: Sequence[Sighting]) -> bool:
    return all(row.articles + row.others <= 2 for row in matches)


def shares(sources: Sequence[tuple[int, ...]], weights: Sequence[int]) -> list[tuple[int, float]]:
    """How much of a page's own text was seen on which other page, the most first.

    >>> shares([(1,), (1, 2), ()], [60, 20, 20])
    [(1, 0.8), (2, 0.2)]
    """
    total = sum(weights)
    by_page: Counter[int] = Counter()
    for numbers, weight in compress(zip(sources, weights, strict=True), sources):
        for number in numbers:
            by_page[number] += weight
    return [(page, weight / total) for page, weight in by_page.most_common()] if total else []


def _count(matches: Sequence[Sighting], own: Own, aside: AbstractSet[int]) -> int:
    articles = others = 0
    taken: set[int] = set()
    for key, here, elsewhere, first, last, _, _ in matches:
        if here + elsewhere <= 2:
            # Few enough to know which pages they are: none counts twice, and those set aside not at all.
            gone = (first in aside or first in taken) + (last != first and (last in aside or last in taken))
            taken.update((first, last))
            here, gone = max(0, here - gone), max(0, gone - here)
            elsewhere = max(0, elsewhere - gone)
        elif (article := own.keys.get(key & SHORT)) is not None:
            here, elsewhere = (here - 1, elsewhere) if article else (here, elsewhere - 1)
        articles += here
        others += elsewhere
    # A listing repeats the teaser of every article: together such pages are one piece of evidence.
    return articles + (others > 0)


def only_elsewhere(matches: Sequence[Sighting], own: Own, section: int) -> bool:
    """Whether all other articles that show a text are of one section, and not of this one."""
    pages = total = squares = 0
    for row in matches:
        mine = own.keys.get(row.key & SHORT, False)
        pages += row.articles - mine
        total += row.sections - mine * section
        squares += row.squares - mine * section * section
    return in_one_other(pages, total, squares, section)


def sections_of(prints: Prints) -> Sequence[int]:
    return prints.sections or [0] * len(prints.exact)


def copy_of(record: PageRecord, known: Known) -> int:
    """The number of the page that this one is a copy of, 0 where it is none."""
    weights = record.words or [
        len(text) if len(text) >= PROSE_LENGTH else 0 for text in record.prints.samples or [""] * len(known.pages)
    ]
    own_text = [
        weight if numbers or pages == 0 else 0
        for weight, numbers, pages in zip(weights, known.sources, known.pages, strict=True)
    ]
    best = shares(known.sources, own_text)[:1]
    return best[0][0] if best and best[0][1] >= COPY_SHARE else 0


# Also in lua/record.lua.
def contents_agree(first: int, second: int) -> bool:
    """Whether two kept texts may be one; where one of them is unknown nothing speaks against it."""
    return not first or not second or hamming(first, second) <= COPY_DISTANCE


def lengths_of(prints: Prints) -> list[int]:
    return [len(text) for text in prints.samples] or [0] * len(prints.exact)


def sample_of(text: str) -> str:
    return encodable(text[:SAMPLE_LENGTH])


def surplus(blocks: int, limits: Limits) -> int:
    """How many of a site's blocks go when there are more than the limit.

    >>> surplus(1001, Limits(blocks_per_site=1000))
    101
    """
    return blocks - int(limits.blocks_per_site * LEFT_AFTER_DROP)


# Also in lua/record.lua.
def after_record(old: PageState | None, record: PageRecord) -> PageState:
    """The state of a page after it was fetched and cleaned."""
    visit = record.visit
    changed = old is None or old.content != record.content
    changes = ((*old.changes, visit.fetched) if old else (visit.fetched,)) if changed else (old.changes if old else ())
    return PageState(
        url=visit.url,
        site=visit.site,
        first_fetched=old.first_fetched if old else visit.fetched,
        last_fetched=visit.fetched,
        status=visit.status,
        etag=visit.etag,
        last_modified=visit.last_modified,
        reason=visit.reason,
        content=record.content,
        # The second pass of a held page is the same fetch.
        visits=old.visits + (visit.fetched != old.last_fetched) if old else 1,
        changes=changes[-CHANGES_KEPT:],
        version=old.version if old else 0,
        held=record.held is not None,
    )


# Also in lua/visit.lua.
def after_visit(old: PageState | None, visit: Visit) -> PageState:
    """The state of a page after a fetch that brought nothing to clean."""
    if old is None:
        old = PageState(visit.url, visit.site, visit.fetched, visit.fetched, visit.status, visits=0)
    return replace(
        old,
        last_fetched=visit.fetched,
        status=visit.status,
        etag=visit.etag or old.etag,
        last_modified=visit.last_modified or old.last_modified,
        reason=visit.reason if visit.status != 304 else old.reason,
        visits=old.visits + (visit.status < 400 and visit.reason != GONE),
        misses=misses(old, visit),
    )


# Also in lua/visit.lua.
def misses(old: PageState, visit: Visit) -> int:
    """How many runs in a row have found a page gone. A server that fails or refuses says nothing about the page.

    >>> state = PageState("https://a.example/", "a.example", 0, 100, 404, misses=1)
    >>> [misses(state, Visit("a.example", state.url, 200, 410, reason=GONE, run=run)) for run in (90, 110)]
    [1, 2]
    >>> [misses(state, Visit("a.example", state.url, 200, status)) for status in (503, 304)]
    [1, 0]
    """
    if visit.reason == GONE:
        return old.misses + (not old.misses or visit.run is None or old.last_fetched < visit.run)
    return 0 if visit.status < 400 else old.misses

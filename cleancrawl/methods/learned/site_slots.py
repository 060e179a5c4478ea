"""Which places of a site's template hold content: what a parser written by hand for the site knows.

A slot is a place by tags and class names (``container_slots``), links apart from text. Of a few pages of the site the
mean log-odds of each slot are kept. On a page of the same template a doubtful block is judged by its slot as well; on
one that does not fit it (another kind of page, a redesign) nothing is.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_hexdigest

from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.slots import container_slots
from cleancrawl.core.segmentation.text_layout import Ints, TextLayout
from cleancrawl.methods.learned.features.sheet import Matrix

NOTE = "slots"
BLOCK_SLOTS = "block-slots"
"""Under this name a page remembers them, eight bytes for each."""
SAMPLES = 12
"""Pages of a site that are kept: those whose URLs hash lowest, so that their order does not matter."""
MOST_SLOTS = 300
"""Of each page, those with most words: a note stays below 48 kB."""
MIN_WORDS = 50
"""A page with less content tells nothing."""
MISFITS = 12
"""So many pages in a row that do not fit are a redesign: the old samples go."""
FIT = 0.5
"""The share of a page's likely content that must lie in known slots."""
_FORMAT = 1
_REMEMBERED = 32
"""Sites whose notes stay read: about 0.2 MB each. A crawl asks for a note with every page, and it seldom changes."""
_SURE = 5.0
_STEPS = 20
RECORD = np.dtype([("slot", "<u8"), ("odds", "i1")])

_LINKED = 0.8
"""So much of a block's words make it a link."""

Floats = NDArray[np.float64]
Slots = NDArray[np.uint64]

_part = compiled("slots")


@dataclass(frozen=True, slots=True, eq=False)
class SlotEvidence:
    """What other pages of the site say about a page's blocks."""

    pages: Floats
    """On how many of them a block's slot is."""
    odds: Floats
    """Its mean log-odds there."""
    fit: float
    """How much of the page's likely content lies in known slots."""
    alike: int
    """How many of the pages have the slot of likely content that most of them have: those of the same template."""
    samples: int
    """How many pages there are."""

    @property
    def noise(self) -> NDArray[np.bool_]:
        """Which blocks stand where several of the pages have what is no content."""
        return np.asarray((self.pages >= 2) & (self.odds < 0))

    @property
    def fits(self) -> bool:
        """Whether the page is of a template that a quarter of the pages have: a redesign is of none."""
        return self.fit >= FIT and 4 * self.alike >= self.samples


@dataclass(frozen=True, slots=True)
class SlotWeights:
    """How much slots count, in log-odds. Chosen by trials on the sites that it is measured on."""

    down: float = 0.7
    """Of the distance to a slot that is less likely content than the block …"""
    up: float = 0.4
    """… and to one that is more likely: a lost paragraph is dearer, but the block itself knows better."""
    elsewhere: float = 1.0
    """Against what lies in no slot that is known to hold content."""
    content: float = 1.0
    """The log-odds from which on a slot holds content."""
    most: float = 2.5
    """What slots can change at all: a block of which the model is sure stays what it is."""
    min_pages: int = 2
    full_pages: int = 3
    """Known pages of the site from which on slots count at all, and in full."""


@dataclass(slots=True)
class SlotSamples:
    """The note on a site."""

    pages: dict[str, bytes] = field(default_factory=dict)
    misfits: int = 0

    def add(self, url: str, record: bytes, *, fits: bool) -> bool:
        """Take a page as a sample; false where that changes nothing."""
        before = (dict(self.pages), self.misfits)
        self.misfits = 0 if fits or len(self.pages) < SAMPLES else self.misfits + 1
        if self.misfits >= MISFITS:
            self.pages, self.misfits = {}, 0
        self.pages[xxh32_hexdigest(url.encode("utf-8", "surrogatepass"))] = record
        self.pages = dict(sorted(self.pages.items())[:SAMPLES])
        return (self.pages, self.misfits) != before

    def has_no_use_for(self, url: str, *, fits: bool) -> bool:
        """Whether ``add`` would change nothing, whatever the page's record is: on known sites that of most pages."""
        full = fits and not self.misfits and len(self.pages) == SAMPLES
        return full and xxh32_hexdigest(url.encode("utf-8", "surrogatepass")) > max(self.pages)

    def to_text(self) -> str:
        packed = {url: b64encode(record).decode() for url, record in self.pages.items()}
        text = json.dumps({"format": _FORMAT, "pages": packed, "misfits": self.misfits})
        _notes.put(text, (tuple(self.pages.items()), self.misfits))
        return text

    @classmethod
    def from_text(cls, text: str | None) -> SlotSamples:
        """Starts afresh where there is nothing, or something of another version."""
        pages, misfits = _notes.read(text) if text else ((), 0)
        return cls(dict(pages), misfits)

    def others(self, url: str) -> list[bytes]:
        own = xxh32_hexdigest(url.encode("utf-8", "surrogatepass"))
        return [record for known, record in self.pages.items() if known != own]


_Note = tuple[tuple[tuple[str, bytes], ...], int]
"""Samples and misfits."""


class _Notes:
    """What the last notes say that were read or written: what is written is read with the site's next page."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, _Note] = OrderedDict()
        self._turn = Lock()

    def read(self, text: str) -> _Note:
        with self._turn:
            found = self._found.get(text)
            if found is not None:
                self._found.move_to_end(text)
                return found
        found = _read_note(text)
        self.put(text, found)
        return found

    def put(self, text: str, note: _Note) -> None:
        with self._turn:
            self._found[text] = note
            if len(self._found) > _REMEMBERED:
                self._found.popitem(last=False)


_notes = _Notes()


def _read_note(text: str) -> _Note:
    try:
        stored = json.loads(text)
        if stored.get("format") != _FORMAT:
            return (), 0
        pages = tuple((str(url), b64decode(record)) for url, record in stored["pages"].items())
        if any(len(record) % RECORD.itemsize for _, record in pages):
            return (), 0
        return pages, int(stored["misfits"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return (), 0


class SlotTable(NamedTuple):
    """What samples say, slot by slot."""

    slots: NDArray[np.uint64]
    pages: NDArray[np.int64]
    odds: Floats


@lru_cache(maxsize=_REMEMBERED)
def slot_table(records: tuple[bytes, ...]) -> SlotTable:
    """The slots of some records, sorted, on how many of them each is, and its mean log-odds there."""
    table = np.frombuffer(b"".join(records), RECORD)
    slots, place = np.unique(table["slot"], return_inverse=True)
    pages = np.bincount(place)
    return SlotTable(slots, pages, np.bincount(place, table["odds"]) / _STEPS / pages)


def log_odds(probabilities: Matrix) -> Floats:
    # Two plain passes take a third of the time of ``clip``.
    p = np.minimum(np.maximum(probabilities.astype(np.float64), 0.005), 0.995)
    found: Floats = np.log(p / (1 - p))
    return found


def block_slots(page: Page) -> Slots:
    """The slot of each block; a text that is a link is in another one than plain text."""
    known: bytes | None = page.remembered(BLOCK_SLOTS)
    if known is None:
        layout = page.layout_of(TextLayout)
        columns = layout.container, layout.link_words, layout.measures.words
        known = page.remember(BLOCK_SLOTS, _block_slots(*columns, container_slots(layout), _LINKED).tobytes())
    return np.frombuffer(known, np.uint64)


def block_slots_in_python(container: Ints, link_words: Ints, words: Ints, slots: Ints, linked: float) -> Slots:
    is_link = link_words >= linked * np.maximum(words, 1)
    return (slots[container] * 2 + is_link).astype(np.uint64)


def slot_record(slots: NDArray[np.uint64], odds: Floats, words: Floats) -> bytes:
    """The mean log-odds of a page's slots, by words, in nine bytes each."""
    found, place = np.unique(slots, return_inverse=True)
    weight = np.bincount(place, words)
    mean = np.bincount(place, words * odds) / np.maximum(weight, 1e-9)
    most = np.sort(np.argsort(-weight, kind="stable")[:MOST_SLOTS])
    record = np.empty(len(most), RECORD)
    record["slot"] = found[most]
    record["odds"] = np.rint(_STEPS * np.clip(mean[most], -_SURE, _SURE))
    return record.tobytes()


def slot_evidence(slots: Slots, odds: Floats, words: Floats, records: Sequence[bytes]) -> SlotEvidence | None:
    """What the records of other pages say; None where they are none."""
    table = slot_table(tuple(records))
    if not len(table.slots):
        return None
    pages, mean, fit, alike = _looked_up(slots, odds, words, table.slots, table.pages, table.odds)
    return SlotEvidence(pages, mean, fit, alike, len(records))


def looked_up_in_python(
    slots: Slots, odds: Floats, words: Floats, known: Slots, known_pages: Ints, known_odds: Floats
) -> tuple[Floats, Floats, float, int]:
    """For each block on how many pages its slot is, and its mean odds there; the share of the words of likely content
    that lies in such slots, and the most pages that one of them is on. ``known`` is sorted."""
    at = np.minimum(np.searchsorted(known, slots), len(known) - 1)
    found = known[at] == slots
    likely = words * (odds > 0)
    fit = float(likely[found].sum() / max(likely.sum(), 1.0))
    pages = np.where(found, known_pages[at], 0).astype(np.float64)
    alike = int(pages[likely > 0].max(initial=0))
    return pages, np.where(found, known_odds[at], 0.0), fit, alike


def with_slots(odds: Floats, evidence: SlotEvidence, weights: SlotWeights) -> Floats:
    """A page's log-odds in the light of its slots; as they are where the page does not fit what is known."""
    if evidence.fit < FIT or evidence.samples < weights.min_pages:
        return odds
    trust = min(1.0, evidence.samples / weights.full_pages)
    bounds = weights.down, weights.up, weights.elsewhere, weights.content, weights.most
    return _with_slots(odds, evidence.pages, evidence.odds, evidence.fit, trust, *bounds)


def with_slots_in_python(
    odds: Floats,
    pages: Floats,
    known_odds: Floats,
    fit: float,
    trust: float,
    down: float,
    up: float,
    elsewhere: float,
    content: float,
    most: float,
) -> Floats:
    known = pages > 0
    distance = np.where(known, known_odds - odds, 0.0)
    pull = np.where(distance < 0, down, up) * pages / (pages + 1)
    doubt = np.where(known, known_odds < content, fit)
    change = trust * (pull * distance - elsewhere * doubt)
    return np.asarray(odds + np.clip(change, -most, most))


_block_slots = block_slots_in_python if _part is None else _part.block_slots
_looked_up = looked_up_in_python if _part is None else _part.looked_up
_with_slots = with_slots_in_python if _part is None else _part.with_slots

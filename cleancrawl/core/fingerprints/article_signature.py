"""Fingerprints of whole articles: how the same story is found again under another URL or on another site.

MinHash (Broder 1997) over shingles of four words. A simhash of the document moves by more than a few bits when a tenth
of the sentences goes; the share of equal MinHash values is an estimate of the share of common shingles itself, so it
falls in proportion to the edit. Bands of three values (Indyk and Motwani 1998) find candidates by equal keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.fingerprints.simhash import Ints, WordDigests, word_digests
from cleancrawl.core.native import compiled

_part = compiled("page_digests")

VERSION = 2
"""Of tokenizer, shingles and hashes: part of every key, so that versions never match each other."""
SHINGLE = 4
BANDS = 12
ROWS = 3
"""Values per band: 12 bands of 3 find a pair that shares 60 % of its shingles with probability .95, 75 % with .998."""
HASHES = 64
SAME = 0.45
"""Least estimated share of common shingles at which two articles are one story."""
MIN_WORDS = 20
"""Shorter texts (captions, alerts) are told apart by nothing."""
MOST_WORDS = 50_000
"""Of a longer text, a book or a hostile page, only the beginning counts."""
_CHUNK = 4096

UInts = NDArray[np.uint64]


class Signature(NamedTuple):
    """An article's document fingerprint: what its near-duplicates are found by."""

    keys: tuple[int, ...]
    """Band keys of 63 bits, which every database holds as integers; two articles that share one are candidates."""
    data: bytes
    """What the comparison of two candidates needs: 16 bits of each MinHash value."""


class HasSignature(Protocol):
    @property
    def data(self) -> bytes: ...


Other = TypeVar("Other", bound=HasSignature)


def signature(text: str) -> Signature | None:
    """The fingerprint of an article's text; None where it is too short to have one.

    >>> story = "The council of the harbour town met on Monday to talk about the price of ice cream in the summer. "
    >>> one, two = signature(story), signature("Agency. " + story)
    >>> len(one.keys), similarity(one.data, one.data), similarity(one.data, two.data) > 0.8
    (12, 1.0, True)
    """
    return signature_of(word_digests(text))


def signature_of(words: WordDigests) -> Signature | None:
    """``signature`` of a text whose words are known already."""
    numbers = words.numbers[:MOST_WORDS]
    if len(numbers) < MIN_WORDS:
        return None
    return Signature._make(signed(numbers, words.digests, *signing()))


def similarity(first: bytes, second: bytes) -> float:
    """The estimated share of common shingles, 0 where the two cannot be compared; standard error at most .063."""
    if len(first) != len(second) or not first:
        return 0.0
    same = int(np.count_nonzero(np.frombuffer(first, "<u2") == np.frombuffer(second, "<u2")))
    return 2 * same / len(first)


def first_same(
    data: bytes, candidates: Iterable[Other], same: float = SAME, where: Callable[[Other], bool] = lambda other: True
) -> Other | None:
    """The first of the candidates that is the same story."""
    return next(all_same(data, candidates, same, where), None)


def all_same(
    data: bytes, candidates: Iterable[Other], same: float = SAME, where: Callable[[Other], bool] = lambda other: True
) -> Iterator[Other]:
    """The candidates that are the same story, compared as they are asked for."""
    return (other for other in candidates if where(other) and similarity(data, other.data) >= same)


def least_hashes(numbers: Ints, digests: bytes, shingle: int, masks: UInts, multipliers: UInts) -> UInts:
    """MinHash: the least value of each hash function over all runs of ``shingle`` words, numbers of digests."""
    hashes = np.frombuffer(digests, dtype=">u8").astype(np.uint64)[numbers]
    count = len(hashes) - shingle + 1
    runs = np.zeros(count, dtype=np.uint64)
    for offset in range(shingle):
        runs = _mix(runs ^ hashes[offset : offset + count])
    least = np.full(len(masks), np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, len(runs), _CHUNK):
        part = (runs[start : start + _CHUNK, None] ^ masks) * multipliers
        least = np.minimum(least, part.min(axis=0))
    return least


def signed_in_python(
    numbers: Ints, digests: bytes, shingle: int, masks: UInts, multipliers: UInts, bands: int, rows: int, first: int
) -> tuple[tuple[int, ...], bytes]:
    """A key for each band of so many least hashes, and what is kept of each; ``first`` begins the key of the first."""
    # The least of many values has leading zeros: mix again, so that each of its bits tells something.
    values = _mix(least_hashes(numbers, digests, shingle, masks, multipliers))
    banded = values[: bands * rows].reshape(bands, rows)
    keys = np.arange(bands, dtype=np.uint64) + np.uint64(first)
    for row in range(rows):
        keys = _mix(keys ^ banded[:, row])
    return tuple((keys >> np.uint64(1)).tolist()), (values & np.uint64(0xFFFF)).astype("<u2").tobytes()


signed: Callable[[Ints, bytes, int, UInts, UInts, int, int, int], tuple[tuple[int, ...], bytes]] = (
    signed_in_python if _part is None else _part.signed
)


def signing() -> tuple[int, UInts, UInts, int, int, int]:
    """What ``signed`` is told."""
    return SHINGLE, *_parameters(), BANDS, ROWS, VERSION << 32


@cache
def _parameters() -> tuple[UInts, UInts]:
    seeds = _mix(np.arange(1, 2 * HASHES + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    return seeds[:HASHES], seeds[HASHES:] | np.uint64(1)


def _mix(values: UInts) -> UInts:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))

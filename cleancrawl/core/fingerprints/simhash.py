"""The proximity simhash (METHODS A5, A6), for all blocks of a page in one batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh64_digest, xxh64_intdigest

from cleancrawl.core.native import compiled
from cleancrawl.core.text.words import BYTE_EDGES, TYPOGRAPHIC, byte_text

_part = compiled("fingerprints")

PAIR_BUDGET = 50_000_000
"""Pairs of positions compared for one page at most (about half a second); beyond it the window shrinks to fit."""

_FIXED_POINT = float(1 << 32)
_CHUNK = 1 << 14
_BUCKET = 64

Term = TypeVar("Term", str, bytes)
Ints = NDArray[np.int64]
Bits = NDArray[np.uint8]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the distinct terms of many blocks: parallel arrays, sorted by block."""

    block: Ints
    term: Ints
    weight: Floats
    vocabulary: list[str]

    def of(self, block: int) -> dict[str, float]:
        chosen = np.flatnonzero(self.block == block)
        return {self.vocabulary[self.term[i]]: float(self.weight[i]) for i in chosen}


def hash_term(term: str) -> int:
    """xxHash64 with seed 0 of the UTF-8 bytes.

    >>> hex(hash_term("a"))
    '0xd24ec4f1a98c6e5b'
    """
    return xxh64_intdigest(term.encode("utf-8", "surrogatepass"))


def hamming(first: int, second: int) -> int:
    """In how many bits two fingerprints differ.

    >>> hamming(0b1011, 0b0010)
    2
    """
    return (first ^ second).bit_count()


def proximity_weights(blocks: Sequence[Sequence[str]], window: int | None = None) -> Weights:
    """METHODS A5 for all blocks at once: frequency plus closeness of the terms, over the number of distinct terms.

    ``window`` bounds the distance of a pair: None is exact and quadratic, 0 leaves the plain frequencies.

    >>> weights = proximity_weights(["a b c d a b a c a b d".split()]).of(0)
    >>> [round(weights[term], 6) for term in "abcd"]
    [2.333333, 1.833333, 1.416667, 0.9375]
    """
    vocabulary, term = numbered([t for ts in blocks for t in ts])
    sizes = np.array([len(ts) for ts in blocks], dtype=np.int64)
    return Weights(*weigh(term, sizes, len(vocabulary), window), vocabulary)


def numbered(found: Sequence[Term]) -> tuple[list[Term], Ints]:
    """The distinct terms in the order of their first occurrence, and the number of each occurrence among them.

    >>> vocabulary, numbers = numbered("a b a c".split())
    >>> vocabulary, numbers.tolist()
    (['a', 'b', 'c'], [0, 1, 0, 2])
    """
    numbers = dict.fromkeys(found, 0)
    for number, term in enumerate(numbers):
        numbers[term] = number
    return list(numbers), np.fromiter(map(numbers.__getitem__, found), dtype=np.int64, count=len(found))


class WordDigests(NamedTuple):
    """The words of a text for fingerprints: numbers in their order, and the digest of each distinct one."""

    numbers: Ints
    digests: bytes


@lru_cache(maxsize=1)
def word_digests(text: str) -> WordDigests:
    """Remembered for one text: in a crawl an article's is asked for twice in a row, for its signature and its content.

    >>> found = word_digests("One two, one.")
    >>> found.numbers.tolist(), found.digests == digests_of([b"one", b"two"])
    ([0, 1, 0], True)
    """
    found = None if _part is None else _part.word_digests(text, BYTE_EDGES, TYPOGRAPHIC, byte_text)
    return word_digests_in_python(text) if found is None else WordDigests._make(found)


def word_digests_in_python(text: str) -> WordDigests:
    return byte_digests(byte_text(text))


def byte_digests(text: bytes) -> WordDigests:
    """Of the words that white space separates."""
    vocabulary, numbers = numbered(text.split())
    return WordDigests(numbers, digests_of(vocabulary))


def weigh(term: Ints, sizes: Ints, vocabulary: int, window: int | None) -> tuple[Ints, Ints, Floats]:
    """Block, term and weight of the distinct terms of each block; the terms lie block after block."""
    block = np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
    if not len(term):
        return block, term, np.zeros(0)
    key = block * vocabulary + term
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.r_[True, key[order[1:]] != key[order[:-1]]])
    sums = _pair_sums(order, starts, block, sizes, window)
    group = np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(term)]))
    # Term by term in the order of the text, as the compiled twin adds.
    total = np.bincount(group) + np.bincount(group, weights=sums[order])
    first = order[starts]
    distinct = np.bincount(block[first], minlength=len(sizes))
    return block[first], term[first], total / distinct[block[first]]


def _pair_sums(order: Ints, starts: Ints, block: Ints, sizes: Ints, window: int | None) -> Floats:
    """For each position p the sum of 1/(q − p) over its pairs.

    The walk of A5 matches p with q exactly where q is the first of its term after p and the term of p does not come
    again in between: previous(q) < p < q < next(p).
    """
    size = len(order)
    position = np.arange(size, dtype=np.int64)
    ends = np.cumsum(sizes)
    following, previous = ends[block], (ends - sizes)[block] - 1
    inner = np.ones(size, dtype=bool)
    inner[starts] = False
    later = np.flatnonzero(inner)
    following[order[later - 1]] = order[later]
    previous[order[later]] = order[later - 1]
    reach = _affordable(following - position - 1, window)
    by_reach = np.argsort(-reach, kind="stable")
    active = np.searchsorted(-reach[by_reach], -np.arange(1, int(reach.max()) + 1), side="right")
    sums = np.zeros(size)
    for distance, count in enumerate(active.tolist(), start=1):
        p = by_reach[:count]
        sums[:count] += (previous[p + distance] < p) * (1.0 / distance)
    result = np.empty(size)
    result[by_reach] = sums
    return result


def _affordable(reach: Ints, window: int | None) -> Ints:
    """The distances to look at from each position: bounded by the window and by the page's budget."""
    if window is not None:
        reach = np.minimum(reach, window)
    if int(reach.sum()) <= PAIR_BUDGET:
        return reach
    low, high = 1, int(reach.max())
    while low < high:
        middle = (low + high + 1) // 2
        if int(np.minimum(reach, middle).sum()) <= PAIR_BUDGET:
            low = middle
        else:
            high = middle - 1
    return np.minimum(reach, low)


def fingerprints(blocks: Sequence[Sequence[str]], window: int | None = None) -> list[int]:
    """METHODS A6: the 64-bit simhash of each block's terms, weighted by proximity.

    >>> a, b = fingerprints([["core", "content"], ["core", "content"]])
    >>> a == b
    True
    """
    weights = proximity_weights(blocks, window)
    digests = digests_of(term.encode("utf-8", "surrogatepass") for term in weights.vocabulary)
    return simhashes(len(blocks), weights.block, weights.term, weights.weight, term_bits(digests))


def digests_of(vocabulary: Iterable[bytes]) -> bytes:
    """Eight bytes per term: ``hash_term`` of it, the most significant one first."""
    return b"".join(map(xxh64_digest, vocabulary))


def term_bits(digests: bytes) -> Bits:
    """A row of 64 zeros and ones per term, the most significant bit first."""
    return np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(-1, 8), axis=1)


def proximity_prints(term: Ints, sizes: Ints, digests: bytes, window: int) -> list[int]:
    """The simhashes of blocks whose terms, numbers of digests, lie block after block; weights of near pairs."""
    if _part is None or len(term) * window > PAIR_BUDGET:
        return proximity_prints_in_python(term, sizes, digests, window)
    found: list[int] = _part.proximity_prints(term, sizes, digests, window)
    return found


def proximity_prints_in_python(term: Ints, sizes: Ints, digests: bytes, window: int) -> list[int]:
    return simhashes(len(sizes), *weigh(term, sizes, len(digests) // 8, window), term_bits(digests))


def frequency_print_in_python(counts: Ints, digests: bytes) -> int:
    """The simhash of terms that weigh as much as they are often."""
    return packed(2 * (counts @ term_bits(digests))[None, :] > counts.sum())[0]


frequency_print: Callable[[Ints, bytes], int] = frequency_print_in_python if _part is None else _part.frequency_print


def simhashes(blocks: int, block: Ints, term: Ints, weight: Floats, bits: Bits) -> list[int]:
    # Fixed point: sums of integers do not depend on their order, so nor do bits that are close to a tie.
    fixed = np.rint(weight * _FIXED_POINT).astype(np.int64)
    sums = np.zeros((blocks, 64), dtype=np.int64)
    for start in range(0, len(fixed), _CHUNK):
        part = slice(start, start + _CHUNK)
        firsts = np.flatnonzero(np.r_[True, block[part][1:] != block[part][:-1]])
        ones = np.add.reduceat(bits[term[part]] * fixed[part, None], firsts, axis=0)
        # Adding where a bit is 1 and subtracting where it is 0 gives twice the ones' weight less the whole.
        sums[block[part][firsts]] += 2 * ones - np.add.reduceat(fixed[part], firsts)[:, None]
    return packed(sums > 0)


def packed(rows: NDArray[np.bool_]) -> list[int]:
    return np.packbits(rows, axis=1).view(">u8").ravel().tolist()


def first_near(prints: Sequence[int | None], distance: int = 3) -> list[int | None]:
    """For each fingerprint the index of the first one before it at most ``distance`` bits away; None where it is new.

    Of ``distance + 1`` bands at least one is equal between near-duplicates, so only those are compared. Only first
    ones are kept as candidates, and a bounded number of them per band: a hostile page costs no square.

    >>> first_near([0b1111, 0b0111, None, 0b1000_0000_0000, 0], distance=1)
    [None, 0, None, None, 3]
    """
    bands = distance + 1
    width = -(-64 // bands)
    mask = (1 << width) - 1
    buckets: dict[tuple[int, int], list[int]] = {}
    found: list[int | None] = []
    for index, value in enumerate(prints):
        match = None
        if value is not None:
            keys = [(band, value >> band * width & mask) for band in range(bands)]
            near = (c for key in keys for c in buckets.get(key, ()) if hamming(value, prints[c] or 0) <= distance)
            match = min(near, default=None)
            if match is None:
                for key in keys:
                    bucket = buckets.setdefault(key, [])
                    if len(bucket) < _BUCKET:
                        bucket.append(index)
        found.append(match)
    return found

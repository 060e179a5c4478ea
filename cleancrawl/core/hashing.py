"""Fingerprints of blocks, made for all blocks of a page in one batch (METHODS A5, A6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh64_intdigest

from cleancrawl.core.page import Page
from cleancrawl.core.text import normalise, terms

FINGERPRINT_VERSION = 1
"""Of tokenizer, normalisation and hash together: stores never mix fingerprints of two versions."""

NEAR_WINDOW = 16
"""Distance up to which stored fingerprints look for pairs of terms."""
MIN_TERMS = 8
"""Blocks with fewer terms have unstable fingerprints and are compared by their exact text."""
PAIR_BUDGET = 50_000_000
"""Pairs of positions compared for one page at most (about half a second); beyond it the window shrinks to fit."""

_NUMBER = re.compile(r"\d+")
_COUNTER_WORDS = 12
_FIXED_POINT = float(1 << 32)
_CHUNK = 1 << 14
_BUCKET = 64
_LINKED = (1 << 64) - 1
"""Turns the fingerprint of a text into that of a link with this text, as far from it as can be."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Prints:
    """Fingerprints of a page's blocks, in the order of ``page.blocks``."""

    exact: Sequence[int]
    """64-bit xxHash of each block's normalised text."""
    near: Callable[[Sequence[int]], Sequence[int | None]]
    """Proximity simhashes of the blocks at these indices, made on demand; None where a block is too short for one."""
    samples: Sequence[str] = ()
    """The blocks' texts, for people who look into the store."""


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
    vocabulary: dict[str, int] = {}
    number = vocabulary.setdefault
    term = np.array([number(t, len(vocabulary)) for ts in blocks for t in ts], dtype=np.int64)
    sizes = np.array([len(ts) for ts in blocks], dtype=np.int64)
    block = np.repeat(np.arange(len(blocks), dtype=np.int64), sizes)
    if not len(term):
        return Weights(block, term, np.zeros(0), [])
    key = block * len(vocabulary) + term
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.r_[True, key[order[1:]] != key[order[:-1]]])
    sums = _pair_sums(order, starts, block, sizes, window)
    total = np.diff(np.r_[starts, len(term)]) + np.add.reduceat(sums[order], starts)
    first = order[starts]
    distinct = np.bincount(block[first], minlength=len(blocks))
    return Weights(block[first], term[first], total / distinct[block[first]], list(vocabulary))


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
    hashes = np.array([hash_term(term) for term in weights.vocabulary], dtype=np.uint64)
    # Fixed point: sums of integers do not depend on their order, so nor do bits that are close to a tie.
    fixed = np.rint(weights.weight * _FIXED_POINT).astype(np.int64)
    sums = np.zeros((len(blocks), 64), dtype=np.int64)
    for start in range(0, len(fixed), _CHUNK):
        part = slice(start, start + _CHUNK)
        octets = hashes[weights.term[part]].astype(">u8").view(np.uint8).reshape(-1, 8)
        signed = np.unpackbits(octets, axis=1).astype(np.int64) * 2 - 1
        block = weights.block[part]
        firsts = np.flatnonzero(np.r_[True, block[1:] != block[:-1]])
        sums[block[firsts]] += np.add.reduceat(signed * fixed[part, None], firsts, axis=0)
    return [int.from_bytes(row.tobytes(), "big") for row in np.packbits(sums > 0, axis=1)]


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


def exact_keys(texts: Iterable[str]) -> list[int]:
    """One key per text; white space and letter case do not count, nor do the numbers in a short text with words.

    Counters and dates change from page to page in what is otherwise the same line of a template.

    >>> a, b, c, d, e = exact_keys(["Read  more", "read more", "12 comments", "7 comments", "12"])
    >>> a == b, c == d, d == e
    (True, True, False)
    """
    return [hash_term(_masked(normalise(text).lower())) for text in texts]


def _masked(text: str) -> str:
    if text.count(" ") >= _COUNTER_WORDS:
        return text
    masked = _NUMBER.sub("0", text)
    return masked if any(character.isalpha() for character in masked) else text


def near_prints(
    texts: Sequence[str],
    stop_words: AbstractSet[str] = frozenset(),
    *,
    window: int | None = NEAR_WINDOW,
    min_terms: int = MIN_TERMS,
) -> list[int | None]:
    """The fingerprints of some texts in one batch; None where a text has too few terms for a stable one."""
    term_lists = [terms(text, stop_words) for text in texts]
    chosen = [index for index, found in enumerate(term_lists) if len(found) >= min_terms]
    prints: list[int | None] = [None] * len(texts)
    for index, value in zip(chosen, fingerprints([term_lists[i] for i in chosen], window), strict=True):
        prints[index] = value
    return prints


def page_prints(page: Page) -> Prints:
    """What a store is asked about, and remembers of, a page. Costs one hash per block until ``near`` is called.

    A link and plain text are not the same block: a headline that other pages link to is no noise where it stands.
    """
    texts = [block.text for block in page.blocks]
    masks = [_LINKED if block.link_words * 2 > block.words else 0 for block in page.blocks]
    made: dict[int, int | None] = {}

    def near(indices: Sequence[int]) -> list[int | None]:
        missing = [index for index in indices if index not in made]
        for index, value in zip(missing, near_prints([texts[i] for i in missing]), strict=True):
            made[index] = None if value is None else value ^ masks[index]
        return [made[index] for index in indices]

    return Prints([key ^ mask for key, mask in zip(exact_keys(texts), masks, strict=True)], near, texts)


def content_print(page: Page) -> int:
    """The fingerprint of a page's kept text, by term frequencies; 0 where nothing is kept."""
    text = "\n".join(block.text for block in page.kept)
    if not text:
        return 0
    return near_prints([text], window=0)[0] or exact_keys([text])[0]

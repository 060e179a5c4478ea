"""What tells blocks and pages apart: exact keys, fingerprints of blocks (METHODS A6), the fingerprint of a content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh64_intdigest

from cleancrawl.core.fingerprints.simhash import (
    PAIR_BUDGET,
    WordDigests,
    byte_digests,
    fingerprints,
    frequency_print,
    proximity_prints,
    word_digests,
)
from cleancrawl.core.fingerprints.url_sections import section_number
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.site import host_of, registrable_domain
from cleancrawl.core.text.words import BYTE_EDGES, TYPOGRAPHIC, byte_text, collapse, terms

_part = compiled("fingerprints")

UInts = NDArray[np.uint64]

FINGERPRINT_VERSION = 3
"""Of tokenizer, normalisation and hash together: stores never mix fingerprints of two versions."""

NEAR_WINDOW = 16
"""Distance up to which stored fingerprints look for pairs of terms."""
MIN_TERMS = 8
"""Blocks with fewer terms have unstable fingerprints and are compared by their exact text."""
STORED_TERMS = 16
"""The same for stores, which pay for every fingerprint: of shorter blocks in which one word changes only one in six is
found by it, of those with 40 words two in three."""

_NUMBER = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_COUNTER_WORDS = 12
_NO_DIGITS = bytes(set(range(128)) - set(b"0123456789"))
"""Bytes that are part of no digit in UTF-8."""
_BORDER = "\0"
"""A word between two texts."""
_SAME_PAGES = frozenset({"", "www", "m", "mobile", "amp"})
"""Names of hosts below the registrable domain that show the same pages once more: their copies are one page."""
_LINKED = (1 << 64) - 1
"""Turns the fingerprint of a text into that of a link with this text, as far from it as can be."""


@dataclass(frozen=True, slots=True)
class Prints:
    """Fingerprints of a page's blocks, in the order of ``page.blocks``."""

    exact: Sequence[int]
    """64-bit xxHash of each block's normalised text."""
    near: Callable[[Sequence[int]], Sequence[int | None]]
    """Proximity simhashes of the blocks at these indices, made on demand; None where a block is too short for one."""
    samples: Sequence[str] = ()
    """The blocks' texts, for people who look into the store."""
    sections: Sequence[int] = ()
    """The number of the page's section where a block is running text, else 0."""


def exact_keys(texts: Iterable[str]) -> list[int]:
    """One key per text; white space and letter case do not count, nor do the numbers in a short text with words.

    Counters and dates change from page to page in what is otherwise the same line of a template.

    >>> a, b, c, d, e = exact_keys(["Read  more", "read more", "12 comments", "7 comments", "12"])
    >>> a == b, c == d, d == e
    (True, True, False)
    """
    found: list[int] = key_column(list(texts)).tolist()
    return found


def key_column(texts: list[str]) -> UInts:
    """``exact_keys`` as an array."""
    if _part is None:
        return np.array(list(map(exact_key, texts)), dtype=np.uint64)
    found: UInts = _part.exact_keys(texts, _COUNTER_WORDS, exact_key)
    return found


def exact_key(text: str) -> int:
    text = collapse(text).lower()
    found = text.encode("utf-8", "surrogatepass")
    # Whether there may be a digit, which is soon told of bytes, and of most texts.
    if text.count(" ") < _COUNTER_WORDS and found.translate(None, _NO_DIGITS):
        found = _masked(text).encode("utf-8", "surrogatepass")
    return xxh64_intdigest(found)


def _masked(text: str) -> str:
    masked = _NUMBER.sub("0", text)
    return masked if masked == text or _LETTER.search(masked) else text


def near_prints(
    texts: Sequence[str],
    stop_words: AbstractSet[str] = frozenset(),
    *,
    window: int | None = None,
    min_terms: int = MIN_TERMS,
) -> list[int | None]:
    """The paper's fingerprints of some texts in one batch; None where a text has too few terms for a stable one."""
    term_lists = [terms(text, stop_words) for text in texts]
    chosen = [index for index, found in enumerate(term_lists) if len(found) >= min_terms]
    prints: list[int | None] = [None] * len(texts)
    for index, value in zip(chosen, fingerprints([term_lists[i] for i in chosen], window), strict=True):
        prints[index] = value
    return prints


def stored_prints(texts: Sequence[str]) -> list[int | None]:
    """The fingerprints that stores compare, None where a text is too short: weights of near pairs, no stemming.

    A template repeats its words as they are, so that stems would find nothing more; they cost more than all the rest.

    >>> line = "Read all about it in our daily letter, which comes by mail each morning before you wake up."
    >>> few, one, other = stored_prints(["a few words", line, line.lower().replace(",", ";")])
    >>> few is None, one == other
    (True, True)
    """
    found, long = near_columns(list(texts))
    return [value if is_long else None for value, is_long in zip(found.tolist(), long.tolist(), strict=True)]


def near_columns(texts: list[str]) -> tuple[UInts, NDArray[np.bool_]]:
    """``stored_prints`` as an array, 0 where there is none; and where there is one."""
    found: tuple[UInts, NDArray[np.bool_]] | None = None
    if _part is not None:
        edges = (BYTE_EDGES, TYPOGRAPHIC, byte_text)
        found = _part.stored_prints(texts, STORED_TERMS, *edges, NEAR_WINDOW, PAIR_BUDGET)
    if found is not None:
        return found
    prints = stored_prints_in_python(texts)
    long = np.array([value is not None for value in prints], dtype=np.bool_)
    return np.array([value or 0 for value in prints], dtype=np.uint64), long


def stored_prints_in_python(texts: Sequence[str]) -> list[int | None]:
    prints: list[int | None] = [None] * len(texts)
    chosen = [index for index, text in enumerate(texts) if _may_be_long(text)]
    if not chosen:
        return prints
    # All texts at once: a call per page costs a third of a call per text.
    joined = f" {_BORDER} ".join(["", *(texts[index].replace(_BORDER, " ") for index in chosen)])
    term, digests = byte_digests(byte_text(joined))
    borders = np.flatnonzero(term == 0)
    sizes = np.diff(np.r_[borders, len(term)]) - 1
    long = sizes >= STORED_TERMS
    inside = np.repeat(long, sizes + 1)
    inside[borders] = False
    found = proximity_prints(term[inside], sizes[long], digests, NEAR_WINDOW)
    for place, value in zip(np.flatnonzero(long).tolist(), found, strict=True):
        prints[chosen[place]] = value
    return prints


def _may_be_long(text: str) -> bool:
    # Cheaper than to cut it into words. Scripts without spaces have a word per character.
    return len(text) >= STORED_TERMS and (not text.isascii() or text.count(" ") >= STORED_TERMS - 1)


def page_prints(page: Page) -> Prints:
    """What a store is asked about, and remembers of, a page. Costs one hash per block until ``near`` is called.

    A link and plain text are not the same block: a headline that other pages link to is no noise where it stands. Nor
    is running text on two hosts: what a blog of the portal quotes is no noise of the portal.
    """
    texts = [block.text for block in page.blocks]
    masked, sections = _masks(page)
    masks: list[int] = masked.tolist()
    exact: list[int] = (key_column(texts) ^ masked).tolist()
    made: dict[int, int | None] = {}

    def near(indices: Sequence[int]) -> list[int | None]:
        missing = [index for index in indices if index not in made]
        for index, value in zip(missing, stored_prints([texts[i] for i in missing]), strict=True):
            made[index] = None if value is None else value ^ masks[index]
        return [made[index] for index in indices]

    return Prints(exact, near, texts, sections.tolist())


def _masks(page: Page) -> tuple[UInts, NDArray[np.int64]]:
    """What sets the fingerprints of each block apart, and its section, where it is running text."""
    layout, blocks = page.layout, page.blocks
    if isinstance(layout, TextLayout) and len(layout.link_words) == len(blocks):
        words, link_words = layout.measures.words, layout.link_words
    else:
        words = np.array([block.words for block in blocks], dtype=np.int64)
        link_words = np.array([block.link_words for block in blocks], dtype=np.int64)
    linked = 2 * link_words > words
    running = (words >= MIN_TERMS) & ~linked
    masks = np.where(linked, np.uint64(_LINKED), np.where(running, np.uint64(host_mask(page.url)), np.uint64(0)))
    return masks, running * section_number(page.url)


class PrintColumns(NamedTuple):
    """What ``page_prints`` gives, as arrays over all blocks of a page."""

    exact: UInts
    near: UInts
    """0 where a block is too short for one …"""
    long: NDArray[np.bool_]
    """… and whether it is not."""
    sections: NDArray[np.int64]


def print_columns(
    page: Page, texts: list[str] | None = None, near: tuple[UInts, NDArray[np.bool_]] | None = None
) -> PrintColumns:
    """``page_prints`` of a page whose blocks are all asked for: without a step of Python's for each of them.

    ``texts`` are those of its blocks, and ``near`` is their ``near_columns``, where they are known already.
    """
    texts = texts or [block.text for block in page.blocks]
    masks, sections = _masks(page)
    values, long = near or near_columns(texts)
    return PrintColumns(key_column(texts) ^ masks, np.where(long, values ^ masks, np.uint64(0)), long, sections)


@lru_cache(maxsize=1024)
def _mask_of(host: str) -> int:
    domain, bare = registrable_domain(host), host.partition(":")[0]
    front = bare.removesuffix(domain.partition(":")[0]).removesuffix(".")
    return 0 if front in _SAME_PAGES else xxh64_intdigest(host.encode("utf-8", "surrogatepass"))


def host_mask(url: str | None) -> int:
    """What sets the running text of a host apart; 0 for the hosts on which a site shows its own pages.

    >>> [host_mask(f"https://{host}/a") for host in ("site.com", "www.site.com", "amp.site.com", "127.0.0.1:80")]
    [0, 0, 0, 0]
    >>> host_mask("https://blogs.site.com/") in (0, host_mask("https://www.blogs.site.com/"))
    False
    """
    return _mask_of(host_of(url)) if url else 0


def content_print(page: Page, words: WordDigests | None = None) -> int:
    """The fingerprint of a page's kept text, by the frequencies of its words; 0 where nothing is kept.

    ``words`` are those of the text, where they are known already.
    """
    text = "\n".join([block.text for block in page.blocks if block.removed is None])
    if not text:
        return 0
    words = words or word_digests(text)
    if len(words.numbers) < MIN_TERMS:
        return exact_keys([text])[0]
    return frequency_print(np.bincount(words.numbers), words.digests)

"""In how many bits two fingerprints may differ, by use: edited blocks, blocks of real sites, articles (METHODS A6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.fingerprints.article_signature import SAME, signature, similarity
from cleancrawl.core.fingerprints.block_prints import NEAR_WINDOW, near_prints, page_prints
from cleancrawl.core.fingerprints.simhash import hamming
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.text.words import normalise
from cleancrawl.lab.bench.article_duplicates import SEED, read_stories, same_topic
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.edited_texts import BEYOND, UP_TO_A_TENTH
from cleancrawl.lab.bench.near_duplicates import EDITS, make_text_pairs
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.lab.learn.labels import align
from cleancrawl.lab.learn.site_odds import by_site
from cleancrawl.stores.protocol import Limits

BITS = 64
DISTANCES = (0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 20, 24)
STORED = Limits().blocks_per_site
_CHUNK = 512
_COMPARED = 1000
"""Blocks that are compared with each other: half a million pairs."""

Ints = NDArray[np.int64]
Prints = NDArray[np.uint64]
MakePrints = Callable[[Sequence[str]], Sequence[int | None]]
KINDS: dict[str, MakePrints] = {
    "plain": partial(near_prints, window=0, min_terms=0),
    "proximity": partial(near_prints, min_terms=0),
    "window": partial(near_prints, window=NEAR_WINDOW, min_terms=0),
}


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The tables of ``cleancrawl bench --distances``; the recipe plays no part."""
    return "\n\n".join([pair_table(pages), site_table(pages), article_table(pages)])


def as_prints(found: Sequence[int | None]) -> Prints:
    return np.array([value or 0 for value in found], dtype=np.uint64)


def least_distances(first: Prints, second: Prints, allowed: NDArray[np.bool_] | None = None) -> Ints:
    """From each print to the nearest of others, where it is allowed to be compared."""
    if not len(second):
        return np.full(len(first), BITS + 1, dtype=np.int64)
    found = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(first), _CHUNK):
        distances = np.bitwise_count(first[start : start + _CHUNK, None] ^ second).astype(np.int64)
        if allowed is not None:
            distances[~allowed[start : start + _CHUNK]] = BITS + 1
        found.append(distances.min(axis=1))
    return np.concatenate(found)


def histogram(prints: Prints, different: NDArray[np.bool_]) -> Ints:
    """How many pairs of different texts are how many bits apart."""
    counts = np.zeros(BITS + 1, dtype=np.int64)
    for start in range(0, len(prints), _CHUNK):
        distances = np.bitwise_count(prints[start : start + _CHUNK, None] ^ prints)
        counts += np.bincount(distances[different[start : start + _CHUNK]], minlength=BITS + 1)
    return counts


def candidates(distance: int, blocks: int = STORED) -> float:
    """Blocks that a look-up by ``distance + 1`` equal bands compares, among so many with evenly spread bits.

    >>> [round(candidates(distance)) for distance in (3, 5, 7)]
    [12, 781, 6250]
    """
    bands = distance + 1
    return float(sum(blocks / 2 ** ((BITS + place) // bands) for place in range(bands)))


def pair_table(pages: Sequence[GoldPage]) -> str:
    """Edited and different pairs of blocks, as in the paper's table, at each distance."""
    pairs = [pair for pair in make_text_pairs(pages) if min(len(pair.first.split()), len(pair.second.split())) >= 16]
    edits = np.array([np.nan if pair.edit is None else pair.edit for pair in pairs])
    same = ~np.isnan(edits)
    texts = list(dict.fromkeys(pair.first for pair in pairs))[:_COMPARED]
    words = [frozenset(normalise(text).lower().split()) for text in texts]
    different = np.array([[2 * len(one & other) < len(one | other) for other in words] for one in words])
    columns = {}
    for kind, make in KINDS.items():
        first = as_prints(make([pair.first for pair in pairs]))
        second = as_prints(make([pair.second for pair in pairs]))
        wrong = histogram(as_prints(make(texts)), different)
        columns[kind] = np.bitwise_count(first ^ second), np.cumsum(wrong) / max(int(wrong.sum()), 1) * STORED
    header = ["bits", *(f"{kind} {name}" for kind in columns for name in ("P", "R", "R at 1%", "R at 5%", "false"))]
    rows = []
    for distance in DISTANCES:
        cells = [str(distance)]
        for apart, false in columns.values():
            near = apart <= distance
            precision = float(near[same].sum()) / max(float(near.sum()), 1.0)
            recalls = [near[same], *(near[edits == edit] for edit in EDITS[:2])]
            cells += [share(precision), *(share(float(found.mean()) if len(found) else 0.0) for found in recalls)]
            cells.append(f"{false[distance]:,.1f}")
        rows.append([*cells, f"{candidates(distance):,.0f}"])
    title = f"### Bits against edited blocks: {int(same.sum())} edited pairs, {int((~same).sum())} different ones"
    note = f"false: different blocks within reach of one among {STORED:,}; compared: blocks that equal bands bring up"
    return f"{title}\n\n{markdown_table([*header, 'compared'], rows)}\n\n{note}"


@dataclass(frozen=True, slots=True, eq=False)
class SiteBlocks:
    """Of a site's blocks that no other page has word for word and that are long enough for a fingerprint."""

    nearest: Ints
    """Bits to the nearest block of another page."""
    content: NDArray[np.bool_]
    words: Ints


def site_blocks(pages: Sequence[GoldPage]) -> SiteBlocks:
    exact: list[int] = []
    near: list[int | None] = []
    rows: list[tuple[int, bool, int]] = []
    for number, gold in enumerate(pages):
        page = Page(gold.html(), gold.url)
        TextBlocks()(page)
        made = page_prints(page)
        exact += made.exact
        near += made.near(range(len(page.blocks)))
        labels = (align(page.blocks, gold.text or "") >= 0.5).tolist()
        rows += [(number, label, block.words) for label, block in zip(labels, page.blocks, strict=True)]
    owner, content, words = (np.array(column) for column in zip(*rows, strict=True))
    pairs = {(key, number) for key, number in zip(exact, owner.tolist(), strict=True)}
    spread = dict.fromkeys(exact, 0)
    for key, _ in pairs:
        spread[key] += 1
    printed = np.array([value is not None for value in near])
    asked = printed & np.array([spread[key] == 1 for key in exact])
    prints = as_prints(near)
    allowed = owner[asked][:, None] != owner[printed]
    return SiteBlocks(least_distances(prints[asked], prints[printed], allowed), content[asked], words[asked])


def site_table(pages: Sequence[GoldPage]) -> str:
    """What a store's look-up by fingerprint finds on labelled sites beyond the exact text."""
    sites = [site_blocks(found) for found in by_site(pages)]
    if not sites:
        return "### Bits against the blocks of sites: no site has three labelled pages"
    nearest, content, words = (
        np.concatenate([getattr(site, name) for site in sites]) for name in ("nearest", "content", "words")
    )
    rows = []
    for distance in DISTANCES:
        found = nearest <= distance
        noise, kept = found & ~content, found & content
        precision = noise.sum() / max(found.sum(), 1)
        cells = [f"{int(noise.sum()):,}", f"{int(words[noise].sum()):,}", f"{int(kept.sum()):,}"]
        rows.append([str(distance), *cells, f"{int(words[kept].sum()):,}", share(float(precision))])
    header = ["bits", "noise found", "its words", "content found", "its words", "noise among found"]
    title = (
        f"### Bits against the blocks of {len(sites)} sites: {int((~content).sum()):,} blocks of noise and"
        f" {int(content.sum()):,} of content that no other page has word for word"
    )
    return f"{title}\n\n{markdown_table(header, rows)}"


def article_table(pages: Sequence[GoldPage]) -> str:
    """Edited copies of whole articles by simhash, and by the MinHash signature that is used for them."""
    stories, _ = read_stories(pages)
    texts = [story.text for story in stories]
    topics = same_topic(texts) if texts else []
    originals = as_prints(KINDS["plain"](texts))
    moved: dict[str, list[Ints]] = {}
    known: dict[str, list[bool]] = {}
    for column, edits in {"R, edits up to 10%": UP_TO_A_TENTH, "R, larger edits": BEYOND}.items():
        for edit in edits.values():
            chance = Random(SEED)
            edited = [edit(text, chance) for text in texts]
            moved.setdefault(column, []).append(np.bitwise_count(originals ^ as_prints(KINDS["plain"](edited))))
            known.setdefault(column, []).extend(map(_same, texts, edited))
    apart = np.array([hamming(int(originals[one]), int(originals[other])) for one, other in topics])
    rows = [
        [
            f"simhash, {distance} bits",
            *(share(float((np.concatenate(found) <= distance).mean())) for found in moved.values()),
            f"{int((apart <= distance).sum()):,}",
        ]
        for distance in DISTANCES
    ]
    confused = sum(_same(texts[one], texts[other]) for one, other in topics)
    rows.append(["MinHash signature", *(share(float(np.mean(found))) for found in known.values()), f"{confused:,}"])
    title = f"### Bits against articles: {len(texts)}, and {len(topics):,} pairs of different ones about one topic"
    return f"{title}\n\n{markdown_table(['articles', *moved, 'confused pairs'], rows)}"


def _same(one: str, other: str) -> bool:
    first, second = signature(one), signature(other)
    return first is not None and second is not None and similarity(first.data, second.data) >= SAME

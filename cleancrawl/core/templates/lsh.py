"""METHODS C5, ``lsh``: candidates come from banding, 32 bands of 4 hashes; merged in rounds, best pairs first.

Each bucket links its clusters to their neighbours in it instead of all pairs, so a round has at most 32 candidates per
cluster, and rounds are few because each merges every cluster that finds a partner: about linear in the pages.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.templates.cost import Floats, description_length
from cleancrawl.core.templates.essential import Essential
from cleancrawl.core.templates.minhash import merge_equal
from cleancrawl.core.templates.signatures import Signatures, merge, signatures, statistics

BANDS, ROWS = 32, 4
_CHUNK = 512
Ints = NDArray[np.int64]


def cluster_lsh(essential: Essential, bands: int = BANDS, rows: int = ROWS) -> list[list[int]]:
    """Pages by cluster."""
    members, clusters = merge_equal(signatures(essential, bands * rows))
    shape = len(essential.paths), essential.pages
    while len(members) > 1:
        first, second = candidates(clusters, bands, rows)
        chosen = _choose(shape, clusters, first, second)
        if not len(chosen):
            break
        members = _merge_rows(members, clusters, first[chosen], second[chosen])
    return members


def _merge_rows(members: list[list[int]], clusters: Signatures, first: Ints, second: Ints) -> list[list[int]]:
    """Each second cluster goes into the row of its first; in place, as a second copy would be half of the memory."""
    for start in range(0, len(first), _CHUNK):
        rows, others = first[start : start + _CHUNK], second[start : start + _CHUNK]
        part = merge(clusters.take(rows), clusters.take(others))
        clusters.least[rows], clusters.reached[rows] = part.least, part.reached
        clusters.sizes[rows], clusters.entries[rows] = part.sizes, part.entries
    for row, other in zip(first.tolist(), second.tolist(), strict=True):
        members[row] = members[row] + members[other]
    left = np.setdiff1d(np.arange(len(members)), second)
    clusters.keep(left)
    return [members[row] for row in left.tolist()]


def candidates(clusters: Signatures, bands: int, rows: int) -> tuple[Ints, Ints]:
    """Pairs of clusters that are neighbours in a bucket of some band, each pair once."""
    count = len(clusters)
    pairs = np.zeros(0, dtype=np.int64)
    for band in range(bands):
        keys = np.ascontiguousarray(clusters.least[:, band * rows : (band + 1) * rows])
        key = keys.view(np.dtype((np.void, keys.dtype.itemsize * rows))).ravel()
        order = np.argsort(key, kind="stable")
        equal = np.flatnonzero(key[order[1:]] == key[order[:-1]])
        lower, upper = np.minimum(order[equal], order[equal + 1]), np.maximum(order[equal], order[equal + 1])
        pairs = np.union1d(pairs, lower * count + upper)
    return pairs // count, pairs % count


def _choose(shape: tuple[int, int], clusters: Signatures, first: Ints, second: Ints) -> Ints:
    """Candidates to merge in this round: best first, each cluster once, as long as each lowers the cost."""
    if not len(first):
        return np.zeros(0, dtype=np.int64)
    own = np.concatenate([statistics(clusters.take(part)) for part in _parts(np.arange(len(clusters)))], axis=1)
    totals, count = own.sum(axis=1), len(clusters)
    change = np.empty((3, len(first)), dtype=np.float32)
    costs = np.empty(len(first))
    for part in _parts(np.arange(len(first))):
        one, other = first[part], second[part]
        change[:, part] = statistics(merge(clusters.take(one), clusters.take(other))) - own[:, one] - own[:, other]
        costs[part] = description_length(*shape, count - 1, *(totals[:, None] + change[:, part]))
    cost = float(description_length(*shape, count, *totals))
    return _disjoint(shape, cost, np.argsort(costs, kind="stable"), (first, second), change, totals, count)


def _parts(rows: Ints) -> list[Ints]:
    return np.array_split(rows, -(-len(rows) // _CHUNK))


def _disjoint(
    shape: tuple[int, int],
    cost: float,
    order: Ints,
    pairs: tuple[Ints, Ints],
    change: NDArray[np.float32],
    totals: Floats,
    count: int,
) -> Ints:
    taken: set[int] = set()
    chosen = []
    for candidate in order.tolist():
        pair = {int(pairs[0][candidate]), int(pairs[1][candidate])}
        if taken & pair:
            continue
        after = totals + change[:, candidate]
        lower = float(description_length(*shape, count - 1, *after))
        if lower >= cost:
            break
        cost, totals, count = lower, after, count - 1
        taken |= pair
        chosen.append(candidate)
    return np.array(chosen, dtype=np.int64)

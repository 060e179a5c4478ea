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
_CHUNK = 4096
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
        first, second = first[chosen], second[chosen]
        merged = merge(clusters.take(first), clusters.take(second))
        left = np.setdiff1d(np.arange(len(members)), np.concatenate([first, second]))
        members = [members[a] + members[b] for a, b in zip(first.tolist(), second.tolist(), strict=True)] + [
            members[other] for other in left.tolist()
        ]
        clusters = _joined(merged, clusters.take(left))
    return members


def candidates(clusters: Signatures, bands: int, rows: int) -> tuple[Ints, Ints]:
    """Pairs of clusters that are neighbours in a bucket of some band, each pair once."""
    pairs = []
    for band in range(bands):
        keys = np.ascontiguousarray(clusters.least[:, band * rows : (band + 1) * rows])
        key = keys.view(np.dtype((np.void, keys.dtype.itemsize * rows))).ravel()
        order = np.argsort(key, kind="stable")
        equal = np.flatnonzero(key[order[1:]] == key[order[:-1]])
        pairs.append(np.stack([order[equal], order[equal + 1]]))
    found = np.sort(np.concatenate(pairs, axis=1), axis=0)
    unique: Ints = np.unique(found, axis=1)
    return unique[0], unique[1]


def _choose(shape: tuple[int, int], clusters: Signatures, first: Ints, second: Ints) -> Ints:
    """Candidates to merge in this round: best first, each cluster once, as long as each lowers the cost."""
    if not len(first):
        return np.zeros(0, dtype=np.int64)
    own = statistics(clusters)
    totals, count = own.sum(axis=1), len(clusters)
    parts = [
        statistics(merge(clusters.take(first[start : start + _CHUNK]), clusters.take(second[start : start + _CHUNK])))
        for start in range(0, len(first), _CHUNK)
    ]
    change = np.concatenate(parts, axis=1) - own[:, first] - own[:, second]
    costs = description_length(*shape, count - 1, *(totals[:, None] + change))
    cost = float(description_length(*shape, count, *totals))
    return _disjoint(shape, cost, np.argsort(costs, kind="stable"), (first, second), change, totals, count)


def _disjoint(
    shape: tuple[int, int],
    cost: float,
    order: Ints,
    pairs: tuple[Ints, Ints],
    change: Floats,
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


def _joined(first: Signatures, second: Signatures) -> Signatures:
    return Signatures(
        np.concatenate([first.least, second.least]),
        np.concatenate([first.reached, second.reached]),
        np.concatenate([first.sizes, second.sizes]),
        np.concatenate([first.entries, second.entries]),
    )

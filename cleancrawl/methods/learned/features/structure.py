"""Features of the containers around each block: where the page's good text lies, what repeats, what names hint at.

What holds for a container is worked out once per container; blocks then look it up, many measures at a time.
"""

from __future__ import annotations

import numpy as np

from cleancrawl.core.html.tags import TAG_IDS
from cleancrawl.core.native import compiled
from cleancrawl.core.rules.class_hints import hint_names
from cleancrawl.methods.learned.features.declaration import Declaration, Rows, each, flags, in_turns
from cleancrawl.methods.learned.features.facts import (
    CHARS,
    GOOD,
    LINKED_HEADINGS,
    LINKS,
    MAIN_SHARES,
    MOST,
    SUMS,
    Facts,
)
from cleancrawl.methods.learned.features.sheet import (
    LOGARITHMS,
    Bools,
    Floats,
    Ints,
    Matrix,
    Space,
    count_logarithm,
    logarithm,
    ratio,
)

_DEEPEST = 24
"""Containers around a block that are looked at."""
_NEAR = 3
"""Those of them whose names are near."""
_LEVELS = [f"level {number}" for number in range(4)]
_SIBLINGS = ("siblings 1", "siblings 2")
_OWN_TAGS = ("p", "div", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "blockquote", "figcaption", "pre", "dt", "dd")
_AROUND = (
    *("article", "main", "aside", "nav", "header", "footer", "section", "figure", "table", "ul", "ol", "form"),
    *("blockquote", "button", "details", "address", "dl", "h2", "h3", "figcaption", "li", "p"),
)
_HINTS = hint_names()

FEATURES = Declaration(
    {
        "main containers": [
            each("in {main}", main=MAIN_SHARES),
            each("depth below {main}", main=MAIN_SHARES),
            each("place in {main}", main=MAIN_SHARES),
            each("good before in {main}", main=MAIN_SHARES),
            each("blocks past {main}", main=MAIN_SHARES),
            each("good share of {main}", main=MAIN_SHARES),
            each("links in {main}", main=MAIN_SHARES),
            *("branch good", "branch chars", "branch blocks", "branch linked headings", "branch good share"),
            *("branch links", "branch is block"),
        ],
        "container levels": [
            each("good in {level}", level=_LEVELS),
            each("good share of {level}", level=_LEVELS),
            each("chars in {level}", level=_LEVELS),
            each("links in {level}", level=_LEVELS),
            each("linked headings in {level}", level=_LEVELS),
            each("blocks in {level}", level=_LEVELS),
            each("place in {level}", level=_LEVELS),
            in_turns("good of {siblings}", "good share of {siblings}", "{siblings}", siblings=_SIBLINGS),
            "depth",
        ],
        "repeated paths": [
            in_turns(
                *("{path} blocks", "{path} good", "{path} mean chars", "{path} good share", "{path} links"),
                each("{path} repeated at {level}", level=_LEVELS),
                path=("path", "class path"),
            )
        ],
        "class and id hints": [
            flags("named {hint}", hint=_HINTS),
            flags("near {hint}", hint=_HINTS),
            flags("under {hint}", hint=_HINTS),
            flags("within {hint}", hint=_HINTS),
        ],
        "tags": [
            flags("is <{own_tag}>", own_tag=_OWN_TAGS),
            flags("in <{tag}>", tag=_AROUND),
            flags("under <{tag}>", tag=_AROUND),
            "hidden",
        ],
    }
)
_part = compiled("structure_features")


def _tag_bits(tags: tuple[str, ...]) -> Ints:
    bits = np.zeros(len(TAG_IDS), dtype=np.int64)
    bits[[TAG_IDS[tag] for tag in tags]] = 1 << np.arange(len(tags))
    return bits


_OWN_BITS = _tag_bits(_OWN_TAGS)
# Above the hints, so that one look-up finds both.
_AROUND_BITS = _tag_bits(_AROUND) << len(_HINTS)


def fill_in_python(space: Space, facts: Facts) -> None:
    rows = FEATURES.rows(space)
    around, below, measures = ancestors(facts), _below_main(facts), _measures(facts)
    _fill_main_containers(rows, facts)
    _fill_branches(rows, facts, measures, _branches(around, below))
    paths = np.stack((facts.layout.path, facts.layout.class_path))
    groups = _Groups(facts, np.concatenate((around[1:3], paths.take(facts.layout.container, axis=1))))
    _fill_levels(rows, facts, around, measures)
    _fill_siblings(rows, groups)
    rows["depth"] = facts.depth
    _fill_paths(rows, facts, around, paths, groups)
    _fill_names(rows, facts, around, below)


_GIVEN = {
    "sums": SUMS,
    "deepest": _DEEPEST,
    "near": _NEAR,
    "main": MOST,
    "own_bits": _OWN_BITS,
    "around_bits": _AROUND_BITS,
    "logarithms": LOGARITHMS,
}
_twin = _part and _part.StructureFeatures(FEATURES.places, FEATURES.mask_places, **_GIVEN)


def fill_compiled(space: Space, facts: Facts) -> None:
    """The same in one pass over blocks and containers."""
    assert _twin
    _twin.fill(space.values, space.masks, facts)


fill = fill_in_python if _part is None else fill_compiled


def ancestors(facts: Facts) -> Ints:
    """The containers around each block, innermost first, a row per level; the document fills the rest."""
    layout = facts.layout
    deepest = int(facts.depth.max()) + 1
    rows = np.zeros((min(max(deepest, len(_LEVELS)), _DEEPEST), facts.size), dtype=np.int64)
    rows[0] = layout.container
    for level in range(1, len(rows)):
        layout.parent.take(rows[level - 1], out=rows[level], mode="clip")
    return rows


def _below_main(facts: Facts) -> Bools:
    """Which containers do not hold the main container (most of the good text), be they in it or beside it."""
    first, end, main = facts.layout.first_block, facts.layout.end_block, facts.mains[MOST]
    below: Bools = (first > first[main]) | (end < end[main])
    return below


def _measures(facts: Facts) -> dict[str, Matrix | Floats]:
    """What each container holds, by the features of levels that tell it."""
    held, layout = facts.held, facts.layout
    return {
        "good in level": logarithm(held[GOOD]),
        "good share of level": held[GOOD] / facts.total_good,
        "chars in level": logarithm(held[CHARS]),
        "links in level": ratio(held[LINKS], held[CHARS]),
        "linked headings in level": count_logarithm(held[LINKED_HEADINGS].astype(np.int64)),
        "blocks in level": count_logarithm(layout.end_block - layout.first_block),
    }


def _fill_main_containers(rows: Rows, facts: Facts) -> None:
    """Position relative to the main containers."""
    layout, index = facts.layout, facts.index
    mains = facts.mains[:, None]
    first, end = layout.first_block.take(mains), layout.end_block.take(mains)
    since, beyond = index - first, index - end + 1
    inside = (since >= 0) & (beyond <= 0)
    rows["in main"] = inside
    rows["depth below main"] = np.where(inside, facts.depth - layout.depth.take(mains), -3)
    place, before = rows["place in main"], rows["good before in main"]
    place[:] = since / np.maximum(end - first, 1)
    np.maximum(place, -0.5, out=place)
    np.minimum(place, 1.5, out=place)
    before[:] = (facts.sums[GOOD, :-1] - facts.sums[GOOD].take(first)) / facts.total_good
    np.maximum(before, -0.2, out=before)
    np.minimum(before, 1.2, out=before)
    past = rows["blocks past main"]
    past[:] = count_logarithm(np.maximum(beyond, 0))
    past -= count_logarithm(np.maximum(-since, 0))
    rows["good share of main"] = facts.held[GOOD].take(mains) / facts.total_good
    rows["links in main"] = ratio(facts.held[LINKS].take(mains), facts.held[CHARS].take(mains))


def _branches(around: Ints, below: Bools) -> Ints:
    """The child of the main container that each block lies in: an article's body, a box, a list of teasers."""
    size = around.shape[1]
    # The ancestors below the main container are the innermost ones; a branch is the last of them.
    levels = np.add.reduce(below.take(around).view(np.uint8), axis=0, dtype=np.uint8)
    found: Ints = around.ravel().take((np.maximum(levels, 1).astype(np.int64) - 1) * size + np.arange(size))
    return found


_BRANCH = {
    "branch good": "good in level",
    "branch chars": "chars in level",
    "branch blocks": "blocks in level",
    "branch linked headings": "linked headings in level",
    "branch good share": "good share of level",
    "branch links": "links in level",
}


def _fill_branches(rows: Rows, facts: Facts, measures: dict[str, Matrix | Floats], branch: Ints) -> None:
    for name, measure in _BRANCH.items():
        rows[name] = measures[measure].take(branch)
    rows["branch is block"] = branch == facts.layout.container


class _Groups:
    """Blocks that have something in common: parent, grandparent, path or class path, a row each.

    Siblings are the paragraphs of an article; what shares its path is cards, menus, paragraphs again.
    """

    def __init__(self, facts: Facts, common: Ints) -> None:
        # Numbers of containers, of which each row has its own: so that one count does for all.
        self.keys = common + np.arange(len(common))[:, None] * len(facts.layout.parent)
        self.blocks = np.bincount(self.keys.ravel()).take(self.keys)
        self.good = self.sum_over(facts.good)
        self.good_share = self.good / facts.total_good
        self.log_blocks, self.log_good = count_logarithm(self.blocks), logarithm(self.good)

    def sum_over(self, amounts: Floats | Ints, first: int = 0) -> Floats:
        """The sum of amounts over the blocks of each block's group, for the rows from the first on."""
        keys = self.keys[first:]
        sums = np.bincount(keys.ravel(), weights=np.concatenate((amounts,) * len(keys)))
        return np.asarray(sums.take(keys), dtype=np.float64)


def _fill_levels(rows: Rows, facts: Facts, around: Ints, measures: dict[str, Matrix | Floats]) -> None:
    layout, box = facts.layout, around[: len(_LEVELS)]
    for name, measure in measures.items():
        rows[name] = measure.take(box)
    first = layout.first_block.take(box)
    rows["place in level"] = (facts.index - first) / np.maximum(layout.end_block.take(box) - first, 1)


def _fill_siblings(rows: Rows, groups: _Groups) -> None:
    rows["good of siblings"] = groups.log_good[:2]
    rows["good share of siblings"] = groups.good_share[:2]
    rows["siblings"] = groups.log_blocks[:2]


def _fill_paths(rows: Rows, facts: Facts, around: Ints, paths: Ints, groups: _Groups) -> None:
    """Blocks and containers with the same tags, or tags and classes, from the root."""
    chars, links = groups.sum_over(facts.chars, 2), groups.sum_over(facts.layout.link_chars, 2)
    containers = len(facts.layout.parent)
    apart = paths + np.array([[0], [containers]])
    repeated = count_logarithm(np.bincount(apart.ravel()).take(apart))
    rows["path blocks"] = groups.log_blocks[2:]
    rows["path good"] = groups.log_good[2:]
    rows["path mean chars"] = logarithm(chars / groups.blocks[2:])
    rows["path good share"] = groups.good_share[2:]
    rows["path links"] = ratio(links, chars)
    rows["path repeated at level"] = repeated.take(around[: len(_LEVELS)], axis=1)


def _fill_names(rows: Rows, facts: Facts, around: Ints, below: Bools) -> None:
    layout = facts.layout
    signs = layout.hints | _AROUND_BITS.take(layout.tag)
    found = signs.take(around)
    own = found[0]
    near = np.bitwise_or.reduce(found[:_NEAR], axis=0)
    under = np.bitwise_or.reduce((signs * below).take(around), axis=0)
    within = np.bitwise_or.reduce(found, axis=0)
    hints = np.stack((own, near, under, within)) & ((1 << len(_HINTS)) - 1)
    rows["named hint"], rows["near hint"], rows["under hint"], rows["within hint"] = hints
    rows["is own_tag"] = _OWN_BITS.take(facts.tag)
    rows["in tag"], rows["under tag"] = within >> len(_HINTS), under >> len(_HINTS)
    rows["hidden"] = layout.hidden.take(layout.container) > 0

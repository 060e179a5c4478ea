"""Features of the containers around each block: where the page's good text lies, what repeats, what names hint at.

What holds for a container is worked out once per container; blocks then look it up, many measures at a time.
"""

from __future__ import annotations

import numpy as np

from cleancrawl.core.html.tags import TAG_IDS
from cleancrawl.core.native import compiled
from cleancrawl.core.rules.class_hints import hint_names
from cleancrawl.methods.learned.features.facts import CHARS, GOOD, LINKED_HEADINGS, LINKS, Facts
from cleancrawl.methods.learned.features.sheet import (
    LOGARITHMS,
    BitRows,
    Bools,
    Floats,
    Ints,
    Matrix,
    Sheet,
    count_logarithm,
    logarithm,
    named,
    parted,
    ratio,
)

_LEVELS = 24
_SHOWN = 4
_MAINS = ("half", "most", "nearly all")
_OWN_TAGS = ("p", "div", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "blockquote", "figcaption", "pre", "dt", "dd")
_AROUND = (
    *("article", "main", "aside", "nav", "header", "footer", "section", "figure", "table", "ul", "ol", "form"),
    *("blockquote", "button", "details", "address", "dl", "h2", "h3", "figcaption", "li", "p"),
)
_HINTS = len(hint_names())
_MEASURES = ("good in", "good share of", "chars in", "links in", "linked headings in", "blocks in")
_LEVEL_NAMES = tuple(name for family in (*_MEASURES, "place in") for name in named(family + " level {}", range(_SHOWN)))
_SIBLING_NAMES = tuple(
    name.format(level)
    for level in (1, 2)
    for name in ("good of siblings {}", "good share of siblings {}", "siblings {}")
)
_PATH_NAMES = tuple(
    f"{path} {name}"
    for path in ("path", "class path")
    for name in (
        *("blocks", "good", "mean chars", "good share", "links"),
        *named("repeated at level {}", range(_SHOWN)),
    )
)
_HINT_NAMES = tuple(
    name for where in ("named", "near", "under", "within") for name in named(where + " {}", hint_names())
)
_TAG_NAMES = (*named("is <{}>", _OWN_TAGS), *named("in <{}>", _AROUND), *named("under <{}>", _AROUND))
_MAIN_NAMES = tuple(
    name
    for family in ("in {}", "depth below {}", "place in {}", "good before in {}", "blocks past {}")
    for name in named(family, _MAINS)
)
_MAIN_PAGE_NAMES = (*named("good share of {}", _MAINS), *named("links in {}", _MAINS))
_BRANCH_NAMES = (
    *("branch good", "branch chars", "branch blocks", "branch linked headings", "branch good share", "branch links"),
    "branch is block",
)
_BRANCH_MEASURES = np.array([0, 2, 5, 4, 1, 3])
_GROUPS = {
    "main containers": (*_MAIN_NAMES, *_MAIN_PAGE_NAMES, *_BRANCH_NAMES),
    "container levels": (*_LEVEL_NAMES, *_SIBLING_NAMES, "depth"),
    "repeated paths": _PATH_NAMES,
    "class and id hints": _HINT_NAMES,
    "tags": (*_TAG_NAMES, "hidden"),
}
_part = compiled("features")


def _tag_bits(tags: tuple[str, ...]) -> Ints:
    bits = np.zeros(len(TAG_IDS), dtype=np.int64)
    bits[[TAG_IDS[tag] for tag in tags]] = 1 << np.arange(len(tags))
    return bits


_OWN_BITS = _tag_bits(_OWN_TAGS)
# Above the hints, so that one look-up finds both.
_AROUND_BITS = _tag_bits(_AROUND) << _HINTS
_NAME_ROWS = BitRows((*(_HINTS,) * 4, len(_OWN_TAGS), len(_AROUND), len(_AROUND)))


def add_structure_features(sheet: Sheet, facts: Facts) -> None:
    fill(sheet.rooms(_GROUPS), facts)


def fill_in_python(rows: Matrix, facts: Facts) -> None:
    around, below, measures = ancestors(facts), _below_main(facts), _measures(facts)
    sizes = (len(_MAIN_NAMES), len(_MAIN_PAGE_NAMES), len(_BRANCH_NAMES), len(_LEVEL_NAMES), len(_SIBLING_NAMES))
    main, main_page, branch, level, sibling, rest = parted(rows, sizes)
    depth, path, name = parted(rest, (1, len(_PATH_NAMES)))
    _fill_main_containers(main, main_page, facts)
    _fill_branches(branch, facts, measures, _branches(around, below))
    paths = np.stack((facts.layout.path, facts.layout.class_path))
    groups = _Groups(facts, np.concatenate((around[1:3], paths.take(facts.layout.container, axis=1))))
    _fill_levels(level, facts, around, measures)
    _fill_siblings(sibling, groups)
    depth[:] = facts.depth
    _fill_paths(path, facts, around, paths, groups)
    _fill_names(name, facts, around, below)


def fill_compiled(rows: Matrix, facts: Facts) -> None:
    """The same in one pass over blocks and containers."""
    assert _part is not None
    _part.fill_structure(rows, facts, _OWN_BITS, _AROUND_BITS, _HINTS, len(_OWN_TAGS), len(_AROUND), LOGARITHMS)


fill = fill_in_python if _part is None else fill_compiled


def ancestors(facts: Facts) -> Ints:
    """The containers around each block, innermost first, a row per level; the document fills the rest."""
    layout = facts.layout
    deepest = int(facts.depth.max()) + 1
    rows = np.zeros((min(max(deepest, _SHOWN), _LEVELS), facts.size), dtype=np.int64)
    rows[0] = layout.container
    for level in range(1, len(rows)):
        layout.parent.take(rows[level - 1], out=rows[level], mode="clip")
    return rows


def _below_main(facts: Facts) -> Bools:
    """Which containers do not hold the main container (most of the good text), be they in it or beside it."""
    first, end, main = facts.layout.first_block, facts.layout.end_block, facts.mains[1]
    below: Bools = (first > first[main]) | (end < end[main])
    return below


def _measures(facts: Facts) -> Matrix:
    """What each container holds, a row per name in ``_MEASURES``."""
    held, layout = facts.held, facts.layout
    found = np.empty((len(_MEASURES), len(layout.parent)), dtype=np.float32)
    found[0], found[2] = logarithm(held[[GOOD, CHARS]])
    found[1] = held[GOOD] / facts.total_good
    found[3] = ratio(held[LINKS], held[CHARS])
    found[4] = count_logarithm(held[LINKED_HEADINGS].astype(np.int64))
    found[5] = count_logarithm(layout.end_block - layout.first_block)
    return found


def _fill_main_containers(rows: Matrix, page_rows: Matrix, facts: Facts) -> None:
    """Position relative to the main containers."""
    layout, index = facts.layout, facts.index
    mains = facts.mains[:, None]
    first, end = layout.first_block.take(mains), layout.end_block.take(mains)
    inside, depth, place, before, past = rows.reshape(5, len(_MAINS), facts.size)
    since, beyond = index - first, index - end + 1
    inside[:] = is_inside = (since >= 0) & (beyond <= 0)
    depth[:] = np.where(is_inside, facts.depth - layout.depth.take(mains), -3)
    place[:] = since / np.maximum(end - first, 1)
    np.maximum(place, -0.5, out=place)
    np.minimum(place, 1.5, out=place)
    before[:] = (facts.sums[GOOD, :-1] - facts.sums[GOOD].take(first)) / facts.total_good
    np.maximum(before, -0.2, out=before)
    np.minimum(before, 1.2, out=before)
    past[:] = count_logarithm(np.maximum(beyond, 0))
    past -= count_logarithm(np.maximum(-since, 0))
    good, chars, _, links, _ = facts.held.take(mains, axis=1)
    page_rows[:] = np.concatenate((good / facts.total_good, ratio(links, chars)))


def _branches(around: Ints, below: Bools) -> Ints:
    """The child of the main container that each block lies in: an article's body, a box, a list of teasers."""
    size = around.shape[1]
    # The ancestors below the main container are the innermost ones; a branch is the last of them.
    levels = np.add.reduce(below.take(around).view(np.uint8), axis=0, dtype=np.uint8)
    found: Ints = around.ravel().take((np.maximum(levels, 1).astype(np.int64) - 1) * size + np.arange(size))
    return found


def _fill_branches(rows: Matrix, facts: Facts, measures: Matrix, branch: Ints) -> None:
    rows[:-1] = measures.take(branch, axis=1)[_BRANCH_MEASURES]
    rows[-1] = branch == facts.layout.container


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


def _fill_levels(rows: Matrix, facts: Facts, around: Ints, measures: Matrix) -> None:
    layout, box = facts.layout, around[:_SHOWN]
    rows = rows.reshape(-1, _SHOWN, facts.size)
    rows[:-1] = measures.take(box, axis=1)
    first = layout.first_block.take(box)
    rows[-1] = (facts.index - first) / np.maximum(layout.end_block.take(box) - first, 1)


def _fill_siblings(rows: Matrix, groups: _Groups) -> None:
    rows = rows.reshape(2, 3, rows.shape[1])
    rows[:, 0] = groups.log_good[:2]
    rows[:, 1] = groups.good_share[:2]
    rows[:, 2] = groups.log_blocks[:2]


def _fill_paths(rows: Matrix, facts: Facts, around: Ints, paths: Ints, groups: _Groups) -> None:
    """Blocks and containers with the same tags, or tags and classes, from the root."""
    chars, links = groups.sum_over(facts.chars, 2), groups.sum_over(facts.layout.link_chars, 2)
    containers = len(facts.layout.parent)
    apart = paths + np.array([[0], [containers]])
    repeated = count_logarithm(np.bincount(apart.ravel()).take(apart))
    rows = rows.reshape(2, -1, facts.size)
    rows[:, 0] = groups.log_blocks[2:]
    rows[:, 1] = groups.log_good[2:]
    rows[:, 2] = logarithm(chars / groups.blocks[2:])
    rows[:, 3] = groups.good_share[2:]
    rows[:, 4] = ratio(links, chars)
    rows[:, 5:] = repeated.take(around[:_SHOWN], axis=1)


def _fill_names(rows: Matrix, facts: Facts, around: Ints, below: Bools) -> None:
    layout = facts.layout
    signs = layout.hints | _AROUND_BITS.take(layout.tag)
    found = signs.take(around)
    masks = np.empty((7, facts.size), dtype=np.int64)
    masks[0] = found[0]
    np.bitwise_or.reduce(found[:3], axis=0, out=masks[1])
    np.bitwise_or.reduce((signs * below).take(around), axis=0, out=masks[2])
    np.bitwise_or.reduce(found, axis=0, out=masks[3])
    masks[4] = _OWN_BITS.take(facts.tag)
    np.right_shift(masks[3:1:-1], _HINTS, out=masks[5:])
    rows[:-1] = _NAME_ROWS(masks)
    rows[-1] = layout.hidden.take(layout.container) > 0

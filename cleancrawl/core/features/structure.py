"""Features of the containers around each block: where the page's good text lies, what repeats, what names hint at."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.features.facts import CHARS, GOOD, LINKED_HEADINGS, LINKS, Facts
from cleancrawl.core.features.sheet import Bools, Ints, Sheet, bits, logarithm, named, ratio
from cleancrawl.core.hints import hint_names
from cleancrawl.core.segment.tags import TAG_IDS

_LEVELS = 24
_SHOWN = 4
_MAINS = ("half", "most", "nearly all")
_OWN_TAGS = ("p", "div", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "blockquote", "figcaption", "pre", "dt", "dd")
_AROUND = (
    *("article", "main", "aside", "nav", "header", "footer", "section", "figure", "table", "ul", "ol", "form"),
    *("blockquote", "button", "details", "address", "dl", "h2", "h3", "figcaption", "li", "p"),
)
_OWN_IDS = np.array([TAG_IDS[tag] for tag in _OWN_TAGS])[:, None]
_AROUND_BITS = np.zeros(len(TAG_IDS), dtype=np.int64)
_AROUND_BITS[[TAG_IDS[tag] for tag in _AROUND]] = 1 << np.arange(len(_AROUND))
_LEVEL_NAMES = tuple(
    name
    for family in ("good in", "good share of", "chars in", "links in", "linked headings in", "blocks in", "place in")
    for name in named(family + " level {}", range(_SHOWN))
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
_BRANCH_NAMES = ("branch good", "branch chars", "branch blocks", "branch linked headings")


def add_structure_features(sheet: Sheet, facts: Facts) -> None:
    around = ancestors(facts)
    below = _add_main_containers(sheet, facts, around)
    _add_levels(sheet, facts, around)
    _add_groups(sheet, facts, around)
    _add_names(sheet, facts, around, below)


def ancestors(facts: Facts) -> Ints:
    """The containers around each block, innermost first, a row per level; the document fills the rest."""
    layout = facts.layout
    deepest = int(layout.depth[layout.container].max()) + 1
    rows = np.zeros((min(max(deepest, _SHOWN), _LEVELS), facts.size), dtype=np.int64)
    rows[0] = layout.container
    for level in range(1, len(rows)):
        rows[level] = layout.parent[rows[level - 1]]
    return rows


def _add_main_containers(sheet: Sheet, facts: Facts, around: Ints) -> Bools:
    """Position relative to the main containers; returns which ancestors lie below the main container (most of it)."""
    layout, mains = facts.layout, facts.mains
    index = np.arange(facts.size)
    first, end = layout.first_block[mains][:, None], layout.end_block[mains][:, None]
    inside = (index >= first) & (index < end)
    depth = layout.depth[layout.container] - layout.depth[mains][:, None]
    before = facts.sums[GOOD, :-1] - facts.sums[GOOD, first]
    past = logarithm(np.maximum(index - end + 1, 0)) - logarithm(np.maximum(first - index, 0))
    place = np.clip((index - first) / np.maximum(end - first, 1), -0.5, 1.5)
    sheet.begin("main containers")
    rows = (inside, np.where(inside, depth, -3), place, np.clip(before / facts.total_good, -0.2, 1.2), past)
    sheet.add_many(_MAIN_NAMES, np.concatenate(rows))
    held = facts.held[:, mains]
    sheet.add_many(
        _MAIN_PAGE_NAMES, np.concatenate((held[GOOD] / facts.total_good, ratio(held[LINKS], held[CHARS])))[:, None]
    )
    main = mains[1]
    starts_before = layout.first_block[around] <= layout.first_block[main]
    holds_main = starts_before & (layout.end_block[around] >= layout.end_block[main])
    below: Bools = ~holds_main & (layout.depth[around] > 0)
    # The child of the main container that a block lies in: an article's body, a box, a list of teasers.
    branch = around[np.maximum(below.sum(axis=0) - 1, 0), index]
    good, chars, _, links, headings = facts.held[:, branch]
    blocks = layout.end_block[branch] - layout.first_block[branch]
    sheet.add_many(_BRANCH_NAMES, logarithm(np.stack((good, chars, blocks, headings))))
    sheet.add("branch good share", good / facts.total_good)
    sheet.add("branch links", ratio(links, chars))
    sheet.add("branch is block", branch == layout.container)
    return below


def _add_levels(sheet: Sheet, facts: Facts, around: Ints) -> None:
    layout, containers = facts.layout, len(facts.layout.parent)
    box = around[:_SHOWN]
    held = facts.held[:, box]
    blocks = layout.end_block[box] - layout.first_block[box]
    place = ratio(np.arange(facts.size) - layout.first_block[box], blocks)
    sheet.begin("container levels")
    logs = logarithm(np.concatenate((held[GOOD], held[CHARS], held[LINKED_HEADINGS], blocks)))
    shares = (held[GOOD] / facts.total_good, ratio(held[LINKS], held[CHARS]))
    rows = (logs[:4], shares[0], logs[4:8], shares[1], logs[8:12], logs[12:], place)
    sheet.add_many(_LEVEL_NAMES, np.concatenate(rows))
    for level in (1, 2):
        # Blocks with the same parent (grandparent): the paragraphs of an article are siblings.
        parent = around[level]
        siblings = np.bincount(parent, weights=facts.good, minlength=containers)[parent]
        sheet.add(f"good of siblings {level}", logarithm(siblings))
        sheet.add(f"good share of siblings {level}", siblings / facts.total_good)
        sheet.add(f"siblings {level}", logarithm(np.bincount(parent, minlength=containers)[parent]))
    sheet.add("depth", layout.depth[layout.container])


def _add_groups(sheet: Sheet, facts: Facts, around: Ints) -> None:
    """Blocks and containers with the same tags, or tags and classes, from the root: cards, menus, paragraphs."""
    layout, containers = facts.layout, len(facts.layout.parent)
    sheet.begin("repeated paths")
    for name, group in (("path", layout.path), ("class path", layout.class_path)):
        own = group[layout.container]
        number = np.bincount(own, minlength=containers)[own]
        good = np.bincount(own, weights=facts.good, minlength=containers)[own]
        chars = np.bincount(own, weights=facts.chars, minlength=containers)[own]
        links = np.bincount(own, weights=layout.link_chars, minlength=containers)[own]
        sheet.add_many(
            named(f"{name} {{}}", ("blocks", "good", "mean chars")), logarithm((number, good, chars / number))
        )
        sheet.add(f"{name} good share", good / facts.total_good)
        sheet.add(f"{name} links", ratio(links, chars))
        repeated = logarithm(np.bincount(group, minlength=containers))
        sheet.add_many(named(f"{name} repeated at level {{}}", range(_SHOWN)), repeated[group[around[:_SHOWN]]])


def _add_names(sheet: Sheet, facts: Facts, around: Ints, below: Bools) -> None:
    count = len(hint_names())
    hints = facts.layout.hints[around]
    near = np.bitwise_or.reduce(hints[:3], axis=0)
    under = np.bitwise_or.reduce(np.where(below, hints, 0), axis=0)
    within = np.bitwise_or.reduce(hints, axis=0)
    sheet.begin("class and id hints")
    sheet.add_many(_HINT_NAMES, np.concatenate([bits(masks, count) for masks in (hints[0], near, under, within)]))
    tags = _AROUND_BITS[facts.layout.tag[around]]
    everywhere = bits(np.bitwise_or.reduce(tags, axis=0), len(_AROUND))
    under_tags = bits(np.bitwise_or.reduce(np.where(below, tags, 0), axis=0), len(_AROUND))
    own = facts.layout.tag[facts.layout.container] == _OWN_IDS
    sheet.begin("tags")
    sheet.add_many(_TAG_NAMES, np.concatenate((own, everywhere, under_tags)))
    sheet.add("hidden", facts.layout.hidden[facts.layout.container] > 0)

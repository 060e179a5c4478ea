"""The ways to read a page: from the parser's events, compiled or in Python, or from lxml's tree, compiled."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from lxml.html import HtmlElement

from cleancrawl.core.html import tags
from cleancrawl.core.html.head import Head, HeadCollector, feed
from cleancrawl.core.native import compiled
from cleancrawl.core.rules import class_hints
from cleancrawl.core.rules.attributes import AttributeRules
from cleancrawl.core.rules.embedded_ads import (
    BEARERS,
    FRAME_TAGS,
    ad_hint,
    add_hit,
    embedded_hit,
    packed_sizes,
    sized_hit,
)
from cleancrawl.core.rules.links import link_rules
from cleancrawl.core.segmentation.collector import LINE, Collector, is_hidden, lines, plain
from cleancrawl.core.segmentation.text_layout import (
    BLOCK_COLUMNS,
    CONTAINER_COLUMNS,
    MEASURE_COLUMNS,
    Measures,
    TextLayout,
)
from cleancrawl.core.text import characters
from cleancrawl.core.text.words import count_words

_part, _setup_part = compiled("segmentation"), compiled("walk_setup")
_trees, _sources = compiled("tree_events"), compiled("parser_events")


class Reading(NamedTuple):
    """What one pass over a page found."""

    texts: list[str]
    layout: TextLayout
    head: Head
    unseen: int
    """Characters in elements that are not shown."""

    @property
    def unlinked_words(self) -> int:
        return int(self.layout.measures.words.sum() - self.layout.link_words.sum())


def read_events(source: bytes, rules: AttributeRules) -> Reading:
    """Read a source without a tree, in Python."""
    collector = Collector(rules)
    feed(source, collector)
    return Reading(*collector.result(), collector.unseen)


def _numbered(names: tuple[str, ...], first: int = 0) -> dict[str, int]:
    return {name: number for number, name in enumerate(names, first)}


def _given() -> dict[str, Any]:
    """What the compiled walk is told."""
    return {
        "columns": {
            "block": _numbered(BLOCK_COLUMNS),
            "measure": _numbered((*MEASURE_COLUMNS, "counts"), len(BLOCK_COLUMNS)),
            "container": _numbered(CONTAINER_COLUMNS),
        },
        "tags": {
            "kinds": _numbered(tags.KIND_NAMES, 1),
            "kind_of": tags.KINDS,
            "ids": tags.TAG_IDS,
            "never_text": tags.NEVER_TEXT,
            "bearers": BEARERS,
            "frames": FRAME_TAGS,
        },
        "characters": {
            "kinds": characters.kind_table(),
            "in_runs": characters.word_kinds().astype(np.uint8),
            "basic": characters.BASIC,
            "space": characters.SPACE,
            "unspaced": characters.UNSPACED,
        },
        "hints": {
            "tokens": class_hints.token_bits(),
            "ad": ad_hint(),
            "longest": class_hints.LONGEST,
        },
        "functions": {
            "hints_of": class_hints.hints_of,
            "embedded_hit": embedded_hit,
            "sized_hit": sized_hit,
            "add_hit": add_hit,
            "is_hidden": is_hidden,
            "lines": lines,
            "plain": plain,
            "count_words": count_words,
            "head": HeadCollector,
        },
        "line": LINE.encode(),
        "sizes": packed_sizes(),
    }


_setup = _setup_part.Setup(**_given()) if _part and _setup_part else None


def reads_trees() -> bool:
    """Whether trees can be read."""
    return _setup is not None and _trees is not None


def read_tree(root: HtmlElement, rules: AttributeRules) -> Reading | None:
    """Read a tree, compiled; None where it may not be all of its page."""
    assert _trees is not None
    target = _target(rules)
    return _reading(target) if _trees.send(root, target) else None


def read_parsed(source: bytes, rules: AttributeRules) -> Reading | None:
    """Read a source without a tree, compiled; None where that cannot be done."""
    if _setup is None or _sources is None:
        return None
    target = _target(rules)
    return _reading(target) if _sources.send(source, target) else None


def _target(rules: AttributeRules) -> Any:
    assert _part is not None
    return _part.Segmentation(_setup, rules, link_rules(rules))


def _reading(found: Any) -> Reading:
    blocks, containers, head = found.result()
    measures = Measures.of(blocks[len(BLOCK_COLUMNS) :])
    own = blocks[: len(BLOCK_COLUMNS)]
    layout = TextLayout.of(own, containers, measures, found.hits, found.told_links, found.class_names)
    return Reading(found.texts, layout, head, found.unseen)

"""METHODS C1: a page as the set of its paths; a text leaf is a path that ends in its text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh64_intdigest

from cleancrawl.core.html.head import feed
from cleancrawl.core.html.outline import Outline
from cleancrawl.core.html.tags import OUTLINE_UNSEEN
from cleancrawl.core.text.words import normalise

Paths = NDArray[np.uint64]
"""Paths as 64-bit numbers, sorted, each once."""

_MASK = (1 << 64) - 1
_SHORT = 100
"""Shorter texts are remembered: those of a frame are the same on page after page."""
_ROOT, _STEP, _LEAF = 0x243F6A8885A308D3, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


def element_paths(outline: Outline) -> list[int]:
    """The number of each element's path: the same tags from the root give the same number on every page."""
    found: list[int] = []
    for tag, parent in zip(outline.tags, outline.parents, strict=True):
        above = found[parent] if parent >= 0 else _ROOT
        found.append(_child(above, tag))
    return found


def leaf_paths(outline: Outline, elements: list[int]) -> list[int]:
    """The number of each text's path."""
    return [
        _mixed((elements[owner] if owner >= 0 else _ROOT) * _LEAF + _text_number(text))
        for owner, text in zip(outline.owners, outline.texts, strict=True)
    ]


def _text_number(text: str) -> int:
    return xxh64_intdigest(normalise(text).encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=16384)
def _short_text_number(text: str) -> int:
    return _text_number(text)


@lru_cache(maxsize=16384)
def _child(path: int, tag: str) -> int:
    return _mixed(path * _STEP + xxh64_intdigest(tag.encode("utf-8", "surrogatepass")))


def _mixed(number: int) -> int:
    number &= _MASK
    return number ^ number >> 29


def as_paths(numbers: list[int]) -> Paths:
    return np.unique(np.array(numbers, dtype=np.uint64))


def page_paths(outline: Outline) -> Paths:
    """All paths of a page."""
    elements = element_paths(outline)
    return as_paths([*elements, *leaf_paths(outline, elements)])


class _PathCollector:
    """A parser target that finds the same paths without an outline, in less time, for pages by the thousand."""

    def __init__(self) -> None:
        self.stack = [_ROOT]
        self.skipped: list[str] = []
        self.found: set[int] = set()

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if self.skipped or tag in OUTLINE_UNSEEN:
            if not self.skipped or tag == self.skipped[0]:
                self.skipped.append(tag)
            return
        number = _child(self.stack[-1], tag)
        self.stack.append(number)
        self.found.add(number)

    def end(self, tag: str) -> None:
        if self.skipped:
            if tag == self.skipped[0]:
                self.skipped.pop()
        elif len(self.stack) > 1:
            self.stack.pop()

    def data(self, data: str) -> None:
        if not self.skipped and not data.isspace():
            number = _short_text_number(data) if len(data) <= _SHORT else _text_number(data)
            self.found.add(_mixed(self.stack[-1] * _LEAF + number))

    def comment(self, text: str) -> None:
        pass

    def close(self) -> None:
        pass


def read_paths(html: str) -> Paths:
    """All paths of a page, straight from its source."""
    collector = _PathCollector()
    feed(html, collector)
    return as_paths(list(collector.found))


def named_paths(outline: Outline) -> Iterator[tuple[int, str]]:
    r"""Each path's number with its name as the paper writes it: ``Document\<html>\<body>\<h1>IT``.

    Names are as long as the page is deep, so they are made only for people to read.
    """
    elements = element_paths(outline)
    names: list[str] = []
    for number, (tag, parent) in enumerate(zip(outline.tags, outline.parents, strict=True)):
        names.append((names[parent] if parent >= 0 else "Document") + f"\\<{tag}>")
        yield elements[number], names[number]
    for number, owner, text in zip(leaf_paths(outline, elements), outline.owners, outline.texts, strict=True):
        yield number, (names[owner] if owner >= 0 else "Document\\") + normalise(text)

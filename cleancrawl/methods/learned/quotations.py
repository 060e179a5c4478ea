"""Quotations and embedded posts are kept as a whole: with who said it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from cleancrawl.core.html.tags import TAG_IDS
from cleancrawl.core.page import Page
from cleancrawl.core.rules.class_hints import hint_names
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.brought_back import bring_back, was_judged
from cleancrawl.methods.learned.features.sheet import Bools, running_sums
from cleancrawl.methods.learned.kept_elements import kept_flags

_QUOTE, _FIGURE = TAG_IDS["blockquote"], TAG_IDS["figure"]
_HINT = 1 << hint_names().index("quote")
"""A name that is none of a quotation has it too ("pull-right"), and is read then."""
_AROUND = 3
"""Elements around a quotation that are looked at."""
_NAMED = re.compile(
    r"(?<![a-z])(?:block|pull)?[-_]?(?:quot(?:e|ation)s?(?![a-z])|quote(?:block|card|box)|zitat|citat|cita(?![a-z]))"
    r"|(?:block|pull)quote",
    re.I,
)
"""How themes and publishing systems call quotations."""
_POST = re.compile(r"(?:^|\s)(?:twitter-(?:tweet|video)|bluesky-embed)(?=\s|$)")
"""What networks call the quotation that their script makes a post of, where it has the post's text."""


@dataclass(frozen=True, slots=True)
class WholeQuotations:
    """Bring back the rest of a quotation of which most is kept, and embedded posts in the text.

    A name below a quotation scores as an author's does: little. Behind the first kept block of a ``blockquote``, of the
    ``figure`` around one, or of an element that is named as a quotation, all comes back but what is mostly links. A
    post comes back where it stands between the paragraphs or right behind them. Runs after a score. Needs
    ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    min_share: float = 0.5
    """The share of a quotation's words that is kept."""
    max_share: float = 0.3
    """An element with more than this share of the kept words is no quotation, whatever it is called."""
    prose: int = 15
    """Words outside of links that make a kept block a paragraph."""

    def __call__(self, page: Page) -> None:
        layout = page.layout_of(TextLayout)
        signs = layout.hints & _HINT
        signs |= layout.tag == _QUOTE
        # Most pages have none.
        if signs.any():
            places = np.flatnonzero((signs > 0) & (layout.end_block > layout.first_block)).tolist()
            self._posts(page, [place for place in places if layout.tag[place] == _QUOTE])
            self._rests(page, list(_quotations(layout, places)))

    def _posts(self, page: Page, quotes: list[int]) -> None:
        """Those quotations that are posts, from the first kept paragraph to the block behind the last one."""
        layout = page.layout_of(TextLayout)
        posts = list(_named(layout, quotes, _POST))
        if not posts:
            return
        plain = layout.measures.words - layout.link_words
        paragraphs = np.flatnonzero(kept_flags(page) & (plain >= self.prose))
        done = 0
        for place in posts if len(paragraphs) else ():
            first, end = int(layout.first_block[place]), int(layout.end_block[place])
            if first >= done and paragraphs[0] < first <= paragraphs[-1] + 1:
                done = end
                for block in filter(was_judged, page.blocks[first:end]):
                    bring_back(page, block, "an embedded post in the text")

    def _rests(self, page: Page, quotations: list[int]) -> None:
        if not quotations:
            return
        layout, flags = page.layout_of(TextLayout), kept_flags(page)
        words = layout.measures.words
        all_words, kept_words = running_sums(np.array((words, words * flags)))
        done = 0
        for place in quotations:
            first, end = int(layout.first_block[place]), int(layout.end_block[place])
            stay = kept_words[end] - kept_words[first]
            most = stay >= max(self.min_share * (all_words[end] - all_words[first]), 1)
            if end > done and most and stay <= self.max_share * kept_words[-1]:
                done = end
                _bring_rest_back(page, flags, first, end)


def _quotations(layout: TextLayout, places: list[int]) -> Iterator[int]:
    """The quotations among some containers, each behind what is one around it: a figure, or an element of such a name.
    Outer ones come before inner ones."""
    named = set(_named(layout, places, _NAMED))
    around = {place: _ancestors(layout, place) for place in places if place in named or layout.tag[place] == _QUOTE}
    named.update(_named(layout, list(chain.from_iterable(around.values())), _NAMED))
    for place, ancestors in around.items():
        yield from (one for one in ancestors if one in named or layout.tag[one] == _FIGURE)
        yield place


def _ancestors(layout: TextLayout, place: int) -> list[int]:
    """Some containers around one, the outermost first."""
    found: list[int] = []
    while place and len(found) < _AROUND:
        place = int(layout.parent[place])
        found.insert(0, place)
    return found


def _named(layout: TextLayout, places: list[int], pattern: re.Pattern[str]) -> Iterator[int]:
    """Those of some containers whose class a pattern finds; a class is looked at once."""
    paths, names = layout.class_path, layout.class_names
    found: dict[int, bool] = {}
    for place in places:
        path = int(paths[place])
        if path not in found:
            found[path] = pattern.search(names.get(path, "")) is not None
        if found[path]:
            yield place


def _bring_rest_back(page: Page, flags: Bools, first: int, end: int) -> None:
    """What the score removed behind the first of the blocks that was kept."""
    start = first + int(np.argmax(flags[first:end]))
    for block in filter(was_judged, page.blocks[start:end]):
        if 2 * block.link_words <= block.words and block.tag != "button":
            bring_back(page, block, "part of a quotation")

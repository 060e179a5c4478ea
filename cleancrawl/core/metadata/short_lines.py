"""The short lines of a page that can have a date or a copyright notice: few of them, so they are chosen first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.characters import DIGIT, SYMBOL
from cleancrawl.core.text.text_signs import text_signs

_LONGEST_DATED = 100
_FEWEST_DIGITS = 2
"""Of a date: that of a year, or of a day and a month."""
_LONGEST_NOTICE = 200
_NOTICES = text_signs(("©", "opyright", "OPYRIGHT", "(c)", "(C)"))
_AT_ONCE = 24


def dated_lines(page: Page) -> Iterable[str]:
    """The short texts of the page that can have a date, in order; no copyright lines."""
    texts = (block.text for block in _with_digits(page))
    return (text for text in texts if len(text) <= _LONGEST_DATED and "©" not in text)


def _with_digits(page: Page) -> list[Block]:
    """The short blocks with digits, where the page was measured; else all."""
    if not isinstance(page.layout, TextLayout):
        return page.blocks
    measures = page.layout.measures
    # Those above the basic plane are counted as symbols.
    digits = measures.counts[DIGIT] + measures.counts[SYMBOL]
    places = np.flatnonzero((measures.lengths <= _LONGEST_DATED) & (digits >= _FEWEST_DIGITS))
    return [page.blocks[place] for place in places.tolist()]


def notices(blocks: list[Block]) -> Iterator[str]:
    """The short texts that can be a copyright notice, the last first: it is the footer's, others belong to pictures.

    >>> list(notices([Block(text, 1, 0, "p") for text in ("© 2025", "(c) 2026", "news")]))
    ['(c) 2026', '© 2025']
    """
    # From the end in parts: most pages have theirs there.
    for end in range(len(blocks), 0, -_AT_ONCE):
        texts = [block.text for block in blocks[max(0, end - _AT_ONCE) : end] if len(block.text) <= _LONGEST_NOTICE]
        yield from (texts[number] for number in reversed(_NOTICES.holding(texts)))

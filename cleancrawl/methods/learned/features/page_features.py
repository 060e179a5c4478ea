"""All features of a page's blocks."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.methods.learned.features import block_text, context, structure, wording
from cleancrawl.methods.learned.features.facts import page_facts
from cleancrawl.methods.learned.features.sheet import Sheet

_PARTS = (block_text, wording, structure, context)
NAMES = tuple(name for part in _PARTS for name in part.FEATURES.names)


def _groups() -> dict[str, range]:
    found: dict[str, range] = {}
    end = 0
    for part in _PARTS:
        for group, names in part.FEATURES.groups.items():
            found[group] = range(end, end := end + len(names))
    return found


_GROUPS = _groups()


def feature_sheet(page: Page) -> Sheet:
    """The features of a page that ``TextBlocks`` has cut into at least one block."""
    facts = page_facts(page)
    rows = np.empty((len(NAMES), facts.size), dtype=np.float32)
    first = 0
    for part in _PARTS:
        end = first + len(part.FEATURES.names)
        part.fill(rows[first:end], facts)
        first = end
    return Sheet(NAMES, _GROUPS, rows)

"""Boxes of other articles: elements whose class says that what they hold is related, recommended or popular."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.kept_elements import KeptElements, NamesFound, remove

RELATED = "related-box"
_NAMED = NamesFound(
    re.compile(
        r"(?<![a-z])(?:related(?!-?to)|yarpp|wp_rp|popular|trending)|recommend|recirc|read-?next|up-?next|most-?read"
        r"|also-?like|similar|further-?reading|more-?(?:stories|articles|news|from)",
        re.I,
    )
)


@dataclass(frozen=True, slots=True)
class RelatedBoxes:
    """Remove kept blocks in elements that are named as boxes of other articles.

    Only where little of what is kept lies in them: a theme may name its page or the article so. Runs after a score.
    Needs ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    max_share: float = 0.3
    """The share of all kept words that a box may have."""

    def __call__(self, page: Page) -> None:
        layout, kept = page.layout_of(TextLayout), KeptElements.of(page)
        named = kept.named(_NAMED)
        if not named:
            return
        done = 0
        for place, first, end, _ in kept.some(np.flatnonzero(kept.words < self.max_share * kept.total)):
            # Boxes in boxes are gone with them: thousands may lie in each other.
            if end > done and (match := named.get(int(layout.class_path[place]))):
                done = end
                remove(page, first, end, RELATED, match[0])

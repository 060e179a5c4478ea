"""METHODS B1: atomic text blocks between block-level tags."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import TextLayout

_SIGN = "©"


@dataclass(frozen=True, slots=True)
class AtomicBlocks:
    """Text blocks as ``TextBlocks`` finds them; the block with the copyright sign goes at once."""

    makes: ClassVar[type[TextLayout]] = TextLayout

    copyright_sign: bool = True

    def __call__(self, page: Page) -> None:
        TextBlocks()(page)
        if self.copyright_sign:
            for block in page.blocks:
                if _SIGN in block.text:
                    block.remove("segment", "copyright-sign", _SIGN)

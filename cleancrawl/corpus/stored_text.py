"""The markup of a text that was cleaned earlier, from the page that it came from."""

from __future__ import annotations

import re
from collections import Counter

from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.render.align import MIN_COVERED
from cleancrawl.core.segmentation.text_blocks import TextBlocks

_LINE_ENDS = re.compile(r"[\n\t]")


def rendered_again(html: str, url: str | None, text: str) -> Document | None:
    """A document of the page's blocks whose lines are in the text; None where too little of it is found again.

    What a store knew when the text was made need not be known any more: the text decides.
    """
    page = Page(html, url)
    TextBlocks()(page)
    lines = Counter(_LINE_ENDS.split(text))
    total = sum(len(line) * count for line, count in lines.items())
    for block in page.blocks:
        own = Counter(_LINE_ENDS.split(block.text))
        if all(lines[line] >= count for line, count in own.items()):
            lines.subtract(own)
        else:
            block.remove("primary", "not-in-text")
    missing = sum(len(line) * count for line, count in lines.items())
    return Document(page, "again") if missing <= (1 - MIN_COVERED) * total else None

"""A list of the page's own headings in front of its text."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.text.words import words

_NO_ENTRY = HEADINGS | {"td", "th"}


@dataclass(frozen=True, slots=True)
class ContentsList:
    """Remove kept links whose text is that of a later heading of the page, where there are several of them.

    What stands in the cells of a table is data, such as the names of what is compared.
    """

    min_entries: int = 2

    def __call__(self, page: Page) -> None:
        linked = [block for block in page.kept if block.link_words * 2 >= block.words and block.tag not in _NO_ENTRY]
        if len(linked) < self.min_entries:
            return
        later = page.blocks[linked[0].index + 1 :]
        last = {heading_key(block): block.index for block in later if block.tag in HEADINGS}
        if not last:
            return
        entries = [block for block in linked if last.get(heading_key(block), -1) > block.index]
        if len(entries) >= self.min_entries:
            for block in entries:
                block.remove("score", "contents", f"names the heading in block {last[heading_key(block)]}")


def heading_key(block: Block) -> tuple[str, ...]:
    """The words of a heading without its numbers: a list of contents may number what the text does not.

    >>> heading_key(Block("2.1 Where to go", 4, 4, "li"))
    ('where', 'to', 'go')
    """
    return tuple(word for word in words(block.text.lower()) if not word.isdigit())

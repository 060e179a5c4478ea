"""Who the author is, told in a paragraph at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from cleancrawl.core.block import Block, Removal
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.metadata.extract import authors_of
from cleancrawl.core.page import Page

AUTHOR_BIO = "author-bio"
_LONGEST_NAME = 4
_AROUND = ".,;:()’'\""


@dataclass(frozen=True, slots=True)
class AuthorBios:
    """Remove kept blocks at the end that begin with the name of one of the page's authors, whom the text before does
    not know.

    What is said of somebody by whom, or about whom, the text is stays: his name is in the text. Runs after a score.
    """

    min_words: int = 6
    """Shorter ones are bylines and captions."""
    max_words: int = 150
    min_text: int = 50
    """Words that are left without such blocks: there are pages about authors."""
    max_blocks: int = 8
    """Blocks of the end that are looked at."""
    max_note: int = 15
    """Words of another line between or behind such blocks, such as a pointer; a longer one is the text."""

    def __call__(self, page: Page) -> None:
        kept = page.kept
        end = [block for block in kept[-self.max_blocks :] if self._may_be(block)]
        end = [block for block in end if not _names(block, kept, end)]
        if not end:
            return
        authors = [author for author in authors_of(page) if " " in author]
        candidates = {block.index: author for block in end for author in authors if _is_about(block.text, author)}
        left = sum(block.words for block in kept if block.index not in candidates)
        for block in reversed(kept[-self.max_blocks :] if left >= self.min_text else ()):
            author = candidates.get(block.index)
            if author is not None:
                block.removed = Removal("score", AUTHOR_BIO, author)
            elif block.words > self.max_note:
                return

    def _may_be(self, block: Block) -> bool:
        return self.min_words <= block.words <= self.max_words and block.tag not in HEADINGS and _name(block.text) != ""


def _name(text: str) -> str:
    """The last word of a name of two words or more, where a text may begin with one.

    >>> _name("Ruth Abara is a reporter."), _name("Ruth E. Abara (37) writes."), _name("The bridge is closed.")
    ('Abara', 'Abara', '')
    """
    words = list(takewhile(lambda word: word[0].isupper(), text.split(None, _LONGEST_NAME)[:_LONGEST_NAME]))
    return words[-1].strip(_AROUND) if len(words) > 1 else ""


def _names(block: Block, kept: Sequence[Block], end: Sequence[Block]) -> bool:
    """Whether running text before such a block names who it begins with."""
    name = _name(block.text)
    return any(name in one.text for one in kept if one.index < block.index and one.words >= 8 and one not in end)


def _is_about(text: str, author: str) -> bool:
    """Whether a text begins with a name and goes on about who bears it: an answer of an interview has a colon.

    >>> _is_about("Ruth Abara is a reporter.", "Ruth Abara"), _is_about("Ruth Abara: Not yet.", "Ruth Abara")
    (True, False)
    """
    if text[: len(author)].casefold() != author.casefold():
        return False
    after = text[len(author) : len(author) + 2]
    return after[:1] in {" ", ","} and ":" not in after

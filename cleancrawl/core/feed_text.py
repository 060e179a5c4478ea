"""The text of an article as a feed of its site has it: does it agree with the page, and may it stand in for it?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from html import escape

from cleancrawl.core.article import Article
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.block_prints import Prints, page_prints
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.text.words import words
from cleancrawl.data import read_sections

SOURCE = "feed"
FEWEST_WORDS = 50
"""Of a text that is one of an article and not a summary of it."""
TEASER = 0.6
"""A text that is in the page's and has less of its words is a summary or a beginning."""
WITHIN = 0.8
"""A text is within another if so many of its words are."""
LONGER = 1.3
"""What may stand in for a page that readers pay for has so many times its words."""
MUCH_LONGER = 2.0
"""The same of a page that says nothing of it."""
_CUT = ("…", "...", "[…]", "[...]", "[&#8230;]", "→", "»")
_LAST_WORDS = 12
"""A last line of more words is no link to the rest."""


@dataclass(frozen=True, slots=True)
class FeedText:
    """An entry's content as it came."""

    html: str
    title: str | None = None
    published: str | None = None


class CleanedFeedText:
    """An entry's content, cleaned with a recipe as a page of its own."""

    def __init__(self, entry: FeedText, recipe: Recipe, url: str) -> None:
        title = f"<h1>{escape(entry.title)}</h1>" if entry.title else ""
        self.entry = entry
        self.page = Page(f"<html><body><article>{title}{entry.html}</article></body></html>", url)
        self.prints: Prints | None = None
        recipe.run(self.page, self._look_up)
        self.document = Document(self.page, recipe.name)
        self.words = Counter(words(self.document.text.lower()))

    def _look_up(self, page: Page) -> None:
        self.prints = page_prints(page)

    @property
    def is_whole(self) -> bool:
        """Whether it is long enough for an article, and does not break off."""
        return self.words.total() >= FEWEST_WORDS and not is_cut([block.text for block in self.page.blocks])

    def agreement(self, text: str) -> float | None:
        """The F1 of a page's words against those of the feed; None where the feed has less than the article."""
        found = Counter(words(text.lower()))
        common = (found & self.words).total()
        if not self.is_whole or not found:
            return None
        total = self.words.total()
        if common >= WITHIN * total and total < TEASER * found.total():
            return None
        return round(2 * common / (found.total() + total), 4)

    def has_more(self, text: str, *, paywalled: bool) -> bool:
        """Whether it has what a page lacks: the page's text and clearly more."""
        found = Counter(words(text.lower()))
        if not self.is_whole or (found & self.words).total() < WITHIN * found.total():
            return False
        return self.words.total() >= (LONGER if paywalled else MUCH_LONGER) * found.total()

    def stand_in(self, article: Article) -> None:
        """Put the text in the place of the page's; what the page says about itself stays."""
        kept = self.page.kept
        article.text = self.document.text
        article.text_source = SOURCE
        article.word_count = sum(block.words for block in kept)
        article.blocks_kept = len(kept)
        article.score = round(self.document.score, 4)
        article.title = article.title or self.entry.title or ""
        article.published = article.published or self.entry.published
        article.language = article.language or self.document.language


def is_cut(lines: list[str]) -> bool:
    """Whether a text breaks off: with dots, or with a link to the rest.

    >>> is_cut(["It was dark. […]"]), is_cut(["It was dark.", "Continue reading"]), is_cut(["It was dark."]), is_cut([])
    (True, True, False, False)
    """
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    if last.endswith(_CUT):
        return True
    return len(last.split()) <= _LAST_WORDS and any(phrase in last.lower() for phrase in _rest())


@cache
def _rest() -> tuple[str, ...]:
    return tuple(phrase.strip() for line in read_sections("article_parts.txt")["rest"] for phrase in line.split("|"))

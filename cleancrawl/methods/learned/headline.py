"""The headline is the page's title, which a document has beside its text."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.page import Page
from cleancrawl.core.text.words import words


@dataclass(frozen=True, slots=True)
class Headline:
    """Remove kept ``h1`` blocks whose words are mostly those of the page's title."""

    min_shared: float = 0.6

    def __call__(self, page: Page) -> None:
        headings = [block for block in page.kept if block.tag == "h1"]
        title = set(words(page.title.lower())) if headings else set()
        for block in headings:
            own = set(words(block.text.lower()))
            if title and len(own & title) >= self.min_shared * len(own):
                block.remove("score", "headline", "says what the title says")

"""A page's article ends where the element ends that says it is the article; what follows is another's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from cleancrawl.core.comments.threads import is_thread
from cleancrawl.core.html.tags import TAG_IDS, tag_ids
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.core.text.words import words
from cleancrawl.methods.learned.kept_elements import KeptElements, NamesFound, kept_flags, remove

SECOND, BEHIND = "second-article", "behind-article"
ENTRY = "hentry"
_IS_ARTICLE = np.zeros(len(TAG_IDS), dtype=bool)
_IS_ARTICLE[list(tag_ids("article"))] = True
_NAMED = NamesFound(
    re.compile(
        r"(?:^|\s)(?:(?P<entry>h-?entry)|(?:td-)?(?:entry|post|article|story|news)(?:__|-)?(?:content|body|text))(?=\s|$)",
        re.I,
    )
)
"""The microformat of an entry, which WordPress and Blogger write, and the names of an article's text."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An element that says it is an article, as its blocks."""

    first: int
    end: int
    words: int
    """Those that are kept."""
    name: str


@dataclass(frozen=True, slots=True)
class OneArticle:
    """Remove kept blocks behind the article, where ``article`` elements or names of classes tell its end.

    Two cases: articles with headlines of their own below the one that has the page's headline, which sites load for
    readers who scroll on; and whatever stands behind the only article, or behind the only element that is named as its
    text. In forums each post is an article: there all stays. Runs after a score. Needs ``TextBlocks``.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    min_words: int = 60
    """Kept words of the article: teasers are articles, too."""
    min_share: float = 0.5
    """The share of all kept words that is in the only article or text …"""
    min_entry_share: float = 0.3
    """… and the same for entries of blogs, whose mark is on nothing else."""
    min_shared: float = 0.6
    """The share of a headline's words that is in the page's title."""

    def __call__(self, page: Page) -> None:
        layout, kept = page.layout_of(TextLayout), KeptElements.of(page)
        named = kept.named(_NAMED)
        told = _IS_ARTICLE[layout.tag[kept.places]]
        if named:
            has_name = np.zeros(len(layout.tag), dtype=bool)
            has_name[list(named)] = True
            told |= has_name[layout.class_path[kept.places]]
        if not told.any():
            return
        articles, bodies = list[_Told](), list[_Told]()
        for place, first, end, size in kept.some(np.flatnonzero(told)):
            match = named.get(int(layout.class_path[place]))
            if match and match["entry"]:
                articles.append(_Told(first, end, size, ENTRY))
            elif _IS_ARTICLE[layout.tag[place]]:
                articles.append(_Told(first, end, size, "article"))
            elif match:
                bodies.append(_Told(first, end, size, match[0].strip()))
        others = list(self._others(page, articles))
        behind = [one for some in (articles, bodies) if (one := self._only(some, kept.total)) and _goes_on(page, one)]
        # Asked last: it reads all that the page says of itself.
        if (others or behind) and not is_thread(page):
            for article, heading in others:
                remove(page, article.first, article.end, SECOND, heading[:60])
            for one in behind:
                remove(page, one.end, len(page.blocks), BEHIND, f"behind the only {one.name}")

    def _others(self, page: Page, articles: list[_Told]) -> Iterator[tuple[_Told, str]]:
        """Those with another headline, below the one with the page's."""
        own, done = None, 0
        headlines = list(_headlines(page, articles)) if len(articles) > 1 else []
        title = set(words(page.title.lower())) if len(headlines) > 1 else set()
        for article, heading in headlines:
            said = set(words(heading.lower()))
            is_own = len(said & title) >= self.min_shared * len(said)
            if own and not is_own and article.first >= own.end and article.end > done:
                done = article.end
                yield article, heading
            elif own is None and is_own and article.words >= self.min_words:
                own = article

    def _only(self, some: list[_Told], total: int) -> _Told | None:
        """The only one of some elements, where it holds enough to be the article."""
        outermost = list(_outermost(some))
        if len(outermost) != 1:
            return None
        (only,) = outermost
        share = self.min_entry_share if only.name == ENTRY else self.min_share
        return only if only.words >= max(self.min_words, share * total) else None


def _goes_on(page: Page, article: _Told) -> bool:
    """Whether anything is kept behind an article."""
    return bool(kept_flags(page)[article.end :].any())


def _outermost(articles: list[_Told]) -> Iterator[_Told]:
    """Of elements in the order of the page those that lie in no other."""
    done = 0
    for article in articles:
        if article.end > done:
            done = article.end
            yield article


def _headlines(page: Page, articles: list[_Told]) -> Iterator[tuple[_Told, str]]:
    """The first ``h1`` of each article, the innermost around it."""
    around: list[_Told] = []
    coming, seen = iter([*articles, None]), set[int]()
    following = next(coming)
    for place, block in enumerate(page.blocks):
        if block.tag != "h1" or block.words < 2:
            continue
        while following and following.first <= place:
            around.append(following)
            following = next(coming)
        while around and around[-1].end <= place:
            around.pop()
        if around and id(around[-1]) not in seen:
            seen.add(id(around[-1]))
            yield around[-1], block.text

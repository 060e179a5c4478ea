"""Which shapes of URLs gave articles: what a site's own pages tell about those that were not fetched yet."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from typing import NamedTuple

from cleancrawl.core.site import domain_of
from cleancrawl.crawl.discovery.page_urls import url_pattern

MOST_SHAPES = 20_000
"""Shapes that are counted, a few hundred bytes each; a site has some dozens."""
WEIGHT = 2.0
"""As how many pages an expectation counts that was not seen."""
_WORDS = re.compile(r"[^\W\d_]+(?:[^\w/?]+[^\W\d_]+)*")


class Counts(NamedTuple):
    articles: int = 0
    leading: int = 0
    """Pages with links to stories that no page before them had."""
    pages: int = 0


class UrlShapes:
    """Counts pages by shape. A shape that is hardly known is judged by its outline as well."""

    def __init__(self) -> None:
        self._counts: dict[str, Counts] = {}

    def note(self, url: str, *, article: bool) -> None:
        """Note what a page turned out to be."""
        self._add(url, Counts(articles=article, pages=1))

    def led(self, url: str) -> None:
        """Note that a page led to new stories."""
        self._add(url, Counts(leading=1))

    def _add(self, url: str, more: Counts) -> None:
        for key in _keys(url):
            known = self._counts.get(key)
            if known is not None or len(self._counts) < MOST_SHAPES:
                self._counts[key] = Counts(*map(sum, zip(known or Counts(), more, strict=True)))

    def chance(self, url: str, expected: float) -> float:
        """The chance that a page is an article, which without any pages of its shape is as ``expected``.

        >>> shapes = UrlShapes()
        >>> shapes.chance("https://a.example/tag/rain", 0.5)
        0.5
        >>> shapes.note("https://a.example/tag/storm", article=False)
        >>> shapes.note("https://a.example/news/12", article=True)
        >>> shapes.chance("https://a.example/tag/storm", 0.5) < shapes.chance("https://a.example/tag/rain", 0.5) < 0.5
        True
        >>> shapes.chance("https://a.example/news/9", 0.5) > shapes.chance("https://a.example/sport/9", 0.5) > 0.5
        True
        """
        return self._share(url, expected, 0)

    def chance_to_lead(self, url: str, expected: float) -> float:
        """The same for whether it leads to new stories.

        >>> shapes = UrlShapes()
        >>> for number in range(2):
        ...     shapes.note(f"https://a.example/sport?page={number}", article=False)
        ...     shapes.note(f"https://a.example/search?q={number}", article=False)
        >>> shapes.led("https://a.example/sport?page=1")
        >>> shapes.chance_to_lead("https://a.example/sport?page=3", 1) > 0.4
        True
        >>> shapes.chance_to_lead("https://a.example/search?q=3", 1) < 0.4
        True
        """
        return self._share(url, expected, 1)

    def _share(self, url: str, expected: float, place: int) -> float:
        for key in _keys(url):
            counts = self._counts.get(key, _NOTHING)
            expected = (counts[place] + WEIGHT * expected) / (counts.pages + WEIGHT)
        return min(1.0, expected)

    def forget(self, domains: Set[str]) -> None:
        """These sites are done."""
        for key in [key for key in self._counts if domain_of(f"https://{key}") in domains]:
            del self._counts[key]

    def __len__(self) -> int:
        return len(self._counts)


_NOTHING = Counts()


@lru_cache(maxsize=1_000)
def _keys(url: str) -> tuple[str, str]:
    """The outline and the shape of a URL, which is mostly asked for both chances in a row."""
    pattern = url_pattern(url)
    return outline(pattern), pattern


def outline(pattern: str) -> str:
    """A shape in which all words are alike, so that sections of a site tell something about each other.

    >>> outline("a.example/news/uk-politics/9/mar/9/*"), outline("a.example/news/world-asia-9")
    ('a.example/w/w/9/w/9/*', 'a.example/w/w-9')
    """
    host, slash, rest = pattern.partition("/")
    return host + slash + _WORDS.sub("w", rest)

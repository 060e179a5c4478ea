"""What cleaning tells about links: which are worth following first.

Links in content that was kept, and links whose shape gave articles before, come first; those in blocks that the whole
site repeats come last, and those whose shape gave nothing. It is an order only: nothing is left out for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy.http import Response

from cleancrawl.core.block import Removal
from cleancrawl.core.page import Page
from cleancrawl.core.text.words import normalise
from cleancrawl.crawl.discovery.page_urls import looks_like_story
from cleancrawl.crawl.discovery.url_shapes import UrlShapes
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.site_signals import site_closed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

STORY_CHANCE, OTHER_CHANCE = 0.8, 1 / 3
"""How often a page is an article whose URL looks like one, and any other, before anything is known of the site."""
IN_CONTENT, IN_NOISE = 0.2, -0.3
"""What the place of a link adds to that."""
LOWEST, HIGHEST = -5, 10
"""Priorities. The highest is that of stories without steering: sitemaps and feeds are overtaken no more than then."""
NOISE_RULES = frozenset({"site-block", "utility-links", "social-links"})
"""What removes a block that is there on the whole site."""
MOST_SEARCHED = 20_000_000
"""Characters of content that are searched for the links of one page."""


class Places:
    """Where on a page links stand, told by their text: a menu's lines are blocks, others lie in one."""

    def __init__(self, page: Page) -> None:
        linked = [block for block in page.blocks if block.link_words]
        self.lines: dict[str, float] = {}
        for block in linked:
            worth = _worth(block.removed)
            self.lines[block.text] = max(self.lines.get(block.text, worth), worth)
        self.content = "\n".join(block.text for block in linked if block.removed is None)
        self.searches = MOST_SEARCHED // (len(self.content) + 1)

    def worth(self, texts: Iterable[str]) -> float:
        """What the best place adds in which a link with these texts stands; 0 where none is known."""
        return max((found for text in texts if (found := self._at(normalise(text))) is not None), default=0.0)

    def _at(self, text: str) -> float | None:
        if text in self.lines:
            return self.lines[text]
        self.searches -= 1
        return IN_CONTENT if " " in text and self.searches >= 0 and text in self.content else None


def _worth(removed: Removal | None) -> float:
    if removed is None:
        return IN_CONTENT
    return IN_NOISE if removed.rule in NOISE_RULES else 0.0


class Steering(OnePerCrawl):
    """What the cleaned pages of a crawl tell, for those who rank links."""

    def __init__(self) -> None:
        self.in_use = False
        """Whether somebody ranks links by it: only then is it worth waiting for a page's verdicts."""
        self.shapes = UrlShapes()
        self.met: set[str] = set()
        """Sites whose earlier articles are counted."""
        self._places: WeakKeyDictionary[Response, Places] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        steering = cls()
        crawler.signals.connect(steering.shapes.forget, signal=site_closed)
        return steering

    def judged(self, response: Response, page: Page) -> None:
        """A page was cleaned, and its links have not been followed yet."""
        self._places[response] = Places(page)

    def expected(self, response: Response, url: str, texts: Iterable[str]) -> float:
        """The chance that a link leads to an article, by its URL alone and by its place on a page.

        It is told by the texts that it has there.
        """
        found = STORY_CHANCE if looks_like_story(url) else OTHER_CHANCE
        places = self._places.get(response)
        return found if places is None else min(1.0, max(0.0, found + places.worth(texts)))

    def rank(self, url: str, expected: float) -> int:
        """The priority of a page by what is known now; one that may lead to articles is worth a little as well.

        >>> Steering().rank("https://a.example/storm-hits-the-coast", STORY_CHANCE)
        7
        >>> Steering().rank("https://a.example/sport", OTHER_CHANCE)
        0
        """
        chance = self.shapes.chance(url, expected)
        leads = OTHER_CHANCE * self.shapes.chance_to_lead(url, min(1.0, expected / OTHER_CHANCE))
        return LOWEST + round((HIGHEST - LOWEST) * max(chance, leads))

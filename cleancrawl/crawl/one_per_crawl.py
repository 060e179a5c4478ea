"""Things of which a crawl has one. Scrapy makes every component by itself: this is how they find what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class OnePerCrawl:
    """The first component that asks for it makes it; the end of the crawl forgets it."""

    _made: ClassVar[WeakKeyDictionary[Crawler, dict[type, Any]]] = WeakKeyDictionary()

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        found = OnePerCrawl._made.get(crawler, {}).get(cls)
        if found is None:
            found = cls.from_crawler(crawler)
            OnePerCrawl._made.setdefault(crawler, {})[cls] = found
        return found

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        raise NotImplementedError

    def forget_crawl(self) -> None:
        """Forget all things of this one's crawl. Statistics know their crawler: they would keep it for ever."""
        for crawler, made in list(OnePerCrawl._made.items()):
            if self in made.values():
                del OnePerCrawl._made[crawler]

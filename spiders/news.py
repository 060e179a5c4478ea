"""``scrapy crawl news``: the package's spider. What this project wants otherwise goes here."""

from __future__ import annotations

from cleancrawl.spiders.news import NewsSpider


class News(NewsSpider):
    """As it comes with the package."""

"""``scrapy crawl pages``: the package's spider. What this project wants otherwise goes here."""

from __future__ import annotations

from cleancrawl.spiders.pages import PagesSpider


class Pages(PagesSpider):
    """As it comes with the package."""

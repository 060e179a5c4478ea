"""``scrapy crawl archive``: the package's spider. What this project wants otherwise goes here."""

from __future__ import annotations

from cleancrawl.spiders.archive import ArchiveSpider


class Archive(ArchiveSpider):
    """As it comes with the package."""

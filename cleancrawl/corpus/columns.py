"""The columns of a corpus, in the order of the crawl's ``Article``; that module needs Scrapy, this one does not."""

from __future__ import annotations

COLUMNS = (
    "url",
    "site",
    "canonical_url",
    "fetched_at",
    "title",
    "text",
    "language",
    "authors",
    "published",
    "modified",
    "section",
    "tags",
    "description",
    "image",
    "site_name",
    "paywalled",
    "word_count",
    "blocks_total",
    "blocks_kept",
    "removed",
    "recipe",
    "score",
    "version",
    "previous",
    "duplicate_of",
    "html",
)

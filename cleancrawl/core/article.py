"""What a crawl gives: articles."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class Article:
    """The core content of one page and what is known about it. Exported as it is, field by field."""

    url: str
    site: str = ""
    canonical_url: str = ""
    fetched_at: str = ""
    """ISO 8601, in UTC."""
    title: str = ""
    text: str = ""
    language: str | None = None
    authors: list[str] = field(default_factory=list)
    published: str | None = None
    modified: str | None = None
    section: str | None = None
    tags: list[str] = field(default_factory=list)
    description: str | None = None
    image: str | None = None
    site_name: str | None = None
    paywalled: bool | None = None
    word_count: int = 0
    blocks_total: int = 0
    blocks_kept: int = 0
    removed: dict[str, int] = field(default_factory=dict)
    """How many blocks each rule removed."""
    recipe: str = ""
    score: float = 0.0
    version: int = 1
    previous: str | None = None
    """Fingerprint of the version before, where the article changed since."""
    duplicate_of: str | None = None
    """URL of the article that this one repeats."""
    html: str | None = None
    """The page as it came, where ``CLEANCRAWL_KEEP_HTML`` asks for it."""

    def __repr__(self) -> str:
        # Scrapy logs every item; a line is enough there.
        return f"Article({self.url!r}, {self.title!r}, {self.word_count} words)"


FIELDS: tuple[str, ...] = tuple(known.name for known in fields(Article))


def as_dict(article: Article) -> dict[str, Any]:
    """The article's fields by name, values not copied."""
    return {name: getattr(article, name) for name in FIELDS}

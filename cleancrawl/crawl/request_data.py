"""What travels on a request, through queues, redirects and holds: one small record under one key of its meta."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from scrapy import Request
from scrapy.http import Response

from cleancrawl.core.text.iso_dates import day_of
from cleancrawl.crawl.date_window import Window

KEY = "cleancrawl"
BY_BROWSER = "playwright"
"""The flag that scrapy-playwright sets on its responses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestData:
    """What our parts say to each other about a request. Requests of anybody's spider need none of it.

    All values are JSON's own: Scrapy pickles requests that it queues on disk, and a page that waits in the store
    keeps this as JSON.
    """

    cleaned: bool = True
    """False where the response gives no article. Anybody's spider says so by ``meta={"cleancrawl": False}``."""
    domain: str | None = None
    """The registrable domain that the page was asked for: its redirects stay there. None sets no borders."""
    max_pages: int | None = None
    """How many pages of that domain are fetched; None where there is no limit."""
    since: str | None = None
    until: str | None = None
    """The first and the last day that are wanted."""
    roams: bool = False
    """A front page may lead to another domain (``news.example`` to ``www.news.example.org``)."""
    announced: str | None = None
    """When the page changed, as a sitemap or feed says."""
    again: bool = False
    """Asked for once more, since a newer date is known now; in vain unless the page was not due before."""
    hops: int = 0
    """How many links away from the front page."""
    found_as: str | None = None
    """The address of a page before redirects."""
    expected: float | None = None
    """The chance that the page is an article, as it was expected by the link that led to it."""
    rank: int | None = None
    """The part of the priority that hangs on it."""
    put_off: int = 0
    """How often it went back into the queue, since others are worth more."""
    aside_of: str | None = None
    """The registrable domain whose pages this document helps to find; None where it is a page."""
    max_documents: int | None = None
    """How many such documents are fetched for that domain."""
    sitemap_level: int = 0
    """How many sitemaps lead to this one."""
    lease: int | None = None
    """The token of the lease in whose name a worker asks."""
    saved_at: float | None = None
    """When the page was fetched that an archive has."""
    mining_reserved: bool | None = None
    """Whether the site's ``tdmrep.json`` reserves text and data mining of the page; None where it says nothing."""
    mining_policy: str | None = None
    """Where that file says how mining is licensed."""
    rendered: bool = False
    """Asked for by a browser: the page as its scripts make it."""
    held_since: float | None = None
    """When the page was fetched that this request brings from the store."""
    fresh: bool = False
    """Fetched in this crawl already, and once more since something new is known of it: it comes whole."""
    part_of: str | None = None
    """The first page of the article that this is asked for as a part of."""
    alone: bool = False
    """It looks like a part, but its first page does not have it: it is an article of its own."""

    @classmethod
    def of(cls, message: Request | Response) -> RequestData:
        """The data of a request, or of the one that a response answers.

        >>> RequestData.of(Request("https://a.example/", meta={"cleancrawl": False})).cleaned
        False
        >>> RequestData.of(Request("https://a.example/")) == RequestData()
        True
        """
        given = message.meta.get(KEY)
        if isinstance(given, dict):
            # An older or newer version may have written it: a page can wait in a store for long.
            return cls(**{name: value for name, value in given.items() if name in _DEFAULTS})
        return _LEFT_ALONE if given is False else _NOTHING

    def to_meta(self) -> dict[str, Any]:
        """For the request's meta; only what is said.

        >>> RequestData(hops=2).to_meta()
        {'cleancrawl': {'hops': 2}}
        """
        values = ((name, getattr(self, name)) for name in _DEFAULTS)
        return {KEY: {name: value for name, value in values if value != _DEFAULTS[name]}}

    @property
    def window(self) -> Window:
        """The days that are wanted: all where none were named."""
        return Window(day_of(self.since), day_of(self.until))


_DEFAULTS = {field.name: field.default for field in fields(RequestData)}
_NOTHING = RequestData()
_LEFT_ALONE = RequestData(cleaned=False)

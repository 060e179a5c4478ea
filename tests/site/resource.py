"""What a portal serves at a path, and what a request may know when it is rendered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

HTML = "text/html; charset=utf-8"
EPOCH = datetime(2026, 3, 20, 6, 0, tzinfo=UTC)
"""When the sample site was last built: all its dates are fixed, so that a crawl can be compared with another."""


@dataclass(frozen=True)
class View:
    """One request's view of a page: absolute addresses come from the Host header, the rest from the page's history."""

    base: str
    path: str
    version: int = 1
    additions: tuple[str, ...] = ()
    hits: int = 1
    changes: Mapping[str, int] = field(default_factory=dict)
    """How often each changed page of the portal has changed."""
    withheld: frozenset[str] = frozenset()
    """Paths that are not published yet."""
    traps: bool = False

    @property
    def url(self) -> str:
        return self.base + self.path


Render = Callable[[View], bytes]


@dataclass(frozen=True)
class Resource:
    render: Render
    content_type: str = HTML
    status: int = 200
    modified: datetime | None = EPOCH
    """None: the page has neither an ETag nor a Last-Modified date."""
    location: str | None = None
    slow: bool = False
    overview: bool = False
    """A sitemap or feed, which is as new as the newest change of the portal."""


def page(render: Callable[[View], str], encoding: str = "utf-8", **options: object) -> Resource:
    """A resource whose text is made anew for each request."""
    return Resource(lambda view: render(view).encode(encoding, "xmlcharrefreplace"), **options)  # type: ignore[arg-type]


def redirect(location: str, status: int) -> Resource:
    return Resource(lambda view: b"", status=status, location=location, modified=None)


def text(content: str, content_type: str) -> Resource:
    return Resource(lambda view: content.encode(), content_type=content_type)

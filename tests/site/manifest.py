"""Every page of the sample site and what a crawler should make of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.site import portal_a
from tests.site.source import GOLD, Article, articles

WHERE_GOLD_IS = GOLD


@dataclass(frozen=True)
class Entry:
    """One page. `article` and `print` pages have a gold text; the headline is not part of it."""

    portal: str
    path: str
    kind: str
    """article, print, listing, video, live, empty, static, search, login, forbidden, error, redirect, file, binary."""
    source: Article | None = None
    status: int = 200

    @property
    def encoding(self) -> str:
        """What the bytes really are; the headers of some pages say nothing or something else."""
        return self.source.encoding if self.source else "utf-8"

    @property
    def gold(self) -> Path | None:
        return self.source.gold if self.source else None

    @property
    def gold_text(self) -> str:
        return self.gold.read_text("utf-8") if self.gold else ""

    @property
    def title(self) -> str | None:
        return self.source.title if self.source else None

    @property
    def author(self) -> str | None:
        return self.source.author if self.source else None

    @property
    def date(self) -> str | None:
        """When it was published, as ISO 8601 with offset; what the page itself shows may be only the day."""
        return self.source.date if self.source else None

    @property
    def language(self) -> str | None:
        return self.source.language if self.source else None


_OTHER_A = {
    "/": "listing",
    "/?page=2": "listing",
    **{f"/section/{section}": "listing" for section in portal_a.SECTIONS},
    "/video/harbour-from-the-air": "video",
    "/live/storm-ragna": "live",
    "/local/2026/03/01/untitled": "empty",
    "/about": "static",
    "/contact": "static",
    "/terms": "static",
    "/privacy": "static",
    "/search": "search",
    "/login": "login",
    "/private/drafts": "forbidden",
    "/docs/annual-report.pdf": "file",
    "/download/map": "binary",
}
_ANSWERS_A = {
    "/old/harbour-bridge": ("redirect", 301),
    "/go/ferry": ("redirect", 302),
    "/loop/1": ("redirect", 302),
    "/loop/2": ("redirect", 302),
    "/broken": ("error", 500),
    "/missing": ("error", 404),
}


@cache
def pages() -> tuple[Entry, ...]:
    """All pages of both portals."""
    found = [Entry(article.portal, article.path, "article", article) for article in articles().values()]
    found.append(Entry("a", portal_a.PRINT_PATH, "print", articles()[portal_a.PRINTED]))
    found.extend(Entry("a", path, kind) for path, kind in _OTHER_A.items())
    found.extend(Entry("a", path, kind, status=status) for path, (kind, status) in _ANSWERS_A.items())
    return tuple(found)


def article_pages(portal: str | None = None) -> list[Entry]:
    """The articles that a crawl must bring home, the print version not among them."""
    return [page for page in pages() if page.kind == "article" and portal in (None, page.portal)]

"""Every page of the sample site and what a crawler should make of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.site import portal_a, portal_b
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


_OTHERS: dict[str, dict[str, list[str]]] = {
    "a": {
        "listing": ["/", "/?page=2", "/?page=3", *(f"/section/{section}" for section in portal_a.SECTIONS)],
        "video": ["/video/harbour-from-the-air"],
        "live": ["/live/storm-ragna"],
        "empty": ["/local/2026/03/01/untitled"],
        "static": ["/about", "/contact", "/terms", "/privacy"],
        "search": ["/search"],
        "login": ["/login"],
        "forbidden": ["/private/drafts"],
        "file": ["/docs/annual-report.pdf"],
        "binary": ["/download/map"],
    },
    "b": {
        "listing": [
            "/",
            *("/archive.htm" + query for query in ("", "?p=2", "?p=3")),
            *(f"/section/{group}.htm" for group in portal_b.GROUPS),
        ],
        "video": ["/video/carnival.htm"],
        "empty": ["/empty.htm"],
        "static": ["/contact.htm"],
        "search": ["/search.htm"],
        "forbidden": ["/cgi-bin/guestbook"],
        "file": ["/docs/tariff.pdf"],
        "binary": ["/download/archive.htm"],
    },
}
_ANSWERS = [
    Entry("a", "/old/harbour-bridge", "redirect", status=301),
    Entry("a", "/go/ferry", "redirect", status=302),
    Entry("a", "/loop/1", "redirect", status=302),
    Entry("a", "/loop/2", "redirect", status=302),
    Entry("a", "/go/intranet", "redirect", status=302),
    Entry("a", "/broken", "error", status=500),
    Entry("a", "/missing", "error", status=404),
    Entry("b", "/index.htm", "redirect", status=301),
    Entry("b", "/news/withdrawn.htm", "error", status=404),
]


@cache
def pages() -> tuple[Entry, ...]:
    """All pages of both portals."""
    found = [Entry(article.portal, article.path, "article", article) for article in articles().values()]
    found.append(Entry("a", portal_a.PRINT_PATH, "print", articles()[portal_a.PRINTED]))
    for portal, kinds in _OTHERS.items():
        found.extend(Entry(portal, path, kind) for kind, paths in kinds.items() for path in paths)
    return (*found, *_ANSWERS)


def article_pages(portal: str | None = None) -> list[Entry]:
    """The articles that a crawl must bring home, the print version not among them."""
    return [page for page in pages() if page.kind == "article" and portal in (None, page.portal)]

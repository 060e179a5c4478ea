"""WARC files of the sample site, of made-up sites, and what one process makes of them that knows all pages."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as parquet

from cleancrawl.archives.warc_pages import SavedPage, read_warc
from cleancrawl.core.article import Article
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints import originals
from cleancrawl.core.fingerprints.article_signature import SAME, signature, similarity
from cleancrawl.core.fingerprints.originals import MOST_TWINS, Claim
from cleancrawl.core.html.decode import decode
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import decide
from cleancrawl.core.site import site_key
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.first_pass import why_skipped
from cleancrawl.stores.look_up import look_up, page_record
from cleancrawl.stores.memory.memory_store import MemoryStore
from cleancrawl.stores.protocol import Visit
from tests.site.manifest import pages
from tests.site.server import SampleSite

FIRST_DAY = 1_760_000_000.0


def saved_site(site: SampleSite) -> list[SavedPage]:
    """All pages of the sample site as they are served, under names that do not change from run to run."""
    found = []
    for number, page in enumerate(pages()):
        address = urlsplit(site.portals[page.portal].url)
        connection = HTTPConnection(address.hostname or "", address.port)
        connection.request("GET", page.path)
        response = connection.getresponse()
        headers = {name: value for name, value in response.getheaders() if name.lower() == "content-type"}
        url = f"https://portal-{page.portal}.example{page.path}"
        body = response.read().replace(address.netloc.encode(), f"portal-{page.portal}.example".encode())
        found.append(SavedPage(url, body, response.status, headers, FIRST_DAY + number))
        connection.close()
    return found


def warc(saved: Iterable[SavedPage], *, packed: bool = True) -> bytes:
    """A WARC file; packed, each record is a member of its own."""
    return b"".join(gzip.compress(record(page), 1) if packed else record(page) for page in saved)


def record(page: SavedPage) -> bytes:
    head = "".join(f"{name}: {value}\r\n" for name, value in page.headers.items())
    answer = f"HTTP/1.1 {page.status} Said\r\n{head}Content-Length: {len(page.body)}\r\n\r\n".encode() + page.body
    date = datetime.fromtimestamp(page.date or 0, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = [
        *("WARC/1.0", "WARC-Type: response", f"WARC-Target-URI: {page.url}", f"WARC-Date: {date}"),
        *(f"WARC-Record-ID: <urn:uuid:{page.url}>", "Content-Type: application/http; msgtype=response"),
        *(f"Content-Length: {len(answer)}", "", ""),
    ]
    return "\r\n".join(lines).encode() + answer + b"\r\n\r\n"


def articles_in(out: Path) -> list[dict[str, Any]]:
    """The rows of a result, by URL."""
    rows: list[dict[str, Any]] = []
    for path in sorted((out / "articles").glob("*.parquet")):
        rows += parquet.read_table(path).to_pylist(maps_as_pydicts="strict")
    return sorted(rows, key=lambda row: row["url"])


def by_one_process(saved: Sequence[SavedPage], options: BulkOptions | None = None) -> list[dict[str, Any]]:
    """The articles as one loop makes them that knows all pages of the archive, from a store in memory.

    Every page is recorded as it is judged alone; then each is cleaned with what the store knows.
    """
    options = options or BulkOptions()
    recipe, store = options.made_recipe, MemoryStore()
    read = [page for page in read_warc(io.BytesIO(warc(saved)), "all", print) if why_skipped(page, 10**7) is None]
    newest: dict[str, SavedPage] = {}
    for page in read:
        newest[page.url] = max(newest.get(page.url, page), page, key=lambda one: (one.date, one is page))
    ordered = sorted(newest.values(), key=lambda page: page.date or 0)
    for saved_page in ordered:
        page, visit = _opened(saved_page), _visit(saved_page, options)
        recipe.run(page)
        document = Document(page, recipe.name)
        reason = decide(page, document.metadata, options.min_words, strict=options.only_articles).reason
        alone = _opened(saved_page)
        recipe.run_phase("segment", alone)
        prints = look_up(store, recipe, alone, visit.site, visit.url)
        page.known = alone.known
        store.record(page_record(page, replace(visit, reason=reason), prints))
    found: dict[str, dict[str, Any]] = {}
    told: list[Any] = []
    for saved_page in ordered:
        page, visit = _opened(saved_page), _visit(saved_page, options)
        recipe.run(page, lambda page, visit=visit: look_up(store, recipe, page, visit.site, visit.url))  # type: ignore[misc]
        document = Document(page, recipe.name)
        if decide(page, document.metadata, options.min_words, strict=options.only_articles).reason is None:
            article = Article.of(
                document, url=visit.url, site=visit.site, fetched=visit.fetched, formats=options.formats
            ).to_record()
            print_of = signature(article["text"])
            if print_of is not None:
                same = [url for url, other in told if similarity(print_of.data, other.data) >= SAME]
                twins = [Claim.of(url, found[url]) for url in same[:MOST_TWINS]]
                verdict = originals.decide(Claim.of(visit.url, article), twins)
                article["duplicate_of"] = verdict.duplicate_of
                for url in verdict.copies:
                    found[url]["duplicate_of"] = visit.url
                told.append((visit.url, print_of))
            found[visit.url] = article
    return [found[url] for url in sorted(found)]


def _opened(saved: SavedPage) -> Page:
    text, encoding = decode(saved.body, saved.headers.get("Content-Type"))
    return Page(text, saved.url, encoding)


def _visit(saved: SavedPage, options: BulkOptions) -> Visit:
    return Visit(site_key(saved.url, options.site_by), saved.url, saved.date or 0.0)


def comparable(articles: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Articles without what files and dictionaries write differently: times."""
    return [
        {name: value for name, value in article.items() if name not in ("fetched_at", "withdrawn")}
        for article in articles
    ]


def copy_before(page: SavedPage) -> SavedPage:
    """A page of another site that has taken the story over and says so, saved before the original."""
    said = f'<link rel=canonical href="{page.url}"></head>'.encode()
    url = "https://agency.example/2026/11/taken-over-story"
    return replace(page, url=url, body=page.body.replace(b"</head>", said), date=(page.date or 0) - 900)


THINGS = tuple("harbour bridge market ferry council lighthouse school museum orchestra bakery river".split())
WORDS = (*THINGS, *"closed painted opened flooded praised sold repaired measured moved rented found lost kept".split())


def story_pages(site: str, count: int, start: int = 0) -> list[SavedPage]:
    """Made-up articles of one site: a template that all share, lines that some share, and text of their own."""
    found = []
    for number in range(start, start + count):
        body = (
            f"<html lang=en><head><title>Story {number} of {site}</title></head><body>"
            f"<nav><a href=/>Home</a> <a href=/sport>Sport</a></nav><article><h1>Story {number} of {site}</h1>"
            + "".join(_paragraph(site, number, line) for line in range(6))
            + f"<p>Read all that {site} has to say about the {THINGS[number % 4]}, every morning, in our letter.</p>"
            f"</article><footer><p>All rights are reserved by the {site} publishing house, established in 1899;"
            f" nothing may be copied, stored or sent without its written consent.</p></footer></body></html>"
        )
        url = f"https://{site}/2026/11/{number:05d}-story-of-the-day"
        found.append(SavedPage(url, body.encode(), 200, {"Content-Type": "text/html"}, FIRST_DAY + number))
    return found


def _paragraph(site: str, number: int, line: int) -> str:
    chance = Random(f"{site} {number} {line}")
    # Of few words, some paragraphs would be alike by chance.
    names = ["".join(chance.choice("bdfglmnprst") + chance.choice("aeiou") for _ in range(4)) for _ in range(14)]
    return f"<p>On that day the {' and the '.join(names)} of {site} was {chance.choice(WORDS)}.</p>"

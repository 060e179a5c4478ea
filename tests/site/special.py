"""Pages that are no articles: video, live, empty, search, login, errors, files, answers broken on purpose."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.site.render import TEMPLATES, serial
from tests.site.resource import HTML, Resource, View, page, redirect, text
from tests.site.source import Article

Shell = Callable[..., str]

TRACKED = {"chess": "?utm_source=frontpage&amp;utm_medium=teaser&amp;utm_campaign=sunday"}
"""Articles whose teasers carry tracking parameters, as the links of a marketing department do."""

LIVE_TITLE = "Live: storm Ragna reaches Northmere"


def tracking(article: Article) -> str:
    return TRACKED.get(article.name, "")


def static_pages(file_name: str, shell: Shell) -> dict[str, Resource]:
    """Short fixed pages, written as HTML in a data file, inside the portal's frame."""
    entries: dict[str, dict[str, Any]] = json.loads((TEMPLATES / file_name).read_text("utf-8"))
    return {path: page(partial(_framed, shell, entry)) for path, entry in entries.items()}


def _framed(shell: Shell, entry: dict[str, Any], view: View) -> str:
    return shell(view, f'<div id="content" class="static">{entry["html"]}</div>', entry["title"])


def _live(shell: Shell, view: View) -> str:
    """A page that has one entry more at each visit and can never be answered with 304."""
    entries = (TEMPLATES / "live.txt").read_text("utf-8").splitlines()[: 3 + view.hits]
    posts = "".join(
        f'<article class="live-post"><time datetime="2026-03-15T{time}:00+01:00">{time}</time><p>{text}</p></article>'
        for time, text in (entry.split(" | ", 1) for entry in reversed(entries))
    )
    data = {"@context": "https://schema.org", "@type": "LiveBlogPosting", "headline": LIVE_TITLE}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    main = f'<main id="content" class="live-page"><h1>{LIVE_TITLE}</h1><div class="live-feed">{posts}</div></main>'
    return shell(view, main, LIVE_TITLE, head)


def _empty(view: View) -> str:
    return "<!DOCTYPE html><html><head><title></title></head><body></body></html>"


def error_page(status: int, reason: str) -> bytes:
    """What a web server in front of a portal answers by itself."""
    return (
        f"<html><head><title>{status} {reason}</title></head><body><center><h1>{status} {reason}</h1></center>"
        "<hr><center>gateway</center></body></html>"
    ).encode()


def pdf() -> bytes:
    """A small PDF file of one page with one line on it."""
    stream = b"BT /F1 18 Tf 72 720 Td (Maintenance register of the city of Northmere) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    rows = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, rows)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    return body + table + trailer


def binary() -> bytes:
    """Bytes of an image that a careless server calls HTML."""
    noise = bytes((index * index * 31 + index * 7) % 256 for index in range(6000))
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + noise


def _calendar(view: View) -> str:
    """A month with links to the months around it, for ever."""
    year, month = (int(part) for part in (view.path.rsplit("/", 1)[1] + "-1").split("-")[:2])
    months = [divmod(year * 12 + month - 1 + step, 12) for step in (-1, 1)]
    links = " ".join(f'<a href="/calendar/{year}-{index + 1}">{year}-{index + 1:02}</a>' for year, index in months)
    return f"<html><head><title>Events</title></head><body><h1>Events in {year}-{month:02}</h1>{links}</body></html>"


ENDLESS = {
    "/img/": Resource(lambda view: (TEMPLATES / "placeholder.svg").read_bytes(), content_type="image/svg+xml"),
    "/calendar/": page(_calendar),
}
"""What answers at every path under a prefix."""


def trap_links(view: View) -> str:
    """Links that a crawler must not follow for ever, or at all: shown only where the site was started with traps."""
    if not view.traps:
        return ""
    addresses = ["/calendar/2026-3", f"/?PHPSESSID={serial(view.path) * 7919 + view.hits}", "/go/intranet"]
    return "<p>" + " ".join(f'<a href="{address}">{address[1:9]}</a>' for address in addresses) + "</p>"


def portal_b_pages(shell: Shell) -> dict[str, Resource]:
    return {
        **static_pages("static_b.json", shell),
        "/empty.htm": Resource(lambda view: b"", content_type="text/html"),
        "/docs/tariff.pdf": Resource(lambda view: pdf(), content_type="application/pdf"),
        "/download/archive.htm": Resource(lambda view: binary(), content_type="text/html"),
    }


def portal_a_pages(shell: Shell) -> dict[str, Resource]:
    return {
        **static_pages("static_a.json", shell),
        "/live/storm-ragna": page(partial(_live, shell), modified=None),
        "/local/2026/03/01/untitled": page(_empty),
        "/broken": Resource(lambda view: error_page(500, "Internal Server Error"), status=500, modified=None),
        "/go/intranet": redirect("http://192.168.0.10/salaries", 302),
        "/feed-empty.xml": text("", "application/rss+xml"),
        "/feed-broken.xml": text("<rss><channel><item><title>Cut off", "application/rss+xml"),
        "/docs/annual-report.pdf": Resource(lambda view: pdf(), content_type="application/pdf"),
        "/download/map": Resource(lambda view: binary(), content_type=HTML),
    }

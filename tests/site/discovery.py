"""robots.txt, sitemaps and feeds of a portal."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from datetime import timedelta
from email.utils import format_datetime
from xml.sax.saxutils import escape

from tests.site import portal_a, portal_b
from tests.site.render import date_of, modified_at
from tests.site.resource import EPOCH, Resource, View, page
from tests.site.source import Article

XML = "application/xml"
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def robots(disallowed: Iterable[str], sitemaps: Iterable[str], crawl_delay: float) -> Callable[[View], str]:
    """`Disallow` for a few paths, a crawl delay, the sitemaps' absolute addresses."""

    def render(view: View) -> str:
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in disallowed), f"Crawl-delay: {crawl_delay:g}", ""]
        return "\n".join([*lines, *(f"Sitemap: {view.base}{path}" for path in sitemaps), ""])

    return render


def _published(found: list[Article], view: View) -> list[Article]:
    return [article for article in found if article.path not in view.withheld]


def _urlset(rows: Iterable[str], extra: str = "") -> str:
    return f'{_HEAD}<urlset xmlns="{_SITEMAP}"{extra}>\n' + "\n".join(rows) + "\n</urlset>\n"


def sitemap(found: list[Article]) -> Callable[[View], str]:
    def row(article: Article, view: View) -> str:
        address, modified = escape(view.base + article.path), modified_at(article, view).isoformat()
        return f"<url><loc>{address}</loc><lastmod>{modified}</lastmod></url>"

    return lambda view: _urlset(row(article, view) for article in _published(found, view))


def sections_sitemap(paths: Iterable[str]) -> Callable[[View], bytes]:
    """A sitemap stored as a gzip file, as large sites keep them."""

    def render(view: View) -> bytes:
        rows = [f"<url><loc>{view.base}{path}</loc><changefreq>hourly</changefreq></url>" for path in paths]
        return gzip.compress(_urlset(rows).encode(), mtime=0)

    return render


def news_sitemap(found: list[Article], name: str) -> Callable[[View], str]:
    def row(article: Article, view: View) -> str:
        return (
            f"<url><loc>{escape(view.base + article.path)}</loc><news:news><news:publication><news:name>{escape(name)}"
            f"</news:name><news:language>{article.language}</news:language></news:publication>"
            f"<news:publication_date>{article.date}</news:publication_date>"
            f"<news:title>{escape(article.title)}</news:title></news:news></url>"
        )

    return lambda view: _urlset((row(article, view) for article in _published(found, view)), f' xmlns:news="{_NEWS}"')


def sitemap_index(paths: Iterable[str]) -> Callable[[View], str]:
    def render(view: View) -> str:
        newest = EPOCH + timedelta(hours=sum(view.changes.values()))
        rows = "\n".join(
            f"<sitemap><loc>{view.base}{path}</loc><lastmod>{newest.isoformat()}</lastmod></sitemap>" for path in paths
        )
        return f'{_HEAD}<sitemapindex xmlns="{_SITEMAP}">\n{rows}\n</sitemapindex>\n'

    return render


def rss(found: list[Article], name: str) -> Callable[[View], str]:
    def item(article: Article, view: View) -> str:
        address = escape(view.base + article.path)
        return (
            f"<item><title>{escape(article.title)}</title><link>{address}</link><guid>{address}</guid>"
            f"<dc:creator>{escape(article.author)}</dc:creator><pubDate>{format_datetime(date_of(article))}</pubDate>"
            f"<description>{escape(article.standfirst or article.body[0].lines[0])}</description></item>"
        )

    def render(view: View) -> str:
        items = "\n".join(item(article, view) for article in _published(found, view))
        return (
            f'{_HEAD}<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>{escape(name)}</title>'
            f"<link>{view.base}/</link><description>Latest news</description>\n{items}\n</channel></rss>\n"
        )

    return render


def atom(found: list[Article], name: str) -> Callable[[View], str]:
    def entry(article: Article, view: View) -> str:
        address, modified = escape(view.base + article.path), modified_at(article, view).isoformat()
        return (
            f'<entry><title>{escape(article.title)}</title><id>{address}</id><link rel="alternate" href="{address}"/>'
            f"<published>{article.date}</published><updated>{modified}</updated>"
            f"<author><name>{escape(article.author)}</name></author></entry>"
        )

    def render(view: View) -> str:
        entries = "\n".join(entry(article, view) for article in _published(found, view))
        return (
            f'{_HEAD}<feed xmlns="http://www.w3.org/2005/Atom"><title>{escape(name)}</title><id>{view.base}/</id>'
            f"<updated>{EPOCH.isoformat()}</updated>\n{entries}\n</feed>\n"
        )

    return render


def json_feed(found: list[Article], name: str) -> Callable[[View], str]:
    def item(article: Article, view: View) -> dict[str, object]:
        address = view.base + article.path
        return {
            "id": address,
            "url": address,
            "title": article.title,
            "language": article.language,
            "date_published": article.date,
            "date_modified": modified_at(article, view).isoformat(),
            "authors": [{"name": article.author}],
        }

    def render(view: View) -> str:
        items = [item(article, view) for article in _published(found, view)]
        feed = {"version": "https://jsonfeed.org/version/1.1", "title": name, "items": items}
        return json.dumps(feed, ensure_ascii=False)

    return render


def portal_a_files(crawl_delay: float) -> dict[str, Resource]:
    found = portal_a.all_articles()
    sections = ["/", *(f"/section/{section}" for section in portal_a.SECTIONS)]
    parts = ["/sitemap-articles.xml", "/sitemap-sections.xml.gz"]
    rules = robots(["/search", "/login", "/private/"], ["/sitemap.xml", "/news-sitemap.xml"], crawl_delay)
    return {
        "/robots.txt": page(rules, content_type="text/plain"),
        "/sitemap.xml": page(sitemap_index(parts), content_type=XML, overview=True),
        parts[0]: page(sitemap(found), content_type=XML, overview=True),
        parts[1]: Resource(sections_sitemap(sections), content_type="application/gzip"),
        "/news-sitemap.xml": page(news_sitemap(found[:6], portal_a.NAME), content_type=XML, overview=True),
        "/feed.xml": page(rss(found[:8], portal_a.NAME), content_type="application/rss+xml", overview=True),
        "/feed.json": page(json_feed(found[:8], portal_a.NAME), content_type="application/feed+json", overview=True),
    }


def portal_b_files(crawl_delay: float) -> dict[str, Resource]:
    found = portal_b.all_articles()[:6]
    return {
        "/robots.txt": page(robots(["/cgi-bin/"], ["/sitemap.xml"], crawl_delay), content_type="text/plain"),
        "/sitemap.xml": page(sitemap(portal_b.linked_articles()), content_type=XML, overview=True),
        "/atom.xml": page(atom(found, portal_b.NAME), content_type="application/atom+xml", overview=True),
    }

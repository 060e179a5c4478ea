"""What an article's head says about it, in the different ways of real sites."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from tests.site.render import date_of, modified_at
from tests.site.resource import View
from tests.site.source import Article


def head(article: Article, view: View, site_name: str) -> str:
    """The canonical link and the metadata that the article's source asks for."""
    lines = [f'<link rel="canonical" href="{view.base}{article.path}">']
    lines.extend(_WRITERS[article.metadata](article, view, site_name))
    return "\n".join(lines)


def _properties(pairs: list[tuple[str, str]], attribute: str) -> list[str]:
    return [f'<meta {attribute}="{name}" content="{escape(value)}">' for name, value in pairs if value]


def _open_graph(article: Article, view: View, site_name: str) -> list[str]:
    return _properties(
        [
            ("og:type", "article"),
            ("og:title", article.title),
            ("og:site_name", site_name),
            ("og:url", view.base + article.path),
            ("og:image", f"https://images.photopool.example/courier/{article.name}-1280.jpg"),
            ("og:description", article.standfirst),
            ("article:published_time", article.date),
            ("article:modified_time", modified_at(article, view).isoformat()),
            ("article:author", article.author),
            ("article:section", article.section),
        ],
        "property",
    )


def _news_article(article: Article, view: View, site_name: str) -> dict[str, Any]:
    return {
        "@type": "NewsArticle",
        "headline": article.title,
        "datePublished": article.date,
        "dateModified": modified_at(article, view).isoformat(),
        "inLanguage": article.language,
        "mainEntityOfPage": view.base + article.path,
        "image": [f"https://images.photopool.example/courier/{article.name}-1280.jpg"],
        "author": [{"@type": "Person", "name": article.author}],
        "publisher": {"@type": "NewsMediaOrganization", "name": site_name},
        "isAccessibleForFree": True,
    }


def _script(source: str) -> str:
    return f'<script type="application/ld+json">{source}</script>'


def _json_ld(article: Article, view: View, site_name: str) -> list[str]:
    data = {"@context": "https://schema.org", **_news_article(article, view, site_name)}
    source = json.dumps(data, ensure_ascii=False, indent=1)
    return [_script(source), *_properties([("og:type", "article")], "property")]


def _json_ld_graph(article: Article, view: View, site_name: str) -> list[str]:
    graph = [
        {"@type": "WebSite", "@id": view.base + "/#site", "name": site_name, "url": view.base + "/"},
        {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": "Home"}]},
        _news_article(article, view, site_name),
    ]
    return [_script(json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False))]


def _json_ld_broken(article: Article, view: View, site_name: str) -> list[str]:
    """With the trailing comma that hand-written templates leave behind."""
    data = {"@context": "https://schema.org", **_news_article(article, view, site_name)}
    source = json.dumps(data, ensure_ascii=False, indent=1).removesuffix("\n}") + ",\n}"
    return [_script(source)]


def _meta(article: Article, view: View, site_name: str) -> list[str]:
    return _properties(
        [
            ("author", article.author),
            ("date", f"{date_of(article):%Y-%m-%d}"),
            ("description", article.standfirst),
            ("keywords", ", ".join(article.tags)),
        ],
        "name",
    )


def _visible(article: Article, view: View, site_name: str) -> list[str]:
    """Nothing in the head: byline and date stand on the page alone."""
    return []


_WRITERS = {
    "open-graph": _open_graph,
    "json-ld": _json_ld,
    "json-ld-graph": _json_ld_graph,
    "json-ld-broken": _json_ld_broken,
    "meta": _meta,
    "visible": _visible,
}

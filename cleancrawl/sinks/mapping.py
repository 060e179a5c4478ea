"""What a server index holds: its mapping, with an analysed copy of the text per language, and an article's document."""

from __future__ import annotations

from typing import Any

from cleancrawl.core.article import COLUMNS, ArticleRecord, Search

VERSION = 1
"""Of the mapping: part of the index's name and of its ``_meta``. A field more that is searched is a new version."""

# ISO 639-1 → analyzer that both OpenSearch and Elasticsearch have built in.
ANALYZERS = {
    "ar": "arabic",
    "bg": "bulgarian",
    "bn": "bengali",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "gl": "galician",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "ja": "cjk",
    "ko": "cjk",
    "lt": "lithuanian",
    "lv": "latvian",
    "nb": "norwegian",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "th": "thai",
    "tr": "turkish",
    "zh": "cjk",
}
_KEYWORD = {"type": "keyword", "ignore_above": 2048}
_TYPES: dict[Search, dict[str, Any]] = {
    "keyword": _KEYWORD,
    "words": {"type": "text"},
    "names": {"type": "text", "fields": {"name": _KEYWORD}},
    "date": {"type": "date", "ignore_malformed": True},
}
PROPERTIES = {name: _TYPES[column.search] for name, column in COLUMNS.items() if column.search}
SETTINGS = {"number_of_shards": 1, "index.gc_deletes": "1d"}
"""Of each index. How long a server remembers that a document was deleted, so that no older version comes back."""
REJECTED_BODY: dict[str, Any] = {
    "settings": SETTINGS,
    "mappings": {
        "dynamic": False,
        "properties": {"url": _KEYWORD, "rejected": {"type": "date"}, "reason": {"type": "text"}},
    },
}


def index_body(alias: str) -> dict[str, Any]:
    """Settings, mapping and alias of a new index; unknown fields are kept in ``_source`` and not analysed."""
    stemmed = {language: {"type": "text", "analyzer": analyzer} for language, analyzer in ANALYZERS.items()}
    return {
        "settings": SETTINGS,
        "mappings": {
            "dynamic": False,
            "_meta": {"cleancrawl": {"version": VERSION}},
            "_source": {"excludes": ["stemmed"]},
            "properties": {**PROPERTIES, "stemmed": {"properties": stemmed}},
        },
        "aliases": {alias: {}},
    }


def to_source(article: ArticleRecord, language: str) -> dict[str, Any]:
    """An article as the index takes it: empty fields left out, the text once more for its language's analyzer."""
    source = {name: value for name, value in article.items() if value not in (None, "", [], {})}
    if language in ANALYZERS:
        source["stemmed"] = {language: f"{article.get('title') or ''}\n{article.get('text') or ''}"}
    return source

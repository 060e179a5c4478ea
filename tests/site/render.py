"""Templates and the pieces that both portals share."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import cache
from html import escape
from string import Template
from zlib import crc32

from tests.site.resource import EPOCH, View
from tests.site.source import HERE, Article, SourceBlock, markup

TEMPLATES = HERE / "templates"


@cache
def template(name: str) -> Template:
    return Template((TEMPLATES / name).read_text("utf-8"))


def fill(name: str, /, **values: object) -> str:
    """The template with every placeholder filled; a missing value is an error, never a gap in a page."""
    return template(name).substitute(values)


@cache
def _labels() -> dict[str, dict[str, str]]:
    return json.loads((TEMPLATES / "labels.json").read_text("utf-8"))  # type: ignore[no-any-return]


def labels(language: str) -> dict[str, str]:
    return {f"label_{key}": value for key, value in _labels()[language].items()}


def serial(text: str) -> int:
    """A number that looks random and is the same on every machine."""
    return crc32(text.encode()) % 90_000 + 10_000


def direction(language: str) -> str:
    return "rtl" if language == "ar" else "ltr"


def counters(view: View) -> dict[str, object]:
    """The small changes that a footer shows from page to page."""
    number = serial(view.path) + view.version
    built = EPOCH.replace(minute=number % 60, second=number * 7 % 60)
    return {
        "built": f"{built:%d %B %Y at %H:%M:%S}, revision {view.version}",
        "readers": f"{number % 4000 + 300:,}",
        "subscribers": f"{48_000 + number % 97:,}",
        "serial": number,
    }


def date_of(article: Article) -> datetime:
    return datetime.fromisoformat(article.date)


def modified_at(article: Article, view: View) -> datetime:
    """An hour later with each change, as the page's own Last-Modified says."""
    return date_of(article) + timedelta(hours=view.changes.get(article.path, 0))


def inline(text: str) -> str:
    return markup(escape(text, quote=False))


_EDITIONS = {
    "deutsch": "Deutsche Ausgabe",
    "arabic": "النسخة العربية",
    "chinese": "中文版",
    "russian": "Русский",
    "japanese": "日本語",
}


def section_title(section: str) -> str:
    return _EDITIONS.get(section, section.title())


def block_html(block: SourceBlock, heading: str = "h2") -> str:
    if block.kind == "list":
        return "<ul>" + "".join(f"<li>{inline(line)}</li>" for line in block.lines) + "</ul>"
    text = inline(block.lines[0])
    if block.kind == "subhead":
        return f"<{heading}>{text}</{heading}>"
    return f"<blockquote><p>{text}</p></blockquote>" if block.kind == "quote" else f"<p>{text}</p>"


def with_additions(article: Article, view: View) -> tuple[SourceBlock, ...]:
    """The body with what was added to it since the first version."""
    return article.body + tuple(SourceBlock("paragraph", (addition,)) for addition in view.additions)


@cache
def _comment_pool() -> list[tuple[str, str]]:
    lines = (TEMPLATES / "comments.txt").read_text("utf-8").splitlines()
    return [(name, text) for name, text in (line.split(" | ", 1) for line in lines)]


def comments_for(article: Article) -> list[tuple[str, str]]:
    """Two to five reader comments; only English pages have some."""
    if article.language != "en":
        return []
    pool, start = _comment_pool(), serial(article.name)
    return [pool[(start + 5 * index) % len(pool)] for index in range(2 + start % 4)]


def word_total(article: Article) -> int:
    return sum(len(line.split()) for block in article.body for line in block.lines)

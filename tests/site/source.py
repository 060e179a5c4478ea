"""Article sources: a plain text file with a head of `key: value` lines, a blank line and the body.

Body blocks are separated by blank lines: `## ` opens a subhead, `- ` lines make a list, `> ` a quote, anything else
is a paragraph. Inline there are `[text](address)` and `*emphasis*`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

HERE = Path(__file__).parent
GOLD = HERE / "gold"

BlockKind = Literal["paragraph", "subhead", "list", "quote"]
_LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
_EMPHASIS = re.compile(r"\*([^*]+)\*")


@dataclass(frozen=True)
class SourceBlock:
    kind: BlockKind
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Article:
    """One article as its newsroom wrote it."""

    name: str
    portal: str
    path: str
    title: str
    author: str
    date: str
    language: str
    section: str
    body: tuple[SourceBlock, ...]
    standfirst: str = ""
    caption: str = ""
    credit: str = ""
    bio: str = ""
    tags: tuple[str, ...] = ()
    metadata: str = "visible"
    encoding: str = "utf-8"
    options: frozenset[str] = field(default_factory=frozenset)

    @property
    def gold(self) -> Path:
        return GOLD / f"{self.name}.txt"


def plain(text: str) -> str:
    """The text without its inline marks.

    >>> plain("See [the plan](/plan) *today*.")
    'See the plan today.'
    """
    return _EMPHASIS.sub(r"\1", _LINK.sub(r"\1", text))


def markup(escaped: str) -> str:
    """Inline marks of an escaped text as HTML.

    >>> markup("See [the plan](/plan) *today*.")
    'See <a href="/plan">the plan</a> <em>today</em>.'
    """
    return _EMPHASIS.sub(r"<em>\1</em>", _LINK.sub(r'<a href="\2">\1</a>', escaped))


def gold_text(article: Article) -> str:
    """The core text: standfirst, paragraphs, subheads, list items and quotes in reading order, one per line.

    The headline, the byline, captions, credits and the author's biography are left out.
    """
    lines = [article.standfirst] if article.standfirst else []
    for block in article.body:
        lines.extend(plain(line) for line in block.lines)
    return "\n".join(lines) + "\n"


def parse(name: str, text: str) -> Article:
    head, _, body = text.partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    return Article(
        name=name,
        portal=fields.pop("portal"),
        path=fields.pop("path"),
        title=fields.pop("title"),
        author=fields.pop("author"),
        date=fields.pop("date"),
        language=fields.pop("language"),
        section=fields.pop("section"),
        tags=_listed(fields.pop("tags", "")),
        options=frozenset(_listed(fields.pop("options", ""))),
        body=tuple(_block(chunk) for chunk in re.split(r"\n{2,}", body.strip())),
        **fields,
    )


def _listed(value: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in value.split(",") if item.strip())


def _block(chunk: str) -> SourceBlock:
    if chunk.startswith("## "):
        return SourceBlock("subhead", (chunk[3:],))
    if chunk.startswith("- "):
        return SourceBlock("list", tuple(line[2:] for line in chunk.splitlines()))
    if chunk.startswith("> "):
        return SourceBlock("quote", (" ".join(line.removeprefix("> ") for line in chunk.splitlines()),))
    return SourceBlock("paragraph", (" ".join(chunk.splitlines()),))


@cache
def articles() -> dict[str, Article]:
    """All articles by name, newest first."""
    found = [parse(path.stem, path.read_text("utf-8")) for path in sorted((HERE / "articles").glob("*.txt"))]
    return {article.name: article for article in sorted(found, key=lambda article: article.date, reverse=True)}

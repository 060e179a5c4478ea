"""The data card of a corpus: what is in it and how it was made, for people (Markdown) and for programs (JSON)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.corpus.selection import words_of
from cleancrawl.sinks.analysis import base_language

_SHOWN = 30


@dataclass(slots=True)
class Counts:
    """What is counted while the articles go by; survives an interruption as JSON."""

    articles: int = 0
    words: int = 0
    duplicates: int = 0
    withdrawn: int = 0
    dated: int = 0
    blocks_total: int = 0
    blocks_kept: int = 0
    sites: Counter[str] = field(default_factory=Counter)
    site_words: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    months: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    recipes: Counter[str] = field(default_factory=Counter)
    rights: Counter[str] = field(default_factory=Counter)
    """Articles by what they say about their use."""

    def add(self, article: ArticleRecord) -> None:
        words, site = words_of(article), article.get("site") or "unknown"
        self.articles += 1
        self.words += words
        self.duplicates += bool(article.get("duplicate_of"))
        self.withdrawn += bool(article.get("withdrawn"))
        self.sites[site] += 1
        self.site_words[site] += words
        self.languages[base_language(article.get("language")) or "unknown"] += 1
        if published := article.get("published"):
            self.dated += 1
            self.months[str(published)[:7]] += 1
        self.blocks_total += article.get("blocks_total") or 0
        self.blocks_kept += article.get("blocks_kept") or 0
        self.removed.update(article.get("removed") or {})
        self.rights.update(said_about_use(article.get("rights") or []))
        self.recipes[article.get("recipe") or "unknown"] += 1

    def merge(self, other: Counts) -> None:
        """Add what was counted elsewhere."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Counts:
        typed: dict[str, Any] = {
            name: Counter(value) if isinstance(value, dict) else value for name, value in values.items()
        }
        return cls(**typed)


def card_json(counts: Counts, made: dict[str, Any]) -> dict[str, Any]:
    values = counts.to_json()
    ordered = {key: _ordered(value) if isinstance(value, Counter) else value for key, value in values.items()}
    return {**ordered, "made": made}


def card_markdown(counts: Counts, made: dict[str, Any]) -> str:
    """The card as a page that can be read without tools."""
    months = sorted(counts.months)
    dates = f"{months[0]} to {months[-1]}" if months else "unknown"
    overview = [
        ("articles", f"{counts.articles:,}"),
        ("words", f"{counts.words:,}"),
        ("sites", f"{len(counts.sites):,}"),
        ("published", f"{dates} ({counts.dated:,} with a date)"),
        ("languages", ", ".join(f"{name} {count:,}" for name, count in _ordered(counts.languages).items()) or "none"),
        ("duplicates of another article", f"{counts.duplicates:,}"),
        ("withdrawn: their pages are gone", f"{counts.withdrawn:,}"),
        ("recipes", ", ".join(_ordered(counts.recipes)) or "none"),
        ("blocks kept", _share(counts.blocks_kept, counts.blocks_total)),
    ]
    sections = [
        "# Data card",
        _table(("what", "value"), overview),
        "## Sites",
        _table(
            ("site", "articles", "words"),
            [
                (site, f"{count:,}", f"{counts.site_words[site]:,}")
                for site, count in list(_ordered(counts.sites).items())[:_SHOWN]
            ],
            len(counts.sites) - _SHOWN,
        ),
        "## Published",
        _table(("month", "articles"), [(month, f"{counts.months[month]:,}") for month in months]),
        "## What cleaning removed",
        _table(("rule", "blocks"), [(rule, f"{count:,}") for rule, count in _ordered(counts.removed).items()][:_SHOWN]),
        "## Rights",
        _table(
            ("said", "articles"), [(said, f"{count:,}") for said, count in _ordered(counts.rights).items()][:_SHOWN]
        ),
        "## How it was made",
        _table(("what", "value"), [(name, f"`{value}`") for name, value in made.items()]),
    ]
    return "\n\n".join(sections) + "\n"


def said_about_use(rights: list[dict[str, str | None]]) -> set[str]:
    """What one article says, in words that can be counted: no copyright line is like another.

    >>> sorted(said_about_use([{"kind": "copyright", "value": "© A"}, {"kind": "robots", "value": "noai"}]))
    ['copyright line', 'robots noai']
    """
    names = {"copyright": "copyright line", "tdm-policy": "tdm policy"}
    # A date says little about how many there are.
    said = [
        (one["kind"] or "", (one["value"] or "").replace("unavailable_after:", "unavailable_after ", 1))
        for one in rights
    ]
    found = {names.get(kind) or f"{kind} {value.partition(' ')[0]}" for kind, value in said}
    return found or {"nothing"}


def _ordered(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({part / whole:.1%})" if whole else "unknown"


def _table(header: tuple[str, ...], rows: list[Any], more: int = 0) -> str:
    if not rows:
        return "none"
    cells = [header, ("---",) * len(header), *rows]
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in cells]
    return "\n".join([*lines, *([f"\nand {more:,} more, in the JSON card"] if more > 0 else [])])

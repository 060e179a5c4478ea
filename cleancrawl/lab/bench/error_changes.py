"""False and lost text by kind, before and after a change: kinds by the place on the page first, then by wording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.error_kinds import false_parts, kind_of, lost_parts
from cleancrawl.lab.bench.metrics import tokens
from cleancrawl.lab.bench.optional_lines import without_optional
from cleancrawl.lab.bench.predictions import text_of
from cleancrawl.lab.bench.text_places import Place, Places, places_of
from cleancrawl.lab.bench.text_tables import markdown_table

FALSE_HINTS = (
    ("comments", "comment"),
    ("caption or credit", "caption"),
    ("author's biography", "author"),
    ("newsletter, donation, paywall", "newsletter"),
    ("other articles", "related"),
    ("sharing", "share"),
    ("tags", "tags"),
    ("advertisement", "ad"),
    ("promotion or box", "promo"),
    ("menu", "nav"),
    ("footer", "footer"),
    ("sidebar", "sidebar"),
    ("video or audio", "video"),
    ("date and other metadata", "meta"),
    ("other articles", "card"),
)
"""Kind and hint of a container, the surest first: the innermost container with any of them decides."""
FALSE_TAGS = {"figcaption": "caption or credit", "figure": "caption or credit", "nav": "menu", "footer": "footer"}
WORDED = {
    "credit": "caption or credit",
    "biography": "author's biography",
    "newsletter": "newsletter, donation, paywall",
    "donation": "newsletter, donation, paywall",
    "related": "other articles",
    "advertising": "advertisement",
    "byline": "date and other metadata",
}
"""Kinds by wording that are the same as one by place."""
LOST_TAGS = {
    **dict.fromkeys(("li", "dd", "dt", "ul", "ol", "dl"), "list item"),
    **dict.fromkeys(("td", "th", "tr", "table", "caption"), "table cell"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("blockquote", "q"), "quote"),
    **dict.fromkeys(("figcaption", "figure"), "caption"),
    **dict.fromkeys(("pre", "code"), "code or verse"),
}


def changes(pages: Sequence[GoldPage], texts: Mapping[str, Mapping[str, str]]) -> str:
    """Words of false and of lost text by set and kind, for two ways of cleaning the pages that have a gold text."""
    sets = list(dict.fromkeys(page.set for page in pages if page.text is not None))
    false = {name: Counter[tuple[str, str]]() for name in texts}
    lost = {name: Counter[tuple[str, str]]() for name in texts}
    for page in pages:
        if page.text is None:
            continue
        places = places_of(page)
        for name, known in texts.items():
            text = without_optional(text_of(known, page), page.text, page.optional)
            for kind, words in false_kinds(text, page.text, places):
                false[name][page.set, kind] += words
            for kind, words in lost_kinds(text, page.text, places):
                lost[name][page.set, kind] += words
    header = [f"{name}: {', '.join(texts)}" for name in sets]
    return "\n\n".join(_table(title, sets, header, counts) for title, counts in (("false", false), ("lost", lost)))


def _table(
    title: str, sets: Sequence[str], header: Sequence[str], counts: Mapping[str, Counter[tuple[str, str]]]
) -> str:
    columns = [*counts.values()]
    totals: Counter[str] = Counter()
    for (_, kind), words in columns[0].items():
        totals[kind] += words
    kinds = sorted({kind for column in columns for _, kind in column}, key=lambda kind: (-totals[kind], kind))
    rows = [[kind, *(", ".join(f"{column[name, kind]:,}" for column in columns) for name in sets)] for kind in kinds]
    whole = [", ".join(f"{sum(column[name, kind] for kind in kinds):,}" for column in columns) for name in sets]
    return markdown_table([f"words of {title} text", *header], [*rows, ["all", *whole]])


def false_kinds(text: str, gold: str, places: Places) -> list[tuple[str, int]]:
    """Kind and words of each false line."""
    found = []
    for line, words, copied, after_first, before_last in false_parts(text, gold):
        place = places.find(line)
        if _is_title(line, places.title):
            kind = "headline again"
        elif copied:
            kind = "second copy"
        else:
            kind = _kind_by_place(place) or _kind_by_words(line, place, after_first, before_last)
        found.append((kind, words))
    return found


def _is_title(line: str, title: str) -> bool:
    words = " ".join(tokens(line.lower()))
    return bool(words) and (words == title or (len(words) > len(title) / 2 and title.startswith(words)))


def _kind_by_place(place: Place | None) -> str | None:
    if place is None:
        return None
    if place.tag in FALSE_TAGS:
        return FALSE_TAGS[place.tag]
    for tag, hints in zip(place.tags, place.hints, strict=True):
        if tag in FALSE_TAGS:
            return FALSE_TAGS[tag]
        for kind, hint in FALSE_HINTS:
            if hint in hints:
                return kind
        if tag == "aside":
            return "sidebar"
    return "other articles" if place.linked else None


def _kind_by_words(line: str, place: Place | None, after_first: int, before_last: int) -> str:
    kind = kind_of(line, after_first, before_last)
    if kind in WORDED:
        return WORDED[kind]
    for end in (" before the start", " after the end"):
        if kind.endswith(end):
            return f"other text{end}"
    if kind in ("short line", "paragraph", "unfinished line"):
        return f"{LOST_TAGS.get(place.tag, 'other text') if place else 'other text'} inside"
    return kind


def lost_kinds(text: str, gold: str, places: Places) -> list[tuple[str, int]]:
    """Kind and words of each lost line."""
    parts = lost_parts(text, gold)
    found = [number for number, (_, _, gone) in enumerate(parts) if not gone]
    if not found:
        return [("the whole article", sum(words for _, words, _ in parts))] if parts else []
    kinds = []
    for number, (line, words, gone) in enumerate(parts):
        if not gone:
            continue
        place = places.find(line)
        tags = (place.tag, *place.tags[:3]) if place else ()
        kind = next((LOST_TAGS[tag] for tag in tags if tag in LOST_TAGS), None)
        if kind is None:
            kind = "standfirst or opening" if number < found[0] else "ending" if number > found[-1] else "paragraph"
        kinds.append((kind, words))
    return kinds

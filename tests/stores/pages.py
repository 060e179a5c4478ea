"""Pages made of a few lines, as a store sees them."""

from __future__ import annotations

from typing import Any

from cleancrawl.core.fingerprints.block_prints import Prints, exact_keys, stored_prints
from cleancrawl.stores.protocol import PageRecord, Signature, Visit

SITE = "portal.example"
FOOTER = "Copyright by the portal, all rights reserved, see our terms of use and the privacy policy for more about us"
NOON = 1_700_000_000.0


def prints_of(*lines: str) -> Prints:
    return Prints(exact_keys(lines), lambda indices: stored_prints([lines[i] for i in indices]), lines)


def raw_prints(*pairs: tuple[int, int | None]) -> Prints:
    """Fingerprints as given: exact and near."""
    return Prints([pair[0] for pair in pairs], lambda indices: [pairs[i][1] for i in indices])


def story(number: int, sentences: int = 4) -> list[str]:
    """Lines that no other story has."""
    words = [f"w{number}x{i}" for i in range(20 * sentences)]
    return [" ".join(words[20 * i : 20 * i + 20]).capitalize() + "." for i in range(sentences)]


def url_of(number: int | str) -> str:
    return f"https://{SITE}/{number}"


def record_of(
    url: str, *lines: str, site: str = SITE, fetched: float = NOON, reason: str | None = None, **more: Any
) -> PageRecord:
    """A page of which every line is kept."""
    prints = prints_of(*lines)
    content = more.pop("content", stored_prints([" ".join(lines)])[0] or 0)
    visit_fields = {name: more.pop(name) for name in ("status", "etag", "last_modified") if name in more}
    visit = Visit(site, url, fetched, reason=reason, **visit_fields)
    words = more.pop("words", [len(line.split()) for line in lines])
    return PageRecord(visit, prints, content, words, **more)


def article_of(title: str, text: str = "Text.") -> dict[str, Any]:
    return {"title": title, "text": text, "authors": ["Ann"], "score": 0.5}


def signature_of(*keys: int, data: bytes = b"data") -> Signature:
    return Signature(tuple(keys), data)

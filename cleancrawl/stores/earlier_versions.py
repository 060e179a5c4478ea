"""What an article said before it changed: the last few versions, as a note of its site in any store."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from xxhash import xxh3_128_hexdigest

from cleancrawl.core.recipe import SiteNotes
from cleancrawl.core.text.encodable import encodable
from cleancrawl.stores.protocol import StoredArticle

KEPT = 5
CHARACTERS = 400_000
"""Of all earlier versions of one article together: the oldest go first."""


@dataclass(frozen=True, slots=True)
class EarlierVersion:
    version: int
    recorded: float
    """When it was accepted."""
    title: str
    text: str


def keep_version(notes: SiteNotes, before: StoredArticle) -> None:
    """Remember what stood in the store before a new version of it; twice is as good as once."""
    article = before.article or before.was
    if article is None:
        return
    title, text = (encodable(str(article.get(name) or "")) for name in ("title", "text"))
    kept = {one.version: one for one in earlier_versions(notes, before.site, before.url)}
    kept[before.version] = EarlierVersion(before.version, before.recorded, title, text)
    versions = [kept[number] for number in sorted(kept)][-KEPT:]
    while versions and sum(len(one.text) for one in versions) > CHARACTERS:
        del versions[0]
    notes.set_note(before.site, _name(before.url), json.dumps([asdict(one) for one in versions]))


def earlier_versions(notes: SiteNotes, site: str, url: str) -> list[EarlierVersion]:
    """What is known of them, oldest first."""
    text = notes.note(site, _name(url))
    return [EarlierVersion(**fields) for fields in json.loads(text)] if text else []


def _name(url: str) -> str:
    return f"versions/{xxh3_128_hexdigest(url.encode('utf-8', 'surrogatepass'))}"

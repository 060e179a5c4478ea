"""When an article that comes again is a new version of the stored one: decided by all backends in the same way.

As with ``page_rules``, what says "Also in lua/…" is written there once more, for the server, and has to change with it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping

from xxhash import xxh64_intdigest

from cleancrawl.core.article import ArticleRecord
from cleancrawl.stores.page_rules import SHORT, unpack_own
from cleancrawl.stores.protocol import PageRecord


def article_digest(article: ArticleRecord) -> int:
    """What tells a new version from the same article fetched again: its title and text, not its times or scores."""
    text = f"{article.get('title') or ''}\0{article.get('text') or ''}"
    return xxh64_intdigest(text.encode("utf-8", "surrogatepass"))


# Also in lua/record.lua.
def verdicts(record: PageRecord, limit: int) -> bytes:
    """Who judged the page, then the packed keys of its blocks with their verdicts; above the limit kept ones stay."""
    halves = [key & SHORT for key, _ in zip(record.prints.exact, record.words, strict=False)]
    kept = {half for half, words in zip(halves, record.words, strict=False) if words > 0}
    each = dict.fromkeys(halves)
    ordered = [half | 1 for half in each if half in kept] + [half for half in each if half not in kept]
    return array("I", [record.judge, *ordered[:limit]]).tobytes()


# Also in lua/record.lua.
def same_source(before: bytes, now: bytes) -> bool:
    """Whether two verdicts on a page differ only by what has become known of its site in between.

    Then the page has not changed and its article is no new version: the judge is the same, and every block that only
    one of them keeps was on the page before and is on it now. One that others repeat, once it goes, may decide about
    its neighbours, which nobody repeats.
    """
    if len(before) <= 4 or before[:4] != now[:4]:
        return False
    then, there = unpack_own(before[4:]), unpack_own(now[4:])
    return all(key in then and key in there for key in _kept(then) ^ _kept(there))


def _kept(verdicts: Mapping[int, bool]) -> set[int]:
    return {key for key, kept in verdicts.items() if kept}


# Also in lua/record.lua.
def same_head(first: ArticleRecord, second: ArticleRecord) -> bool:
    """Whether what does not come from the blocks is the same in two articles."""
    return all(first.get(name) == second.get(name) for name in ("title", "recipe"))


# Also in lua/record.lua.
def more_renderings(stored: ArticleRecord, article: ArticleRecord) -> bool:
    """Whether an article that is there already comes with all renderings of the stored one, and more.

    Then it takes its place and is no new version: somebody has asked for more formats since.

    >>> more_renderings({"markdown": "A"}, {"markdown": "A", "clean_html": "<p>A</p>"})
    True
    >>> more_renderings({"markdown": "A"}, {"clean_html": "<p>A</p>"}), more_renderings({}, {"markdown": None})
    (False, False)
    """
    return _renderings(stored) < _renderings(article)


def _renderings(article: ArticleRecord) -> set[str]:
    return {name for name in ("markdown", "clean_html") if article.get(name) is not None}


def with_original(text: str | bytes, original: str | None) -> str | None:
    """The JSON of a stored article that repeats another one, or none any more; None where it says so already.

    >>> with_original('{"url": "b", "duplicate_of": null}', "a"), with_original('{"url": "b"}', None)
    ('{"url": "b", "duplicate_of": "a"}', None)
    """
    article: ArticleRecord = json.loads(text)
    if article.get("duplicate_of") == original:
        return None
    return json.dumps({**article, "duplicate_of": original})

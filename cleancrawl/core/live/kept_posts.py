"""What is left of a live report's posts from version to version: those that fall off the page stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import pairwise

from cleancrawl.core.article import Article
from cleancrawl.core.live.live_posts import Post
from cleancrawl.core.render.markdown_escape import escape_inline, escape_line_start
from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.core.text.words import count_words, normalise

PostRecord = dict[str, str | None]
MOST_POSTS = 2_000
"""Of an article; above it the oldest go."""
MOST_CHARACTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class KeptPosts:
    """All posts of an article, and which of them its page has no more."""

    records: list[PostRecord]
    """In the order of the page."""
    fallen: list[PostRecord]
    newest_first: bool


def keep_posts(shown: Sequence[Post], stored: Sequence[PostRecord], now: str) -> KeptPosts:
    """The posts of a page with those of its stored article that have fallen off it.

    A post that was stored is the same one if it has the same name, else the same text, else the same time: then it is
    as the page has it now, a correction. One that the page has no more stays where it is older or newer than all that
    are shown. One from between them was deleted.
    """
    present = [record_of(post, now) for post in shown]
    newest_first = _newest_first(present)
    lost = _unmatched(present, [{name: record.get(name) for name in RECORD} for record in stored])
    shown_moments = [moment for record in present if (moment := _moment(record))]
    older = [record for record in lost if _lies(record, shown_moments, newest_first) < 0]
    newer = [record for record in lost if _lies(record, shown_moments, newest_first) > 0]
    before, behind = (newer, older) if newest_first else (older, newer)
    records, fallen = _bounded([*before, *present, *behind], newest_first), [*before, *behind]
    return KeptPosts(records, [record for record in fallen if record in records], newest_first)


def _unmatched(present: list[PostRecord], stored: list[PostRecord]) -> list[PostRecord]:
    """Which stored posts the page has no more; those that it has are told when they were first seen."""
    for name in ("id", "text", "time"):
        here, there = _unique(present, name), _unique(stored, name)
        for value, record in there.items():
            same = here.get(value)
            if same is not None:
                same["first_seen"] = record["first_seen"] or same["first_seen"]
                present = [other for other in present if other is not same]
                stored = [other for other in stored if other is not record]
    return stored


def _unique(records: list[PostRecord], name: str) -> dict[str, PostRecord]:
    """Those of which one alone has this value; of equal texts the first."""
    found: dict[str, list[PostRecord]] = {}
    for record in records:
        value = record[name]
        if value:
            found.setdefault(value, []).append(record)
    return {value: same[0] for value, same in found.items() if len(same) == 1 or name == "text"}


RECORD = ("id", "time", "title", "text", "first_seen")


def record_of(post: Post, now: str) -> PostRecord:
    return {"id": post.id, "time": post.time, "title": post.title, "text": post.text, "first_seen": now}


def _moment(record: PostRecord) -> datetime | None:
    return parse_date(record.get("time")) if record.get("time") else None


def _lies(record: PostRecord, moments: Sequence[datetime], newest_first: bool) -> int:
    """Before (-1) or behind (1) those that are shown, or between them; before where nobody knows: reports grow.

    What counts is the last that is shown, or the first: an old post may be pinned at the other end.
    """
    moment = _moment(record)
    if moment is None or not moments or moment <= moments[-1 if newest_first else 0]:
        return -1
    return 1 if moment > max(moments) else 0


def _newest_first(records: Sequence[PostRecord]) -> bool:
    moments = [moment for record in records if (moment := _moment(record))]
    return sum(one >= other for one, other in pairwise(moments)) * 2 >= len(moments) - 1


def _bounded(records: list[PostRecord], newest_first: bool) -> list[PostRecord]:
    ordered = records if newest_first else records[::-1]
    kept, characters = [], 0
    for record in ordered[:MOST_POSTS]:
        characters += len(record["text"] or "")
        if characters > MOST_CHARACTERS:
            break
        kept.append(record)
    return kept if newest_first else kept[::-1]


def write_posts(article: Article, kept: KeptPosts) -> list[PostRecord]:
    """Put the posts into the article, and into its text those that the page has no more; gives these."""
    article.posts = list(kept.records)
    lines = article.text.split("\n") if article.text else []
    there = set(map(normalise, lines))
    added = [record for record in kept.fallen if not _is_there(record, there)]
    own = {normalise(line) for record in kept.records for line in (record["text"] or "").split("\n")}
    places = [place for place, line in enumerate(lines) if normalise(line) in own]
    missing = [record for record in kept.records if record not in kept.fallen and not _is_there(record, there)]
    first, end = (places[0], places[-1] + 1) if places else (len(lines), len(lines))
    at = end if kept.newest_first else first
    # Posts that only machines are told stand in for the whole report.
    more = [*missing, *added] if kept.newest_first else [*added, *missing]
    texts = [line for record in more for line in (record["text"] or "").split("\n")]
    article.text = "\n".join([*lines[:at], *texts, *lines[at:]])
    article.word_count += sum(map(count_words, texts))
    return more


def render_posts(article: Article, more: Sequence[PostRecord], *, newest_first: bool) -> None:
    """The same for the other formats, at their end or beginning."""
    lines = [line for record in more for line in (record["text"] or "").split("\n")]
    if not lines:
        return
    for name, written, joint in (
        ("markdown", "\n\n".join(escape_line_start(escape_inline(line)) for line in lines), "\n\n"),
        ("clean_html", "\n".join(f"<p>{escape(line, quote=False)}</p>" for line in lines), "\n"),
    ):
        before = getattr(article, name)
        if before is not None:
            both = [before, written] if newest_first else [written, before]
            setattr(article, name, joint.join(filter(None, both)))


def _is_there(record: PostRecord, lines: set[str]) -> bool:
    """Whether a text has a post: most of its lines."""
    own = [normalise(line) for line in (record["text"] or "").split("\n")]
    return sum(line in lines for line in own) * 2 > len(own)

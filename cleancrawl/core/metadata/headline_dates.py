"""The dates that readers see beside the headline, and what they say about the date that the page states to machines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from cleancrawl.core.block import Block
from cleancrawl.core.metadata import dates
from cleancrawl.core.text.iso_dates import days_between
from cleancrawl.core.text.language_words import phrases

_LONGEST_LINE = 100
_LONGEST_LABEL = 30
_MOST_WORDS = 16
_MOST_PLAIN_WORDS = 3
_OPENING = 60
_RANGE = re.compile(r"\d\s?[-–]\s?$")
_HEADINGS = frozenset({"h1", "h2", "h3"})
_BEFORE, _BEHIND = 6, 16
_NEAR_BEFORE, _NEAR_BEHIND = 2, 6


class Shown(NamedTuple):
    """A date line: as what its date can be read, and whether it is said to be that of an update."""

    readings: tuple[str, ...]
    updated: bool = False


@cache
def _labels(section: str) -> tuple[str, ...]:
    """Parts of the words before a date that say what it is a date of."""
    return phrases(section)


def headline(blocks: Sequence[Block], title: str) -> int | None:
    """The place of the headline: the main heading that is the title, else another that is, else the first main heading.

    >>> headline([Block("Site", 1, 0, "h1", index=0), Block("A Storm", 2, 0, "h2", index=1)], "A storm")
    1
    """
    wanted = _fold(title)
    first = other = None
    for block in blocks:
        if block.tag in _HEADINGS:
            is_title = bool(wanted) and _folds_to(block.text, wanted)
            if block.tag == "h1":
                if is_title:
                    return block.index
                first = block.index if first is None else first
            elif is_title and other is None:
                other = block.index
    return first if other is None else other


def beside(blocks: Sequence[Block], place: int) -> tuple[list[str], list[str]]:
    """The lines before a block and those behind it."""
    before = [line for block in blocks[max(0, place - _BEFORE) : place] for line in block.text[:400].split("\n")]
    behind = [line for block in blocks[place + 1 : place + 1 + _BEHIND] for line in block.text[:400].split("\n")]
    return before[-_BEFORE:], behind[:_BEHIND]


def shown_dates(before: Sequence[str], behind: Sequence[str], order: dates.Order) -> list[Shown]:
    """The dates in the lines at the headline that are not much more than a date, nearest first.

    >>> shown_dates(["Updated on", "May 5, 2024"], ["By Jane Doe | 3 May 2024"], dates.ANYWHERE)
    [Shown(readings=('2024-05-03',), updated=False), Shown(readings=('2024-05-05',), updated=True)]
    >>> shown_dates([], ["Deadline: 5 May 2024", "— Jane (@jane) May 3, 2024"], dates.ANYWHERE)
    []
    """
    above = [*date_lines(before[-_NEAR_BEFORE - 1 :], order)]
    return [*date_lines(behind[:_NEAR_BEHIND], order), *reversed(above)]


def date_lines(lines: Sequence[str], order: dates.Order) -> Iterator[Shown]:
    """The dates of the short lines that are not much more than a date, in their order."""
    label = ""
    for line in lines:
        if len(line) <= _LONGEST_LINE and line.count(" ") <= _MOST_WORDS and "@" not in line:
            yield from _in_line(line, label, order)
        label = line if len(line) <= _LONGEST_LABEL else ""


def openings(lines: Iterable[str], order: dates.Order) -> Iterator[str]:
    """The dates with which paragraphs open, as in "Berlin, 3 May 2024 – The minister".

    >>> list(openings(["Press release, 3 May 2024 - The minister said on Monday", "On Monday"], dates.ANYWHERE))
    ['2024-05-03']
    """
    for line in lines:
        yield from (match.readings[0] for match in dates.find(line[:_OPENING], order)[:1])


def _in_line(line: str, above: str, order: dates.Order) -> Iterator[Shown]:
    found = dates.find(line, order)
    if not found or sum(len(word) > 3 and word[0].islower() for word in line.split()) > _MOST_PLAIN_WORDS:
        return
    end = 0
    for match in found:
        label = line[end : match.start].lower()
        is_range = _RANGE.search(label) is not None
        if not end and len(label) < 3:
            label = above.lower()
        end = match.end
        if not is_range and not any(word in label for word in _labels("date-other")):
            yield Shown(match.readings, any(word in label for word in _labels("date-updated")))


def settle(
    stated: Sequence[str], shown: Iterable[Shown], day_in_url: str | None = None, modified: str | None = None
) -> str:
    """The date of publication, given what the page states to machines, what it shows to readers and its URL's day.

    Machines are often given the day in UTC, that of the import into another system or of the first draft; the day
    beside the headline is the one that a reader would name. One that is called an update says nothing, nor does that
    of the last change, or today's, which many sites print on every page. The first statement that a line or the URL
    confirms stands.

    >>> settle(["2024-05-04T01:00:00+00:00"], [Shown(("2024-05-03",))])
    '2024-05-03'
    >>> settle(["2024-05-04"], [Shown(("2024-09-09",), updated=True)]), settle(["2024-05-04"], [Shown(("2023-01-01",))])
    ('2024-05-04', '2023-01-01')
    >>> settle(["2024-05-04"], [Shown(("2024-09-09",))], modified="2024-09-09T10:00:00")
    '2024-05-04'
    >>> settle(["2024-01-11", "2024-11-01"], [Shown(("2024-11-01", "2024-01-11"))])
    '2024-11-01'
    """
    plain = [line.readings for line in shown if not line.updated]
    likely = {day_in_url, *(readings[0][:10] for readings in plain)}
    possible = {reading for readings in plain for reading in readings}
    for days in (likely, possible):
        for statement in stated:
            if statement[:10] in days:
                return statement
    explained = [datetime.now(UTC).date().isoformat(), *filter(None, (modified,))]
    for readings in plain:
        near = [day for day in readings if _is_near(day, stated[:1])]
        if near or not _is_near(readings[0], explained):
            return near[0] if near else readings[0]
    return dates.local_day(stated[0], day_in_url)


def _is_near(day: str, others: Iterable[str]) -> bool:
    return any(days_between(day, other) <= 1 for other in others)


def _folds_to(text: str, wanted: str) -> bool:
    """Whether a text is the same as a folded one, which its first character mostly denies.

    >>> _folds_to(" A\u00a0 Storm", "astorm"), _folds_to("ﬁre", "fire"), _folds_to("Fire", "astorm"), _folds_to("", "a")
    (True, True, False, False)
    """
    first = text[:1]
    return (first.isspace() or first.casefold()[:1] == wanted[:1]) and _fold(text) == wanted


def _fold(text: str) -> str:
    return "".join(text.casefold().split())

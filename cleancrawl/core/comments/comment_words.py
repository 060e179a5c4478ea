"""What the short lines of a discussion say: its heading, dates, buttons."""

from __future__ import annotations

import re
from functools import cache

from cleancrawl.core.metadata import dates
from cleancrawl.core.text.language_words import phrases
from cleancrawl.core.text.words import plain_words

SHORT = 14
"""More words than this make no heading, date or button."""
_HEADING_LENGTH = 200
_BUTTON_LENGTH = 60
_CLOCK = re.compile(r"(?<!\d)[0-2]?\d[:.h][0-5]\d(?!\d)|\d\s?[hdmw]$")
_NUMBER = re.compile(r"\d+[kK]?\+?")


def _listed(section: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(plain_words(phrase)) for phrase in phrases(section))


@cache
def _headings() -> frozenset[tuple[str, ...]]:
    return _listed("comment-headings")


@cache
def _counted() -> frozenset[tuple[str, ...]]:
    return _listed("comment-counts")


@cache
def _buttons() -> frozenset[tuple[str, ...]]:
    return _listed("comment-buttons")


@cache
def _sayers() -> frozenset[tuple[str, ...]]:
    return _listed("comment-says")


@cache
def _ago_phrases() -> tuple[str, ...]:
    return phrases("time-ago")


@cache
def _ago() -> re.Pattern[str]:
    listed = "|".join(re.escape(phrase) for phrase in _ago_phrases())
    # Bounds on digits and letters: what counts hours or days is short, and three runs in a row cost the cube.
    ago = rf"\d{{1,6}}+\s?\w{{1,20}}(?:\s\w{{1,20}})?\s?(?:{listed})(?!\w)"
    return re.compile(rf"(?<!\w)(?:(?:{listed})\s(?:\w+\s)?\d+\s?\w+|{ago})", re.I)


@cache
def _heading_words() -> frozenset[str]:
    """One word of each phrase: most lines have none, and are done with."""
    return frozenset(max(phrase, key=len) for phrase in _headings() | _counted() | _headings_to())


@cache
def telling_words() -> frozenset[str]:
    """One word of each heading and of each button: a page without any of them has neither."""
    return _heading_words() | {max(phrase, key=len) for phrase in _buttons()}


def is_heading(text: str) -> bool:
    """Whether a line is the heading of readers' comments.

    >>> [is_heading(text) for text in ("34 responses to “A bridge”", "Comments (12)", "Kommentare", "12 Kommentare")]
    [True, True, True, True]
    >>> [is_heading(text) for text in ("Comment", "Kommentar", "Discussion", "Comments on the budget", "3 rivers")]
    [False, False, False, False, False]
    """
    return says_heading(plain_words(text[:_HEADING_LENGTH]))


def says_heading(said: list[str]) -> bool:
    """The same, of a line's ``plain_words``."""
    if _heading_words().isdisjoint(said):
        return False
    said = [word for word in said if word]
    named = tuple(word for word in said if not _NUMBER.fullmatch(word))
    if named in _headings():
        return True
    if len(named) == len(said) or not named:
        return False
    if named in _counted():
        return True
    # "34 responses to …": a number, and what it counts.
    return bool(_NUMBER.fullmatch(said[0])) and any(tuple(named[:size]) in _headings_to() for size in (2, 3))


@cache
def _headings_to() -> frozenset[tuple[str, ...]]:
    return _listed("comment-counts-to")


def is_date(text: str) -> bool:
    """Whether a short line has a date, a time of day, or says how long ago something was.

    >>> is_date("3. Mai 2024, 10:15"), is_date("vor 3 Stunden"), is_date("2 hours ago"), is_date("Bob")
    (True, True, True, False)
    """
    if not any(map(str.isdigit, text)):
        return False
    return bool(_CLOCK.search(text) or dates.find(text) or _said_ago(text))


def _said_ago(text: str) -> re.Match[str] | None:
    lower = text.lower()
    return _ago().search(text) if any(phrase in lower for phrase in _ago_phrases()) else None


def is_button(text: str) -> bool:
    """Whether a line is what readers press below a comment.

    >>> is_button("Reply"), is_button("Antworten (2)"), is_button("Reply to Ann with care, please")
    (True, True, False)
    """
    return says_button(plain_words(text[:_BUTTON_LENGTH]))


def says_button(said: list[str]) -> bool:
    """The same, of a line's ``plain_words``."""
    if tuple(said) in _buttons():
        return True
    named = tuple(word for word in said if word and not word.isdigit()) if len(said) <= SHORT else ()
    return named != tuple(said) and named in _buttons()


def without_date(text: str) -> str:
    """What a line has besides its dates and "says": a name, or nothing.

    >>> without_date("Ann Lee says: 3 May 2024 at 10:15"), without_date("vor 3 Stunden"), without_date("Bob | 1.5.2024")
    ('Ann Lee', '', 'Bob')
    """
    found = dates.find(text)
    clock, ago = _CLOCK.search(text), _said_ago(text)
    starts = [match.start() for match in (clock, ago) if match] + [each.start for each in found[:1]]
    if starts:
        start = min(starts)
        ends = [match.end() for match in (clock, ago) if match] + [each.end for each in found[:1]]
        before, after = text[:start], text[max(ends) :]
        text = before if any(map(str.isalpha, _said(before))) else after
    return _said(text)


def _said(text: str) -> str:
    """A name without "says", "wrote on" and the like around it."""
    words = text.split()
    plain = [word.strip(".,;:!?()[]|–—-·•/\"'“”„") for word in words]
    kept = [index for index, word in enumerate(plain) if word]
    lower = [plain[index].lower() for index in kept]
    first, last = 0, len(kept)
    changed = True
    while changed and first < last:
        changed = False
        for size in (3, 2, 1):
            if last - first >= size and tuple(lower[first : first + size]) in _sayers():
                first, changed = first + size, True
                break
            if last - first >= size and tuple(lower[last - size : last]) in _sayers():
                last, changed = last - size, True
                break
        if not changed and first < last and lower[last - 1].isdigit() and last - first > 1:
            last, changed = last - 1, True
    return " ".join(plain[index] for index in kept[first:last])

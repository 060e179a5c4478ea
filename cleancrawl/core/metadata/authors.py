"""Names of people out of what pages put where an author should be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from cleancrawl.core.metadata import dates
from cleancrawl.core.text.language_words import phrases

_MOST = 12
_LONGEST_BYLINE = 120
_DASH = re.compile(r"\s[–—-]\s")
# Of an address only the first @ of a word: where that is none, none behind it is.
_HANDLE = re.compile(r"(?:^|\s)@\w+|https?:|www\.|(?<!\S)\S[^\s@]*+@\S+\.\w|[<>{}=\[\]]")
_ADMIN = re.compile(r"(?:^|\s)(?:\w*admin|admin\w*|administrator)(?:$|\s)", re.I)
_LOGIN = re.compile(r"[a-z]{2,}(?:[._][a-z]{2,})?[._](?!com$|net$|org$|info$)[a-z]{3,}")
_INITIAL = re.compile(r"\s(?:[^\W\d_]|[JS]r)\.$")
_DIGITS = re.compile(r"\d{2,}|\d+[:.]|\b\d")


def _any_of(section: str) -> str:
    """A pattern for all that the languages list in a section, the longest first."""
    return "|".join(map(re.escape, sorted(phrases(section), key=len, reverse=True)))


@cache
def _prefix() -> re.Pattern[str]:
    return re.compile(rf"^(?:{_any_of('author-prefixes')})(?:\s*:\s*|\s+)", re.I)


@cache
def _glued() -> re.Pattern[str]:
    """A prefix that runs into the name: "ByJane"."""
    words = "|".join(re.escape(word.capitalize()) for word in phrases("author-glued"))
    return re.compile(rf"^({words})(?=[^\W\d_a-z]\w)")


@cache
def _after_names() -> re.Pattern[str]:
    words, before_date = _any_of("author-after"), _any_of("author-date")
    return re.compile(rf"(?:{words})|\s(?:{before_date})\s|[|•·⋅]", re.I)


@cache
def _separators() -> re.Pattern[str]:
    words = _any_of("author-and")
    # White space is tried from its beginning alone.
    return re.compile(rf"(?:(?<!\s)\s+)?(?:[;|/•·\n]|\s[–—-]\s|,\s|\s(?:{words})\s|\s?&\s)\s*")


@cache
def _role() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_any_of('author-roles')})(?!\w)", re.I)


@cache
def _credentials() -> frozenset[str]:
    return frozenset(phrases("author-credentials"))


@cache
def _nobodies() -> frozenset[str]:
    return frozenset(phrases("author-nobodies"))


def is_name(text: str) -> bool:
    """Whether a text can be the name of an author.

    >>> is_name("Ana María de la Cruz"), is_name("@handle"), is_name("admin"), is_name("3 May 2024")
    (True, False, False, False)
    """
    return (
        2 <= len(text) <= 60
        and len(text.split()) <= 6
        and any(character.isalpha() for character in text)
        and text.lower() not in _nobodies()
        and not _HANDLE.search(text)
        and not _DIGITS.search(text)
        and not _ADMIN.search(text)
    )


def split_names(text: str) -> list[str]:
    """The names in a byline, without "by", roles, handles, dates and places. A role that stands alone is the author.

    >>> split_names("By Jane Doe and John Smith, Staff Writer"), split_names("Von Max Muster (Berlin)")
    (['Jane Doe', 'John Smith'], ['Max Muster'])
    >>> split_names("Written by: JANE DOE, PhD | May 3, 2024"), split_names("@jane"), split_names("Admin")
    (['Jane Doe'], [], [])
    >>> split_names("Joe S., jane.doe"), split_names("NOC Admin"), split_names("wordpressadmin"), split_names("site.de")
    (['Joe S.', 'Jane Doe'], [], [], ['site.de'])
    >>> split_names("https://example.org/authors/jane"), split_names("Herald Staff")
    ([], ['Herald Staff'])
    """
    text = _strip_prefix(" ".join(text.replace("\n", " | ").split()))
    if not text or (_HANDLE.match(text) and " " not in text):
        return []
    found: list[str] = []
    for part in _separators().split(text[:400]):
        name = _tidy(part)
        if not is_name(name) or name.lower().rstrip(".") in _credentials() or (found and _role().search(name)):
            continue
        if name.casefold() not in (known.casefold() for known in found):
            found.append(name)
    return found[:_MOST]


def _tidy(part: str) -> str:
    """A name without what stands around it; capitals and login names are spelled as names are."""
    stripped = part.strip(" .,:-–—|\"'“”⋅")
    if _INITIAL.search(part.rstrip(" ,|")):
        stripped += "."
    name = _without_tail(_strip_prefix(stripped)).strip(" ,:\"'*")
    name = name if _INITIAL.search(name) else name.rstrip(" .")
    if _LOGIN.fullmatch(name):
        return name.replace(".", " ").replace("_", " ").title()
    return name.title() if name.isupper() and " " in name else name


def _without_tail(name: str) -> str:
    """A name without a place or a role in brackets or behind a dash.

    >>> _without_tail("Jane Doe (Berlin)"), _without_tail("Jane Doe – Editor"), _without_tail("J. (K.) Doe")
    ('Jane Doe', 'Jane Doe', 'J. (K.) Doe')
    """
    starts = [name.find(pair[0]) for pair in ("()", "[]") if name.endswith(pair[1])]
    if dash := _DASH.search(name):
        starts.append(dash.start())
    return name[: min((start for start in starts if start >= 0), default=len(name))].rstrip()


def is_written_name(name: str) -> bool:
    """Whether a text looks like a person's name to a reader: two to four capitalised words, no role.

    >>> is_written_name("Jane van Doe"), is_written_name("Read more"), is_written_name("jane doe")
    (True, False, False)
    """
    parts = name.split()
    capitalised = [part for part in parts if part[0].isupper() or (not part[0].islower() and part[0].isalpha())]
    return (
        2 <= len(parts) <= 5
        and len(capitalised) >= 2
        and parts[0] in capitalised
        and ":" not in name
        and not _role().search(name)
    )


def is_single_name(name: str) -> bool:
    """Whether a text is one capitalised word and no role.

    >>> is_single_name("Jane"), is_single_name("Jane Doe"), is_single_name("Redaktion"), is_single_name("jane")
    (True, False, False, False)
    """
    return " " not in name and name[:1].isupper() and not is_role(name)


def is_role(text: str) -> bool:
    """Whether a text speaks of a role, an action or a date rather than a person."""
    return bool(_role().search(text))


def _strip_prefix(text: str) -> str:
    prefix = _prefix().match(text)
    return text[prefix.end() :] if prefix else text


def starts_as_byline(text: str) -> bool:
    """Whether a line opens like a byline.

    >>> starts_as_byline("By Jane Doe"), starts_as_byline("Bye bye")
    (True, False)
    """
    return bool(_prefix().match(text))


def bylines(lines: Iterable[str]) -> Iterator[str]:
    """What follows "by" in the short lines that open with it, up to a date; the "by" may have its own line.

    >>> list(bylines(["Written by", "Jane Doe", "May 3, 2024", "By John SmithUpdated: May 4, 2024 at 5 pm"]))
    ['Jane Doe', 'John Smith']
    """
    expected = False
    for line in lines:
        if len(line) > _LONGEST_BYLINE:
            expected = False
            continue
        if glued := _glued().match(line):
            line = f"{glued[1]} {line[glued.end() :]}"
        opens = starts_as_byline(line + ": ")  # where it does not, nor does the line alone
        if expected or (opens and starts_as_byline(line)):
            named = _after_names().split(_strip_prefix(line), maxsplit=1)[0]
            found = dates.find(named)
            yield named[: found[0].start].rstrip() if found else named
        expected = opens

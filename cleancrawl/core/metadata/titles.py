"""The headline, without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from cleancrawl.core.metadata import dates
from cleancrawl.core.text.words import words

_LIKE_ENOUGH = 0.6
_JOINED = re.compile(r"[\"“”»’']?(?:[:–—?!.,-]|\s[–—-])")
# White space is tried from its beginning alone.
_SEPARATOR = re.compile(r"((?<!\s)\s++[|–—\-»«•·:/~›]++\s++|(?<!\s)\s++[|»]\s*+|[|»]\s*+)")


def choose(stated: list[str], headings: list[str], lesser: list[str] | None = None) -> str:
    """The heading that readers see, where the page's own statements confirm it; else the first statement.

    A blog's main heading may be its own name, and that of the post a ``lesser`` heading (``h2``, ``h3``).

    >>> choose(["Storm hits coast: what we know"], ["Daily News", "Storm hits the coast"])
    'Storm hits the coast'
    >>> choose(["Storm hits coast"], ["Daily News"]), choose([], ["Daily News"]), choose([], [])
    ('Storm hits coast', 'Daily News', '')
    >>> choose(["The big storm that hits the coast: Daily News"], ["Daily News"], ["The big storm that hits the coast"])
    'The big storm that hits the coast'
    >>> choose(["Storm hits coast"], ["Severe weather Storm hits coast"])
    'Storm hits coast'
    """
    # Most pages say the same several times.
    told = list(dict.fromkeys(map(_words, stated)))
    shown = [(_words(heading), heading) for heading in headings]
    confirmed = [(_likeness(found, told), heading) for found, heading in shown if _is_confirmed(found, told)]
    best = max(confirmed, key=_first, default=(0.0, ""))
    # Where the best is like enough, no other is twice as like.
    less = [(_words(heading), heading) for heading in lesser or () if 2 * best[0] <= 1]
    others = [(_likeness(found, told), heading) for found, heading in less if len(found) > 1]
    other = max(others, key=_first, default=(0.0, ""))
    # Twice as like: sections of an article repeat the words of its title, too.
    chosen = other[1] if other[0] >= max(_LIKE_ENOUGH, 2 * best[0]) else best[1]
    return _without_kicker(chosen, stated) or next(filter(None, (*stated, *headings, *(lesser or ()))), "")


def _first(pair: tuple[float, str]) -> float:
    return pair[0]


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(words(text.casefold()))


def _likeness(shown: AbstractSet[str], told: Sequence[AbstractSet[str]]) -> float:
    """The share of common words with the statement that is most like it."""
    found = 0.0
    for title in told:
        if common := len(shown & title):
            found = max(found, common / (len(shown) + len(title) - common))
    return found


def _is_confirmed(shown: AbstractSet[str], told: Sequence[AbstractSet[str]]) -> bool:
    """Half of a heading's words in a statement confirm it, if they are not just the site's name behind the title."""
    common = [(len(shown & title), len(title)) for title in told]
    return len(shown) > 1 and any(2 * both >= len(shown) and 4 * both >= size for both, size in common)


def _without_kicker(heading: str, stated: list[str]) -> str:
    """A heading without the kicker or date that some pages put into the same element, where a statement lacks it.

    What ends in a colon, a dash or a mark stays: it is a part of the title.
    """
    folded = fold(heading)
    for title in stated:
        end = fold(title)
        if len(_words(title)) >= 3 and len(end) < len(folded) and folded.endswith(end):
            kicker, joint = _split(heading, len(folded) - len(end))
            is_kicker = any(len(word) >= 5 for word in words(kicker)) or dates.find(kicker)
            if is_kicker and not _JOINED.match(joint):
                return title
    return heading


def _split(heading: str, letters: int) -> tuple[str, str]:
    """A heading's first letters, and what follows them."""
    position = 0
    while letters > 0:
        letters -= len(fold(heading[position]))
        position += 1
    return heading[:position], heading[position:]


def without_site(title: str, site_names: tuple[str, ...]) -> str:
    """A page title without the site's name (``og:site_name``, the host) at its end or start.

    >>> without_site("Storm hits coast | Daily News", ("Daily News",))
    'Storm hits coast'
    >>> without_site("War – and peace", ("Example",))
    'War – and peace'
    """
    parts = _SEPARATOR.split(title)
    if len(parts) == 1:
        return title.strip()
    pieces, separators = parts[::2], parts[1::2]
    known = _known(site_names)
    while len(pieces) > 1 and _is_site(pieces[-1], known):
        pieces.pop()
        separators.pop()
    while len(pieces) > 1 and _is_site(pieces[0], known):
        pieces.pop(0)
        separators.pop(0)
    kept = pieces[0]
    for separator, piece in zip(separators, pieces[1:], strict=False):
        kept += separator + piece
    return kept.strip()


@lru_cache(maxsize=16)
def _known(site_names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold(name) for name in site_names if name)


def _is_site(piece: str, known: AbstractSet[str]) -> bool:
    folded = fold(piece)
    return bool(folded) and any(_names(folded, name) for name in known)


def _names(folded: str, name: str) -> bool:
    """Whether a piece of a title is the site's name: itself, a part of it, or it with a little around it."""
    if folded == name or (len(folded) > 3 and folded in name):
        return True
    at_edge = folded.startswith(name) or folded.endswith(name)
    return len(name) > 3 and at_edge and len(folded) < 2 * len(name) + 8


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """The letters and digits of a text; the same names are asked for again and again."""
    return "".join(filter(str.isalnum, text.casefold()))

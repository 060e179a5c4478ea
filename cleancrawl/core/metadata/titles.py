"""The headline, without the name of the site."""

from __future__ import annotations

import re

from cleancrawl.core.text import words

_SEPARATOR = re.compile(r"\s+[|–—\-»«•·:/~›]+\s+|\s*[|»]\s*")


def choose(stated: list[str], headings: list[str]) -> str:
    """The heading that readers see, where the page's own statements confirm it; else the first statement.

    >>> choose(["Storm hits coast: what we know"], ["Daily News", "Storm hits the coast"])
    'Storm hits the coast'
    >>> choose(["Storm hits coast"], ["Daily News"]), choose([], ["Daily News"]), choose([], [])
    ('Storm hits coast', 'Daily News', '')
    """
    told = [set(words(title.casefold())) for title in stated]
    for heading in headings:
        shown = set(words(heading.casefold()))
        if len(shown) > 1 and any(2 * len(shown & title) >= len(shown) for title in told):
            return heading
    return next(iter((*stated, *headings)), "")


def without_site(title: str, site_names: tuple[str, ...]) -> str:
    """A page title without the site's name (``og:site_name``, the host) at its end or start.

    >>> without_site("Storm hits coast | Daily News", ("Daily News",))
    'Storm hits coast'
    >>> without_site("War – and peace", ("Example",))
    'War – and peace'
    """
    known = {_fold(name) for name in site_names if name}
    pieces = _SEPARATOR.split(title)
    separators = _SEPARATOR.findall(title)
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


def _is_site(piece: str, known: set[str]) -> bool:
    folded = _fold(piece)
    return bool(folded) and any(_names(folded, name) for name in known)


def _names(folded: str, name: str) -> bool:
    """Whether a piece of a title is the site's name: itself, a part of it, or it with a little around it."""
    if folded == name or (len(folded) > 3 and folded in name):
        return True
    at_edge = folded.startswith(name) or folded.endswith(name)
    return len(name) > 3 and at_edge and len(folded) < 2 * len(name) + 8


def _fold(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())

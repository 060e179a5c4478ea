"""What is listed about each language: a file per language in ``data/languages``, in it a section per use.

Of a page's language little is known before it is cleaned, so most uses want a section of all languages at once.
"""

from __future__ import annotations

from functools import cache

from cleancrawl.data import names_in, read_sections

Sections = dict[str, tuple[str, ...]]
_FOLDER, _ENDING = "languages", ".txt"


@cache
def languages() -> dict[str, Sections]:
    """The lines of each language by section; ``mul`` holds what many languages or none have.

    English is first: where a line says the same in two languages, its words are the evidence.

    >>> languages()["de"]["copyright-notices"], next(iter(languages()))
    (('alle rechte vorbehalten',), 'en')
    """
    names = sorted(names_in(_FOLDER), key=lambda name: (name != f"en{_ENDING}", name))
    return {name.removesuffix(_ENDING): read_sections(f"{_FOLDER}/{name}") for name in names}


def words(section: str) -> dict[str, list[str]]:
    """The words of a section by language, of those that have it.

    >>> words("also")
    {'no': ['nb', 'nn']}
    """
    return {code: " ".join(lines).split() for code, lines in _with(section)}


def phrases(section: str) -> tuple[str, ...]:
    """The phrases of all languages in a section, each once.

    >>> phrases("author-glued")
    ('by', 'von', 'por', 'par')
    """
    found = (phrase.strip() for _, lines in _with(section) for line in lines for phrase in line.split("|"))
    return tuple(dict.fromkeys(found))


def months(section: str = "months") -> dict[str, dict[str, int]]:
    """The names of months with their numbers, by language; in ``own-months`` those that mean another one elsewhere.

    >>> months()["de"]["märz"], months("own-months")["hr"]["lip"]
    (3, 6)
    """
    return {
        code: {name: int(number) for number, *names in map(str.split, lines) for name in names}
        for code, lines in _with(section)
    }


def _with(section: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(code, sections[section]) for code, sections in languages().items() if section in sections]

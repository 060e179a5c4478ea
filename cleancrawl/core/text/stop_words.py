"""Function words by language."""

from __future__ import annotations

from functools import cache

from cleancrawl.data import read_text

# Lists of function words alone. The other lists have content words, which would be stop words in every language.
FUNCTION_WORDS = tuple("en de fr es it pt nl sv da no pl cs hu fi ru tr ro el".split())
_SAME = {"nb": "no", "nn": "no"}


@cache
def _by_language() -> dict[str, frozenset[str]]:
    lines = read_text("stop_words.txt").splitlines()
    pairs = (line.partition(":") for line in lines if not line.startswith("#"))
    return {language: frozenset(listed.split()) for language, _, listed in pairs if listed}


@cache
def _of_all() -> frozenset[str]:
    known = _by_language()
    return frozenset().union(*(known[language] for language in FUNCTION_WORDS))


@cache
def _languages() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for language, listed in _by_language().items():
        for word in listed:
            found[word] = (*found.get(word, ()), language)
    return found


def languages_of(word: str) -> tuple[str, ...]:
    """The languages that list a word.

    >>> languages_of("und"), languages_of("xylophone")
    (('de',), ())
    """
    return _languages().get(word, ())


def listed_language(language: str | None) -> str | None:
    """The language whose list serves; None where there is none. Pages declare anything: cache by this, not by that.

    >>> listed_language("nb"), listed_language("en"), listed_language("xx"), listed_language(None)
    ('no', 'en', None, None)
    """
    code = _SAME.get(language or "", language)
    return code if code in _by_language() else None


def stop_words(language: str | None = None) -> frozenset[str]:
    """The stop words of a language; the function words of many languages where it is unknown.

    >>> "the" in stop_words("en"), "der" in stop_words("en"), "der" in stop_words(), "the" in stop_words("xx")
    (True, False, True, True)
    """
    code = listed_language(language)
    return _of_all() if code is None else _by_language()[code]

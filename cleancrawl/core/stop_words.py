"""Function words by language."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

# Lists of function words alone. The other lists have content words, which would be stop words in every language.
_FUNCTION_WORDS = "en de fr es it pt nl sv da no pl cs hu fi ru tr ro el".split()


@cache
def _by_language() -> dict[str, frozenset[str]]:
    lines = files("cleancrawl").joinpath("data/stop_words.txt").read_text("utf-8").splitlines()
    pairs = (line.partition(":") for line in lines if not line.startswith("#"))
    return {language: frozenset(listed.split()) for language, _, listed in pairs if listed}


@cache
def stop_words(language: str | None = None) -> frozenset[str]:
    """The stop words of a language; the function words of many languages where it is unknown.

    >>> "the" in stop_words("en"), "der" in stop_words("en"), "der" in stop_words(), "the" in stop_words("xx")
    (True, False, True, True)
    """
    known = _by_language()
    found = known.get({"nb": "no", "nn": "no"}.get(language or "", language or ""))
    return found if found is not None else frozenset().union(*(known[language] for language in _FUNCTION_WORDS))

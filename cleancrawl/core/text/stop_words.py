"""Function words by language."""

from __future__ import annotations

from functools import cache

from cleancrawl.core.text.language_words import words


@cache
def function_words() -> dict[str, frozenset[str]]:
    """The languages with a list of function words alone. The lists of the others have content words as well, which
    would be stop words in every language.
    """
    return {language: frozenset(listed) for language, listed in words("function-words").items()}


@cache
def _by_language() -> dict[str, frozenset[str]]:
    return {**function_words(), **{language: frozenset(listed) for language, listed in words("stop-words").items()}}


@cache
def _same() -> dict[str, str]:
    """Other codes of a listed language."""
    return {code: language for language, codes in words("also").items() for code in codes}


@cache
def _of_all() -> frozenset[str]:
    return frozenset().union(*function_words().values())


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
    code = _same().get(language or "", language)
    return code if code in _by_language() else None


def stop_words(language: str | None = None) -> frozenset[str]:
    """The stop words of a language; the function words of many languages where it is unknown.

    >>> "the" in stop_words("en"), "der" in stop_words("en"), "der" in stop_words(), "the" in stop_words("xx")
    (True, False, True, True)
    """
    code = listed_language(language)
    return _of_all() if code is None else _by_language()[code]

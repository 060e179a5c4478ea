"""How text becomes index terms: lower case, stemmed in the article's language, accents folded."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from cleancrawl.core.text.stemming import stemmer
from cleancrawl.core.text.words import words

# ISO 639-1 → Snowball algorithm, as PyStemmer names them.
STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_LONGEST_TERM = 64


def base_language(language: str | None) -> str:
    """The primary subtag in lower case; empty where there is none.

    >>> base_language("de-AT"), base_language("EN_us"), base_language(None)
    ('de', 'en', '')
    """
    return (language or "").replace("_", "-").partition("-")[0].strip().lower()


@lru_cache(maxsize=65536)
def _fold(word: str) -> str:
    # Only the accents of Latin, Greek and Cyrillic: the combining marks of other scripts are vowels.
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(mark for mark in decomposed if not ("\u0300" <= mark <= "\u036f"))


def index_terms(text: str, language: str | None = None) -> list[str]:
    """The terms of a text in order, one per word, so that positions hold for phrases.

    >>> index_terms("The Crawlers' cafés", "en"), index_terms("Häuser in Zürich", "de-CH"), index_terms("Häuser")
    (['the', 'crawler', 'cafe'], ['haus', 'in', 'zurich'], ['hauser'])
    """
    found = [word[:_LONGEST_TERM] for word in words(text.lower())]
    algorithm = STEMMERS.get(base_language(language))
    if algorithm:
        found = stemmer(algorithm).stemWords(found)
    return found if text.isascii() else [term if term.isascii() else _fold(term) for term in found]

"""Snowball stemmers, for the recipes and indexes that need them: the extra ``stemming``, imported when asked for."""

from __future__ import annotations

from functools import cache
from typing import Any

from cleancrawl.errors import MissingExtra


@cache
def stemmer(algorithm: str) -> Any:
    """The stemmer of an algorithm, as PyStemmer names it; raises ``MissingExtra`` where that is not installed.

    >>> stemmer("porter").stemWords(["crawling", "crawlers"])
    ['crawl', 'crawler']
    """
    try:
        import Stemmer
    except ImportError:
        raise MissingExtra("PyStemmer", "stemming") from None
    return Stemmer.Stemmer(algorithm)

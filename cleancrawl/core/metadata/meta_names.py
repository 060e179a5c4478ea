"""The names of meta elements that carry each field."""

from __future__ import annotations

from functools import cache

from cleancrawl.data import read_sections


@cache
def _by_field() -> dict[str, tuple[str, ...]]:
    return read_sections("meta_names.txt")


def meta_names(field: str) -> tuple[str, ...]:
    """The names for a field, most trusted first.

    >>> meta_names("modified")[:2]
    ('article:modified_time', 'datemodified')
    """
    return _by_field()[field]

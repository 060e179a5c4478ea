"""A page's source, and the part of it around the headline: searched for what its blocks do not tell."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from cleancrawl.core.html.source_signs import HEADLINE, place_of
from cleancrawl.core.metadata import source_search
from cleancrawl.core.page import Page


class PageSource:
    """What ``source_search`` finds in a page, each place looked for once."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @property
    def _headline(self) -> int:
        return place_of(self._page, HEADLINE)

    @cached_property
    def _window(self) -> str:
        return source_search.window(self._page.html, self._headline)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        return source_search.window_places(self._window)

    def headings(self) -> list[str]:
        return source_search.headings(self._page.html, self._headline)

    def near_heading(self) -> tuple[list[str], list[str]]:
        return source_search.near_heading(self._page.html, self._headline)

    def times(self) -> Iterator[tuple[str, str, str]]:
        return source_search.times(self._window, self._places)

    def marked_authors(self, word: str) -> Iterator[tuple[str, str]]:
        """The elements with one of ``AUTHOR_MARKS``, at the headline."""
        return source_search.marked(self._window, self._places[word], most=24)

    def marked_dates(self, word: str) -> Iterator[tuple[str, str]]:
        """Those with one of ``DATE_MARKS``."""
        return source_search.marked(self._window, self._places[word], length=200)

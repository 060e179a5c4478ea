from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


class ListOutbox:
    """The outbox protocol over a list: what the sinks are written against."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, dict[str, Any]]] = []
        self.cursors: dict[str, int] = {}
        self.last = 0

    def add(self, *articles: dict[str, Any]) -> None:
        for article in articles:
            self.last += 1
            self.entries = [entry for entry in self.entries if entry[1]["url"] != article["url"]]
            self.entries.append((self.last, article))

    def articles(self, after: int = 0, limit: int = 100) -> Sequence[tuple[int, dict[str, Any]]]:
        return [entry for entry in self.entries if entry[0] > after][:limit]

    def cursor(self, name: str) -> int:
        return self.cursors.get(name, 0)

    def set_cursor(self, name: str, value: int) -> None:
        self.cursors[name] = value


def make_article(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "url": f"https://example.com/{number}",
        "title": f"Article number {number}",
        "text": f"The council met for the {number}th time.\nNothing was decided.",
        "site": "example.com",
        "authors": ["Ada Writer"],
        "language": "en",
        "published": f"2026-01-{number % 28 + 1:02d}",
        **fields,
    }


@pytest.fixture
def outbox() -> ListOutbox:
    return ListOutbox()


@pytest.fixture(name="make_article")
def make_article_fixture() -> Any:
    return make_article

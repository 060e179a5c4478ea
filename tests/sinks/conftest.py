from __future__ import annotations

from typing import Any

import pytest

from cleancrawl.stores.protocol import StoredArticle


class ListOutbox:
    """The part of an outbox that sinks read, over a list."""

    def __init__(self) -> None:
        self.entries: list[StoredArticle] = []
        self.cursors: dict[str, int] = {}
        self.last = 0

    def add(self, *articles: dict[str, Any]) -> None:
        for article in articles:
            self._put(article["url"], article)

    def withdraw(self, url: str) -> None:
        self._put(url, None)

    def _put(self, url: str, article: dict[str, Any] | None) -> None:
        self.last += 1
        self.entries = [entry for entry in self.entries if entry.url != url]
        self.entries.append(StoredArticle(self.last, url, "example.com", 1, None, 0.0, article))

    def articles(self, after: int = 0, limit: int = 100) -> list[StoredArticle]:
        return [entry for entry in self.entries if entry.cursor > after][:limit]

    def began(self) -> int:
        return 1_000_000

    def cursor(self, name: str) -> int:
        return self.cursors.get(name, 0)

    def set_cursor(self, name: str, cursor: int) -> None:
        self.cursors[name] = cursor


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

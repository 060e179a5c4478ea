"""Statistics of a crawl: all that is counted under ``cleancrawl/``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector


class Counts:
    """Scrapy's statistics, and one URL for every outcome: numbers alone do not say why a crawl gave nothing."""

    def __init__(self, stats: StatsCollector) -> None:
        self.stats = stats
        self.examples: dict[str, str] = {}
        """One URL for every outcome and for every reason why a page gave no article."""
        self.failed: Callable[[str, str], None] = lambda reason, url: None
        """Told of every request that gave no response, and of every response that was not cleaned."""

    def add(self, name: str, amount: int = 1) -> None:
        self.stats.inc_value(f"cleancrawl/{name}", amount)

    def add_all(self, group: str, amounts: Counter[str]) -> None:
        for name, amount in amounts.items():
            self.add(f"{group}/{name}", amount)

    def outcome(self, reason: str, url: str, group: str = "outcome") -> None:
        self.examples.setdefault(reason, url)
        self.add(f"{group}/{reason}")
        if group != "dropped":
            self.failed(reason, url)

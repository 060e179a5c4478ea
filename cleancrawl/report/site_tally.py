"""What is counted about one site in one run, in constant space: reports add these up and never list articles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.text.encodable import encodable
from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.report.recurring_sentences import RecurringSentences

MOST_NAMES = 24
"""Rules, languages or reasons of one site; the rest is counted together."""
OTHERS = "others"
MOST_DAYS = 62
EARLIER = "earlier"
EXAMPLES, LONGEST_URL = 3, 400
HOUR, DAY = 3600.0, 86_400.0
DELAYS = {
    "1 hour": HOUR,
    "6 hours": 6 * HOUR,
    "1 day": DAY,
    "3 days": 3 * DAY,
    "1 week": 7 * DAY,
    "30 days": 30 * DAY,
    "longer": math.inf,
}
"""How long after its publication an article was harvested, at most."""

NUMBERS = ("pages", "articles", "new", "words", "dated", "authored", "duplicates", "blocks", "blocks_kept")
COUNTERS = ("languages", "removed", "delays")


@dataclass(slots=True)
class Reasons:
    """How often something happened, by reason, and to which URLs, for example."""

    counts: Counter[str] = field(default_factory=Counter)
    urls: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, url: str) -> None:
        self.merge({reason: [1, url]})

    def merge(self, counted: Mapping[str, list[Any]]) -> None:
        for given, (count, *urls) in counted.items():
            reason = given if given in self.counts or len(self.counts) < MOST_NAMES else OTHERS
            self.counts[reason] += count
            examples = self.urls.setdefault(reason, [])
            shown = dict.fromkeys([*examples, *(encodable(url[:LONGEST_URL]) for url in urls[:EXAMPLES])])
            examples[:] = list(shown)[:EXAMPLES]

    def to_counts(self) -> dict[str, list[Any]]:
        return {reason: [count, *self.urls.get(reason, ())] for reason, count in self.counts.most_common()}


@dataclass(slots=True)
class SiteTally:
    """Adds up pages and articles of a site; ``to_counts`` is what a store keeps, ``merge`` reads it again."""

    pages: int = 0
    articles: int = 0
    new: int = 0
    """Articles that were not in the store before."""
    words: int = 0
    dated: int = 0
    authored: int = 0
    duplicates: int = 0
    blocks: int = 0
    blocks_kept: int = 0
    first: float = 0.0
    last: float = 0.0
    sizes: Counter[int] = field(default_factory=Counter)
    """Articles by the logarithm of their words (``size_of``)."""
    languages: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    delays: Counter[str] = field(default_factory=Counter)
    published: Counter[str] = field(default_factory=Counter)
    """Articles by the day of their publication."""
    dropped: Reasons = field(default_factory=Reasons)
    errors: Reasons = field(default_factory=Reasons)
    sentences: RecurringSentences = field(default_factory=RecurringSentences)

    def add_page(self, moment: float, record: ArticleRecord | None, reason: str | None, url: str = "") -> None:
        """A page that was cleaned; ``record`` holds at least what was counted of its blocks."""
        self.pages += 1
        self.first = min(self.first or moment, moment)
        self.last = max(self.last, moment)
        if record is not None:
            self.blocks += int(record.get("blocks_total") or 0)
            self.blocks_kept += int(record.get("blocks_kept") or 0)
            self.removed.update(record.get("removed") or {})
        if reason is not None:
            self.dropped.add(reason, url)
            self.duplicates += reason == "duplicate"

    def add_article(self, record: ArticleRecord, moment: float, *, new: bool = True) -> None:
        words = int(record.get("word_count") or 0)
        self.articles += 1
        self.words += words
        self.sizes[size_of(words)] += 1
        self.authored += bool(record.get("authors"))
        self.duplicates += bool(record.get("duplicate_of"))
        self.languages[str(record.get("language") or "unknown")[:20]] += 1
        _bound(self.languages)
        published = parse_date(str(record.get("published") or "")[:40])
        if published is not None:
            self.dated += 1
            if published.timestamp() <= moment + 2 * DAY:
                self._add_day(published.date().isoformat(), 1)
        if new:
            self.new += 1
            if published is not None:
                self.delays[delay_of(moment - published.timestamp())] += 1
            if not record.get("duplicate_of"):
                self.sentences.add(encodable(str(record.get("text") or "")))

    def _add_day(self, day: str, count: int) -> None:
        self.published[day] += count
        if len(self.published) > MOST_DAYS:
            oldest = min(name for name in self.published if name != EARLIER)
            self.published[EARLIER] += self.published.pop(oldest)

    def merge(self, counts: Mapping[str, Any]) -> None:
        for name in NUMBERS:
            setattr(self, name, getattr(self, name) + counts.get(name, 0))
        first, last = counts.get("seen", (0.0, 0.0))
        self.first = min(self.first or first, first or self.first)
        self.last = max(self.last, last)
        self.sizes.update({int(size): count for size, count in counts.get("sizes", {}).items()})
        for name in COUNTERS:
            counter: Counter[str] = getattr(self, name)
            counter.update(counts.get(name, {}))
            _bound(counter)
        for day, count in counts.get("published", {}).items():
            self._add_day(day, count)
        self.dropped.merge(counts.get("dropped", {}))
        self.errors.merge(counts.get("errors", {}))
        self.sentences.merge((text, count) for text, count in counts.get("sentences", ()))

    def to_counts(self) -> dict[str, Any]:
        """As JSON values; what is nothing is left out."""
        _bound(self.removed)
        counted: dict[str, Any] = {name: getattr(self, name) for name in NUMBERS}
        counted |= {name: dict(getattr(self, name)) for name in (*COUNTERS, "published")}
        counted["sizes"] = {str(size): count for size, count in self.sizes.items()}
        counted |= {"dropped": self.dropped.to_counts(), "errors": self.errors.to_counts()}
        counted["seen"] = [self.first, self.last] if self.last else []
        counted["sentences"] = [[text, count] for text, count in self.sentences.most_common()]
        return {name: value for name, value in counted.items() if value}

    @property
    def median_words(self) -> int:
        return median_size(self.sizes)

    @classmethod
    def of(cls, *counted: Mapping[str, Any]) -> SiteTally:
        tally = cls()
        for counts in counted:
            tally.merge(counts)
        return tally


def size_of(words: int) -> int:
    """A number for the size of a text, four to an octave: equal ones differ by less than a fifth.

    >>> [size_of(words) for words in (0, 1, 100, 110, 400)]
    [0, 1, 27, 28, 35]
    """
    return 1 + int(4 * math.log2(words)) if words > 0 else 0


def words_of(size: int) -> int:
    """About how many words a text of a size has.

    >>> [words_of(size) for size in (0, 27, 35)]
    [0, 99, 395]
    """
    return round(2 ** ((size - 0.5) / 4)) if size else 0


def median_size(sizes: Mapping[int, int]) -> int:
    """The words of the middle article, within a tenth.

    >>> median_size({27: 5, 35: 1}), median_size({})
    (99, 0)
    """
    left = sum(sizes.values()) / 2
    for size in sorted(sizes):
        left -= sizes[size]
        if left <= 0:
            return words_of(size)
    return 0


def delay_of(seconds: float) -> str:
    """
    >>> delay_of(60), delay_of(90_000), delay_of(-5), delay_of(1e9)
    ('1 hour', '3 days', '1 hour', 'longer')
    """
    return next(name for name, most in DELAYS.items() if seconds <= most)


def _bound(counter: Counter[str]) -> None:
    if len(counter) > MOST_NAMES + 1:
        for name, count in counter.most_common()[MOST_NAMES:]:
            if name != OTHERS:
                counter[OTHERS] += count
                del counter[name]

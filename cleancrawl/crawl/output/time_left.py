"""How long a crawl will take: by its pace of late."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from statistics import median

WINDOW = 30.0
SPAN = 3.0
"""Of the spans in the window the middle one counts: pages that need not be fetched go by in bursts."""
LEAST_DONE = 3
"""Before that much has been done, a guess would be a lie."""


@dataclass(slots=True)
class Pace:
    """How fast requests are done with. Links are still found, so it is what the known ones will take, at least."""

    marks: deque[tuple[float, int]] = field(default_factory=deque)
    """Times, and how many requests were done by then."""

    def seconds_left(self, now: float, done: int, waiting: int) -> float | None:
        """
        >>> pace = Pace()
        >>> pace.seconds_left(0, 0, 50), pace.seconds_left(10, 20, 60)
        (None, 30.0)
        >>> _ = pace.seconds_left(14, 528, 60)  # a burst
        >>> pace.seconds_left(20, 540, 60)
        30.0
        """
        self.marks.append((now, done))
        while self.marks[0][0] < now - WINDOW:
            self.marks.popleft()
        since, before = self.marks[0]
        if now - since < SPAN or done - before < LEAST_DONE:
            return None
        # Where most spans are empty, on a slow site, all of them together say more.
        rate = median(self._rates()) or (done - before) / (now - since)
        return waiting / rate

    def _rates(self) -> list[float]:
        rates = []
        since, before = self.marks[0]
        for moment, done in self.marks:
            if moment - since >= SPAN:
                rates.append((done - before) / (moment - since))
                since, before = moment, done
        return rates


def in_words(seconds: float) -> str:
    """
    >>> in_words(0.4), in_words(42), in_words(200), in_words(9000)
    ('1 s', '42 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

"""Which of several articles that tell one story is the original.

A page is believed where it speaks against itself: who names another page as canonical is a copy of it. What a page says
in its own favour, an early date above all, costs nothing to make up: it can save the page, but never makes a copy of
what is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from urllib.parse import urlsplit

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.site import domain_of
from cleancrawl.core.text.iso_dates import day_of
from cleancrawl.core.text.url_spelling import spelling

MOST_TWINS = 20
"""So many articles with one story are compared with a new one, the oldest."""
DAYS_BEFORE = 2
"""So many days must lie between two dates before they say who was first: a page's day may be that of another zone."""
_REMEMBERED = 16_384
"""Addresses, each with what is asked of it: about four megabytes."""
FIRST_DAY = date(1990, 1, 1)
"""No page of the web is older."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What an article says of itself, and what was found out about it."""

    url: str
    canonical: str = ""
    published: str | None = None
    duplicate_of: str | None = None

    @classmethod
    def of(cls, url: str, article: ArticleRecord) -> Claim:
        return cls(url, article.get("canonical_url") or "", article.get("published"), article.get("duplicate_of"))

    @property
    def site(self) -> str:
        return _domain(self.url)

    @property
    def names_another_site(self) -> bool:
        """Whether it admits to come from elsewhere. A front page is no story: who names one has set up something wrong.

        >>> Claim("https://b.example/s", "https://a.example/s").names_another_site
        True
        >>> Claim("https://b.example/s", "https://a.example/").names_another_site
        False
        """
        try:
            parts = urlsplit(self.canonical)
        except ValueError:
            return False
        return bool(parts.path.strip("/") or parts.query) and _domain(self.canonical) not in ("", self.site)

    @property
    def names_another_page(self) -> bool:
        return bool(self.canonical) and _spelled(self.canonical) != _spelled(self.url)

    def names(self, url: str) -> bool:
        """Whether its canonical address is that of another page.

        >>> Claim("https://a.example/print/s", "http://www.a.example/s/").names("https://a.example/s")
        True
        """
        return bool(self.canonical) and url != self.url and _spelled(self.canonical) == _spelled(url)

    def gives_way_to(self, other: Claim) -> bool:
        """Whether it names the other as the original, or at least the other's site."""
        return self.names(other.url) or (self.names_another_site and _domain(self.canonical) == other.site)

    def came_before(self, other: Claim) -> bool:
        """Whether its date is clearly the earlier of two sane ones.

        >>> early, late = Claim("a", published="2026-03-01T23:00:00-05:00"), Claim("b", published="2026-03-03")
        >>> early.came_before(late), late.came_before(early), Claim("c", published="0001-01-01").came_before(late)
        (True, False, False)
        """
        first, second = sane_day(self.published), sane_day(other.published)
        return first is not None and second is not None and (second - first).days >= DAYS_BEFORE


@dataclass(frozen=True, slots=True)
class Verdict:
    duplicate_of: str | None = None
    copies: tuple[str, ...] = ()
    """Stored articles that turn out to be copies of this one."""


def sane_day(published: str | None) -> date | None:
    """
    >>> sane_day("2026-03-01"), sane_day("1970-01-01"), sane_day("9999-12-31")
    (datetime.date(2026, 3, 1), None, None)
    """
    day = day_of(published)
    return day if day and FIRST_DAY <= day <= datetime.now(UTC).date() + timedelta(days=1) else None


def named_original(new: Claim, twins: Sequence[Claim]) -> str | None:
    """The stored article that a page names as its canonical, where it tells the same story."""
    named = next((twin for twin in twins if new.names(twin.url)), None)
    if named is None:
        return None
    return named.duplicate_of if named.duplicate_of not in (None, new.url) else named.url


def decide(new: Claim, twins: Sequence[Claim]) -> Verdict:
    """What a new article is to the stored ones with its story, oldest first.

    >>> original, copy = Claim("https://a.example/s"), Claim("https://b.example/s", "https://a.example/s")
    >>> decide(copy, [original]).duplicate_of, decide(original, [copy]).copies
    ('https://a.example/s', ('https://b.example/s',))
    """
    named = named_original(new, twins)
    if named is not None:
        return Verdict(named)
    beaten = {new.url, *(twin.url for twin in twins if twin.gives_way_to(new))}
    stored = {twin.url for twin in twins}
    for twin in twins:
        if twin.url in beaten or twin.duplicate_of in beaten:
            continue
        # The copy of a stored article says nothing that this one does not say itself.
        if twin.duplicate_of not in stored and not _is_passed_over(twin, new):
            return Verdict(twin.duplicate_of or twin.url)
    copies = (twin.url for twin in twins if twin.url in beaten or twin.duplicate_of in beaten)
    return Verdict(None, tuple(copies))


# Both are asked for again and again: each article of a story is compared with the others, and stories come mixed.
@lru_cache(maxsize=_REMEMBERED)
def _spelled(url: str) -> str:
    return spelling("", url)


@lru_cache(maxsize=_REMEMBERED)
def _domain(url: str) -> str:
    return domain_of(url)


def _is_passed_over(twin: Claim, new: Claim) -> bool:
    """Whether a new article is no copy of a stored one although they are alike; within a site the first counts."""
    if twin.site == new.site:
        return False
    return (twin.names_another_site and not new.names_another_site) or new.came_before(twin)

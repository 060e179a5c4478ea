"""How many links a page is away from the front page, on the shortest way."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from sys import intern

from cleancrawl.crawl.discovery.page_urls import is_next_page

MOST_KEPT = 500_000
"""Links that are kept for a shorter way, 100 bytes each at the most; beyond it the way that came first counts."""
NEAREST = 1
"""No page that is linked to can be nearer."""


class Distances:
    """Which pages are within ``depth`` links: the same ones in whatever order the answers come.

    A page may be read before the shortest way to it is known, at the worst as one whose links are not followed any
    more. So its links are kept as long as a shorter way can bring them nearer.
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._nearest: dict[str, int] = {}
        self._links: dict[str, tuple[str, ...]] = {}
        self._moved: dict[str, str] = {}
        self._kept = 0

    def reach(self, url: str, distance: int) -> list[tuple[str, int]]:
        """Note a page found at a distance; gives those that are within the depth now and were not before.

        >>> distances = Distances(depth=2)
        >>> distances.reach("listed", 2), distances.read("listed", 2, ["behind"])
        ([('listed', 2)], [])
        >>> distances.reach("listed", 1), distances.reach("behind", 1)
        ([('behind', 2)], [])
        """
        within = []
        waiting = deque([(url, distance)])
        while waiting:
            url, distance = waiting.popleft()
            before = self._nearest.get(url, self.depth + 1)
            if distance >= before:
                continue
            self._nearest[intern(url)] = distance
            if before > self.depth:
                within.append((url, distance))
            if url in self._moved:
                waiting.append((self._moved[url], distance))
            waiting.extend(self._steps(url, self._links.get(url, ())))
            if distance <= NEAREST:
                self._kept -= len(self._links.pop(url, ()))
        return within

    def read(self, url: str, distance: int, links: Iterable[str], place: str | None = None) -> list[tuple[str, int]]:
        """Note the links of a page that was read, at another place if it has moved; gives pages as ``reach`` does."""
        place = place or url
        if place != url:
            self._moved[intern(url)] = intern(place)
        within = self.reach(url, min(distance, self.depth))
        within += self.reach(place, self._nearest[url])
        links = [link for link in links if self._nearest.get(link, self.depth + 1) > NEAREST]
        if self._nearest[place] > NEAREST and self._kept < MOST_KEPT:
            self._kept += len(links) - len(self._links.get(place, ()))
            self._links[intern(place)] = tuple(map(intern, links))
        for link, steps in self._steps(place, links):
            within += self.reach(link, steps)
        return [found for found in within if found[0] not in (url, place)]

    def can_matter(self, distance: int) -> bool:
        """Whether the links of a page at this distance are followed, or may be once a shorter way is known."""
        return distance < self.depth or self.depth > NEAREST

    def _steps(self, url: str, links: Iterable[str]) -> Iterator[tuple[str, int]]:
        distance = self._nearest[url]
        if distance >= self.depth:
            return
        for link in links:
            # A listing's next page is as far away as the listing: the cap on patterns ends it, not the depth.
            yield link, distance if is_next_page(link, url) else distance + 1

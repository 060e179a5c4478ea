"""Delays of a site, which no other part of a crawl may shorten."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from scrapy.core.downloader import Slot

if TYPE_CHECKING:
    from scrapy.core.downloader import Downloader

    from cleancrawl.scale.leases import Held


class PatientSlot(Slot):
    """A downloader slot with a least delay, whatever AutoThrottle and jitter make of it.

    Where there is one, requests go one by one, and the delay counts from the end of the last answer: a process that
    stands still for a while after it has begun with a request would send the next one right behind it otherwise.
    """

    least = 0.0
    not_before = 0.0
    """When the first request may go."""

    def keep(self, delay: float) -> None:
        if delay > self.least:
            self.least, self.concurrency = delay, 1
            if self.lastseen:
                self.lastseen = monotonic()  # robots.txt has just been read

    def answered(self) -> None:
        if self.least:
            self.lastseen = monotonic()

    def download_delay(self) -> float:
        delay = max(self.least, super().download_delay())
        # Scrapy waits until so long after the last request.
        return delay if monotonic() >= self.not_before else max(delay, self.not_before - self.lastseen)

    @property
    def kept_delay(self) -> float:
        return max(self.least, self.delay)


def open_slot(downloader: Downloader, held: Held, least: float) -> PatientSlot:
    """The slot of a site that begins, or was idle for so long that Scrapy forgot it.

    Where the last owner's lease ran out nobody knows when it asked last: the delay is kept before the first request.
    """
    there = downloader.slots.get(held.name)
    if isinstance(there, PatientSlot):
        return there
    slot = PatientSlot(downloader.domain_concurrency, max(downloader._delay, least, held.delay), downloader._jitter)
    slot.keep(least)
    rest = held.delay if held.lease.taken_over else held.lease.rest
    slot.not_before = monotonic() + rest if rest else 0.0
    downloader.slots[held.name] = slot
    return slot


def rest_of(downloader: Downloader, held: Held) -> float:
    """For how many seconds the site must not be asked again."""
    slot = downloader.slots.get(held.name)
    if not isinstance(slot, PatientSlot) or not slot.lastseen:
        return 0.0
    return max(0.0, slot.lastseen + slot.kept_delay - monotonic())

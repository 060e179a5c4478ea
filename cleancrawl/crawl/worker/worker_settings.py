"""Settings that a worker needs, whatever the project says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.settings import SETTINGS_PRIORITIES

if TYPE_CHECKING:
    from scrapy.settings import Settings

SCHEDULING = "cleancrawl.crawl.worker.site_scheduler"
PLACES_PER_SITE = 2


def become_worker(settings: Settings, sites: int) -> None:
    """Sites take turns, each has a place to wait for its delay in, and what another worker has fetched is known."""
    places = max(settings.getint("CONCURRENT_REQUESTS"), PLACES_PER_SITE * sites)
    wanted: dict[str, Any] = {
        "SCHEDULER": f"{SCHEDULING}.SiteScheduler",
        "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
        "DUPEFILTER_CLASS": f"{SCHEDULING}.SiteDupeFilter",
        "JOBDIR": None,
        "CONCURRENT_REQUESTS": places,
        "CLEANCRAWL_ONLY_NEW": True,
    }
    for name, value in wanted.items():
        settings.set(name, value, SETTINGS_PRIORITIES["cmdline"])

"""``scrapy crawl archive -a source=…``: clean pages that were saved before, without any network."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from scrapy import Request, signals
from scrapy.http import Response

from cleancrawl.core.site import domain_of
from cleancrawl.crawl.fetching.saved_addresses import SavedAddresses
from cleancrawl.crawl.fetching.saved_pages import SavedPageRequest, read_archive
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.spiders.checked import CheckedSpider

logger = logging.getLogger(__name__)

AT_ONCE = 64
"""So many pages are read ahead; the next are read when these are done."""
SAY_EVERY = 5_000
MOST_SITES_TOLD = 1_000
"""So many sites are named in the log whose addresses several saved pages claim."""


class ArchiveSpider(CheckedSpider):
    """Cleans WARC files (``.warc``, ``.warc.gz`` …), directories of saved pages and Scrapy's HTTP cache.

    ``source``: paths with a comma between them.
    """

    name = "archive"
    custom_settings: dict[Any, Any] | None = {  # noqa: RUF012 - Scrapy's own name and type
        "DOWNLOADER_MIDDLEWARES": {
            "cleancrawl.crawl.fetching.saved_pages.SavedPagesMiddleware": 1,
            # Behind pages that waited in the store (5), before anything that asks for a name or an address.
            "cleancrawl.crawl.fetching.saved_pages.NoNetworkMiddleware": 6,
        },
        # A saved answer is all there is: where it leads to is another page of the archive, or none.
        "REDIRECT_ENABLED": False,
        "CLEANCRAWL_PARTS": 0,
        "METAREFRESH_ENABLED": False,
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "HTTPCACHE_ENABLED": False,
        "AUTOTHROTTLE_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
    }

    def __init__(self, source: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.troubles = 0
        self.conflicting: set[str] = set()
        self.paths = [Path(part.strip()) for part in source.split(",") if part.strip()]
        for path in self.paths:
            if not path.exists():
                raise ConfigError(f"archive: no such file or directory: {path}")

    def check_complete(self) -> None:
        if not self.paths:
            raise ConfigError("archive: say what to read: -a source=PATH[,PATH]")

    async def start(self) -> AsyncIterator[Request]:
        read = 0
        addresses = SavedAddresses(Session.of(self.crawler).store, self.conflict)
        for path in self.paths:
            before, troubles = read, self.troubles
            try:
                for page in read_archive(path, self.broken):
                    meta = RequestData(saved_at=page.date).to_meta()
                    yield SavedPageRequest(addresses.of(page), page=page, dont_filter=True, meta=meta)
                    read += 1
                    if read % SAY_EVERY == 0:
                        logger.info("archive: %d pages read, now in %s", read, path)
                    if read % AT_ONCE == 0:
                        await self.crawler.signals.wait_for(signals.scheduler_empty)
            except CleanCrawlError as error:
                logger.error("archive: %s", error)
                self.trouble("refused")
            if read == before and self.troubles == troubles:
                logger.warning("archive: no pages in %s", path)
                self.trouble("empty")
        logger.info("archive: %d pages read", read)

    def conflict(self, stated: str, chosen: str) -> None:
        self.crawler.stats.inc_value("cleancrawl/archive-conflicts")
        site = domain_of(stated)
        if site not in self.conflicting and len(self.conflicting) < MOST_SITES_TOLD:
            self.conflicting.add(site)
            logger.warning(
                "archive: a saved page gives %s as its address, which another page has; it goes by %s"
                " (told once for %s, counted as cleancrawl/archive-conflicts)",
                *(stated, chosen, site),
            )

    def broken(self, message: str) -> None:
        logger.warning("archive: %s", message)
        self.trouble("broken")

    def trouble(self, kind: str) -> None:
        self.troubles += 1
        self.crawler.stats.inc_value(f"cleancrawl/archive/{kind}")

    async def parse(self, response: Response, **kwargs: Any) -> None:
        """The add-on makes the article."""

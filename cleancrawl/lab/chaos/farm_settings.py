"""Scrapy settings of workers on a farm: every host name leads to the loopback server, and requests name their lease."""

from __future__ import annotations

import os
from typing import Any

from scrapy import Request
from scrapy.resolver import CachingThreadedResolver
from twisted.internet import defer
from twisted.internet.defer import Deferred

from cleancrawl.crawl.polite_settings import *  # noqa: F403
from cleancrawl.crawl.request_data import RequestData


class LoopbackResolver(CachingThreadedResolver):
    def getHostByName(self, name: str, timeout: Any = ()) -> Deferred[str]:  # noqa: N802
        return defer.succeed("127.0.0.1")


class LeaseHeader:
    """So that the server's log shows in whose name it was asked."""

    def process_request(self, request: Request) -> None:
        token = RequestData.of(request).lease
        if token is not None:
            request.headers["X-Lease"] = str(token)
        request.headers["X-Worker"] = str(os.getpid())


TWISTED_DNS_RESOLVER = LoopbackResolver
DOWNLOADER_MIDDLEWARES: dict[Any, int] = {LeaseHeader: 990}
CLEANCRAWL_ALLOW_PRIVATE_HOSTS = True
CLEANCRAWL_MIN_WORDS = 20
CLEANCRAWL_ONLY_ARTICLES = False
DOWNLOAD_DELAY = 0.0
DOWNLOAD_DELAY_JITTER = 0.0
AUTOTHROTTLE_ENABLED = False
RETRY_ENABLED = False
LOG_LEVEL = "INFO"

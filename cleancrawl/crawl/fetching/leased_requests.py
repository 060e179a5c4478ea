"""Requests of a worker: only for the sites that it holds (``-a sites=queue``)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response

from cleancrawl.core.site import domain_of
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.scale.leases import Leases

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class NotOurs(IgnoreRequest):
    """A request to a site that another worker holds, or nobody."""


class LeasedRequestsMiddleware:
    """Downloader middleware next to the engine: what belongs to no lease of this worker any more is not fetched."""

    def __init__(self, session: Session, leases: Leases) -> None:
        self.session = session
        self.leases = leases

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LeasedRequestsMiddleware:
        session = Session.of(crawler)
        if session.leases is None:
            raise NotConfigured
        return cls(session, session.leases)

    def process_request(self, request: Request) -> None:
        data, domain = RequestData.of(request), domain_of(request.url)
        if data.lease is None:
            held = self.leases.of_site(domain)
            if held is not None:  # robots.txt
                request.meta.update(replace(data, lease=held.token).to_meta())
                request.meta["download_slot"] = held.name
            return
        held = self.leases.held.get(data.lease)
        if held is None:
            raise NotOurs(f"its site is another worker's: {request.url}")
        if data.roams and request.meta.get("redirect_times"):
            adopted = False
            with self.session.guarded_store():
                adopted = self.leases.adopt(domain, held)
            if not adopted:
                self.session.counts.add("discovery/off-site-redirect")
                raise NotOurs(f"{domain} is a site of its own")

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status >= 400:
            self._note(request, f"HTTP {response.status}")
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        self._note(request, str(exception) if isinstance(exception, IgnoreRequest) else type(exception).__name__)

    def _note(self, request: Request, trouble: str) -> None:
        held = self.leases.held.get(RequestData.of(request).lease or 0)
        if held is not None:
            held.trouble = trouble


class HandedOnLeaseMiddleware:
    """Spider middleware: the requests that are made of a page are made in the name of its lease."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> HandedOnLeaseMiddleware:
        if Session.of(crawler).leases is None:
            raise NotConfigured
        return cls()

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        lease = RequestData.of(response).lease
        async for output in result:
            if isinstance(output, Request) and lease is not None and RequestData.of(output).lease is None:
                output.meta.update(replace(RequestData.of(output), lease=lease).to_meta())
            yield output

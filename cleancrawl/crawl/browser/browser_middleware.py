"""Which pages are asked for by the browser: shells once more, and all of a site that has nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.http.request import NO_CALLBACK

from cleancrawl.core.app_shells import is_shell
from cleancrawl.core.segmentation.page_state import carries_article
from cleancrawl.crawl.browser.site_verdicts import SiteVerdicts, Verdict
from cleancrawl.crawl.fetching.gone_pages import is_robots
from cleancrawl.crawl.fetching.revisit import CONDITIONAL
from cleancrawl.crawl.fetching.saved_pages import SavedPageRequest
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.site_signals import site_closed

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class BrowserMiddleware:
    """Downloader middleware before the retries and redirects are left behind: it sees pages as they are.

    The spider gets the rendered page only, so it finds the links that a reader sees.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.always = session.config.browser == "always"
        self.sites = SiteVerdicts(session.store)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BrowserMiddleware:
        session = Session.of(crawler)
        if session.config.browser == "never":
            raise NotConfigured
        middleware = cls(session)
        crawler.signals.connect(middleware.sites.forget, signal=site_closed)
        return middleware

    def process_request(self, request: Request) -> None:
        data = RequestData.of(request)
        if not is_page(request, data) or not (data.rendered or self.always or self._verdict(request) == "at-once"):
            return
        request.meta.update(replace(data, rendered=True).to_meta())
        request.meta["dont_cache"] = True  # an HTTP cache may have the shell
        for header in CONDITIONAL:
            request.headers.pop(header, None)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        data = RequestData.of(request)
        if not is_page(request, data) or not isinstance(response, HtmlResponse) or response.status != 200:
            return response
        shell = is_shell(response.text)
        if data.rendered:
            self._rendered(request, helped=not shell)
            return response
        if not shell or carries_article(response.text, response.url):
            with self.session.guarded_store():
                self.sites.saw_plain(self.session.config.site_of(request.url))
            return response
        if self._verdict(request) == "never":
            self.session.counts.add("browser/not-asked")
            return response
        meta = {**request.meta, **replace(data, rendered=True).to_meta()}
        return request.replace(meta=meta, dont_filter=True, priority=request.priority + 1)

    def process_exception(self, request: Request, exception: Exception) -> None:
        if RequestData.of(request).rendered and not isinstance(exception, IgnoreRequest):
            self.session.counts.add("browser/failed")
            if not request.meta.get("retry_times"):
                with self.session.guarded_store():
                    self.sites.rendered(self.session.config.site_of(request.url), helped=False)

    def _rendered(self, request: Request, *, helped: bool) -> None:
        self.session.counts.add("browser/rendered")
        if not helped:
            self.session.counts.add("browser/in-vain")
        with self.session.guarded_store():
            self.sites.rendered(self.session.config.site_of(request.url), helped=helped)

    def _verdict(self, request: Request) -> Verdict:
        found: list[Verdict] = ["look"]
        with self.session.guarded_store():
            found.append(self.sites.of(self.session.config.site_of(request.url)))
        return found[-1]


def is_page(request: Request, data: RequestData) -> bool:
    """Whether a request is for a page that is cleaned, from the web, and nobody has other plans for it."""
    if request.method != "GET" or not data.cleaned or data.aside_of is not None or data.held_since is not None:
        return False
    if isinstance(request, SavedPageRequest) or request.callback is NO_CALLBACK or request.meta.get("playwright"):
        return False
    return request.url.startswith(("http://", "https://")) and not is_robots(request.url)

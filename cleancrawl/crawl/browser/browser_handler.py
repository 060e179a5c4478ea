"""The download handler: scrapy-playwright's, with bounds on what a page may cost and where it may lead."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError
from scrapy.exceptions import DownloadFailedError
from scrapy.http import HtmlResponse, Request, Response
from scrapy_playwright.handler import ScrapyPlaywrightDownloadHandler

from cleancrawl.core.public_addresses import Place
from cleancrawl.crawl.browser.guard_proxy import GuardProxy
from cleancrawl.crawl.browser.rendering import Traffic, is_unwanted, rendered_source
from cleancrawl.crawl.fetching.private_addresses import resolve
from cleancrawl.crawl.one_per_crawl import OnePerCrawl
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.session import Session

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

CONTEXT = {"service_workers": "block", "accept_downloads": False, "viewport": {"width": 1280, "height": 900}}
STARTING_SECONDS, READING_SECONDS, CRASHING_SECONDS, CLOSING_SECONDS = 60.0, 2.0, 1.0, 5.0
"""On top of what a page has itself: a browser that starts, a page that is read, crashed, closed."""
STALE = ("ETag", "Last-Modified", "Content-Length", "Content-Encoding", "Transfer-Encoding")
"""They are the shell's, which stays the same whatever the page shows."""


class BrowserFailed(DownloadFailedError):
    """The browser or the page in it has crashed: the request is worth another try."""


class NotShown(Exception):
    """The browser has nothing to show, and is well."""


class PageTooSlow(Exception):
    """A page that keeps its browser busy for longer than it may; it would do so again."""


class BrowserHandler(ScrapyPlaywrightDownloadHandler):  # type: ignore[misc]
    """One for both schemes, so that a crawl has one browser; requests that nobody wants rendered go on as ever.

    Each page has a context of its own, which is closed behind it: no cookie and no memory is left.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        session = Session.of(crawler)
        self.session = session
        self.at_once = asyncio.Semaphore(session.config.browser_pages)
        self.seconds = session.config.browser_seconds
        self.most = session.config.max_page_bytes
        self.proxy: GuardProxy | None = None
        self.bytes_counted = 0
        self.proxy_lock = asyncio.Lock()
        self.numbers = count(1)
        self.contexts: set[str] = set()
        self.is_closed = False
        self._users_choice: Any = self.abort_request  # type: ignore[has-type]
        self.abort_request = self._is_stopped

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BrowserHandler:
        return _Shared.of(crawler).handler

    async def close(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        await super().close()
        if self.proxy is not None:
            await self.proxy.close()

    async def download_request(self, request: Request) -> Response:
        if not RequestData.of(request).rendered:
            return await self._fetch(request)
        async with self.at_once:
            await self._start()
            begun = time.monotonic()
            try:
                return await self._render(request)
            except NotShown:
                # An error without a body, a download, a connection that fails: Scrapy says what it is.
                return await self._fetch(request)
            finally:
                self.session.counts.add("browser/milliseconds", round(1000 * (time.monotonic() - begun)))
                if self.proxy is not None:
                    # Pages at the same time share it: each byte counts once.
                    self.session.counts.add("browser/bytes", self.proxy.bytes - self.bytes_counted)
                    self.bytes_counted = self.proxy.bytes

    async def _fetch(self, request: Request) -> Response:
        """Without a browser."""
        response: Response = await super().download_request(request)
        return response

    async def _render(self, request: Request) -> Response:
        name, traffic = f"cleancrawl-{next(self.numbers)}", Traffic()
        meta = {
            "playwright": True,
            "playwright_include_page": True,
            "playwright_context": name,
            "playwright_context_kwargs": CONTEXT,
            "playwright_page_init_callback": traffic.watch,
            "playwright_page_goto_kwargs": {"wait_until": "commit", "timeout": 1000 * self.seconds},
        }
        asked = request.replace(meta={**request.meta, **meta})
        asked.meta.pop("redirect_urls", None)
        self.contexts.add(name)
        try:
            async with asyncio.timeout(self.seconds + READING_SECONDS):
                response: Response = await super().download_request(asked)
            request.meta["download_latency"] = asked.meta.get("download_latency", 0.0)
            if asked.meta.get("redirect_urls"):
                return _redirect(request, response, asked.meta.get("redirect_reasons"))
            body = response.body
            if isinstance(response, HtmlResponse) and 200 <= response.status < 300:
                async with asyncio.timeout(self.seconds + READING_SECONDS):
                    source = await rendered_source(asked.meta["playwright_page"], traffic, self.seconds, self.most)
                body = source.encode("utf-8", "replace")
        except TimeoutError:
            await self._crash(asked.meta.get("playwright_page"))
            raise PageTooSlow(f"{request.url} keeps the browser busy") from None
        except (PlaywrightError, RuntimeError) as error:
            told = str(error).partition("\n")[0]
            if "net::" in told or isinstance(error, RuntimeError):
                raise NotShown(told) from None
            raise BrowserFailed(f"{request.url}: {told}") from None
        finally:
            await self._close_context(name)
        headers = response.headers.copy()
        for stale in STALE:
            headers.pop(stale, None)
        changes: dict[str, Any] = {"body": body, "headers": headers, "request": request}
        if "proxy" in self.config.launch_options:
            changes["ip_address"] = None  # it is the proxy's; ours has judged the server's
        if isinstance(response, HtmlResponse):
            changes["encoding"] = "utf-8"
        rendered: Response = response.replace(**changes)
        return rendered

    async def _crash(self, page: Any) -> None:
        """End the process of a page whose scripts do not rest: it would not be closed otherwise."""
        if page is not None:
            with suppress(PlaywrightError, TimeoutError):
                async with asyncio.timeout(CRASHING_SECONDS):
                    session = await page.context.new_cdp_session(page)
                    await session.send("Page.crash")

    async def _close_context(self, name: str) -> None:
        self.contexts.discard(name)
        wrapper = self.context_wrappers.pop(name, None)
        if wrapper is None:
            return
        with suppress(PlaywrightError):
            try:
                await asyncio.wait_for(wrapper.context.close(), CLOSING_SECONDS)
            except TimeoutError:
                # A page that does not let go takes its browser with it; the next one starts another.
                logger.warning("cleancrawl: a page does not end; the browser is started anew")
                await self.browser.close()

    async def _start(self) -> None:
        """The proxy and the browser, where they are not there."""
        options = self.config.launch_options
        async with self.proxy_lock:
            if self.proxy is None and "proxy" not in options and not (self.config.cdp_url or self.config.connect_url):
                self.proxy = GuardProxy(self._allowed)
                options["proxy"] = await self.proxy.start()
        try:
            async with asyncio.timeout(STARTING_SECONDS):
                await self._maybe_launch_browser()
        except (PlaywrightError, TimeoutError) as error:
            raise BrowserFailed(f"no browser: {str(error).partition(chr(10))[0] or 'it does not start'}") from None

    async def _allowed(self, place: Place) -> list[str]:
        """The addresses of a place, where all of them may be connected to."""
        addresses = await resolve(place[0])
        if self.session.config.allow_private_hosts or self.session.given_places.refused(place, addresses) is None:
            return addresses
        self.session.counts.add("browser/private-address")
        return []

    async def _is_stopped(self, request: Any) -> bool:
        """Whether a page's own request is stopped; those of pages that the user renders are the user's matter."""
        try:
            context = request.frame.page.context
            ours = any(self.context_wrappers[name].context is context for name in self._open_contexts())
            if ours:
                return await is_unwanted(request, None if self.proxy is not None else self._allowed)
        except PlaywrightError:
            return False  # a frame that is not there yet; the proxy has the last word
        if self._users_choice is None:
            return False
        choice = self._users_choice(request)
        return bool(await choice if asyncio.iscoroutine(choice) else choice)

    def _open_contexts(self) -> list[str]:
        return [name for name in self.contexts if name in self.context_wrappers]


class _Shared(OnePerCrawl):
    """Scrapy makes a handler for each scheme."""

    def __init__(self, handler: BrowserHandler) -> None:
        self.handler = handler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> _Shared:
        return cls(BrowserHandler(crawler))


def _redirect(request: Request, response: Response, reasons: Any) -> Response:
    """The browser has followed a redirect: whether that is wanted is for robots.txt and the crawl's borders to say."""
    status = reasons[0] if isinstance(reasons, list) and reasons and reasons[0] in (301, 302, 303, 307, 308) else 302
    return Response(request.url, status=status, headers={"Location": response.url}, request=request)

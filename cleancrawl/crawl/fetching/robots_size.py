"""How much of a robots.txt is read: its beginning, whatever the size."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.http import Response

from cleancrawl.crawl.fetching.gone_pages import is_robots

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.signalmanager import SignalManager

MOST_READ = 512 * 1024
"""RFC 9309 asks for 500 KiB at least (section 2.5); rules behind that are not known."""
MOST_UNPACKED = 10_000_000
"""For servers that pack it though they were asked not to: what unpacks to more is refused."""


def beginning(body: bytes) -> bytes:
    """The lines of a robots.txt that are read.

    >>> len(beginning(b"# so it goes\\n" * 50_000)) % 13, beginning(b"Allow: /")
    (0, b'Allow: /')
    """
    if len(body) <= MOST_READ:
        return body
    return body[: body.rfind(b"\n", 0, MOST_READ) + 1] or body[:MOST_READ]


class RobotsSizeMiddleware:
    """Downloader middleware behind decompression: ends the download of a robots.txt where its rules are not read.

    It listens to what arrives only while a robots.txt is asked for: Scrapy takes long to tell of each part of a page.
    """

    def __init__(self, signal_manager: SignalManager) -> None:
        self.signals = signal_manager
        self.received: WeakKeyDictionary[Request, int] = WeakKeyDictionary()
        """Of requests that are under way."""
        self.listens = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> RobotsSizeMiddleware:
        return cls(crawler.signals)

    def process_request(self, request: Request) -> None:
        if is_robots(request.url):
            request.headers.setdefault("Accept-Encoding", "identity")
            # An error would count as no rules at all.
            request.meta["download_maxsize"] = 0
            self.received[request] = 0
            if not self.listens:
                self.listens = True
                self.signals.connect(self.bytes_received, signal=signals.bytes_received)

    def bytes_received(self, data: bytes, request: Request) -> None:
        if is_robots(request.url):
            request.meta["download_maxsize"] = MOST_UNPACKED
            self.received[request] = self.received.get(request, 0) + len(data)
            if self.received[request] > MOST_READ:
                raise StopDownload(fail=False)

    def process_response(self, request: Request, response: Response) -> Response:
        self.received.pop(request, None)
        if self.listens and not self.received:
            self.listens = False
            self.signals.disconnect(self.bytes_received, signal=signals.bytes_received)
        if not is_robots(request.url) or len(response.body) <= MOST_READ:
            return response
        return response.replace(body=beginning(response.body))

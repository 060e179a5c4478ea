"""Keeps every answer as it came, in the WARC files of ``CLEANCRAWL_WARC``."""

from __future__ import annotations

import json
import logging
from dataclasses import fields
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import scrapy
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Headers, Response

from cleancrawl.core.recipe import Recipe
from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.crawl.config import PREFIX, Config, refuse_start
from cleancrawl.crawl.output.warc_files import Exchange, WarcFiles
from cleancrawl.crawl.request_data import BY_BROWSER, RequestData
from cleancrawl.crawl.session import Session
from cleancrawl.errors import MissingExtra
from cleancrawl.version import __version__

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie"})
"""Of requests: what they would give away is not about the page."""
TRUNCATED = {"partial": "disconnect", "dataloss": "disconnect", "download_stopped": "unspecified"}
"""What Scrapy notes on an answer that is not whole, in the words of WARC."""
WARC_FAILED = "warc-failed"
STANDARD = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class WarcExtension:
    """Listens where downloads end: redirects, errors, robots.txt and repeated requests are kept as well, and bodies
    are still packed as their headers say. What comes from files, caches or the store was not fetched.

    A disk that refuses ends the crawl: raw pages that were asked for would be missing without a word.
    """

    def __init__(self, session: Session, files: WarcFiles) -> None:
        self.session = session
        self.files = files
        self.failed = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        session = Session.of(crawler)
        config = session.config
        if not config.warc:
            raise NotConfigured
        spider = getattr(crawler.spider, "name", None) or ""
        try:
            files = WarcFiles(Path(config.warc), about_crawl(config, crawler.settings, spider), config.warc_bytes)
        except MissingExtra as error:
            session.close()  # no crawl begins that would end it
            refuse_start(error)
        extension = cls(session, files)
        crawler.signals.connect(extension.response_downloaded, signal=signals.response_downloaded)
        crawler.signals.connect(extension.engine_stopped, signal=signals.engine_stopped)
        return extension

    def response_downloaded(self, response: Response, request: Request) -> None:
        if self.failed or not request.url.startswith(("http://", "https://")):
            return
        try:
            kind = self._write(request, response)
        except OSError as error:
            self.failed = True
            self.session.counts.add("failed/warc")
            logger.error("cleancrawl: raw pages cannot be written to %s: %s; the crawl stops", self.files.folder, error)
            self.session.stop(WARC_FAILED)
            return
        self.session.counts.add(f"warc/{kind}")

    def _write(self, request: Request, response: Response) -> str:
        exchange = exchange_of(request, response)
        if RequestData.of(request).rendered and BY_BROWSER in response.flags:
            # It did not come over the wire, and what did is the browser's.
            return self.files.write_page(exchange.url, exchange.moment, exchange.body, exchange.address)
        return self.files.write(exchange)

    def engine_stopped(self) -> None:
        self.files.close()


def exchange_of(request: Request, response: Response) -> Exchange:
    """What went over the wire, as far as Scrapy shows it: order and spelling of header names are its own."""
    parts = urlsplit(request.url)
    host = parts.netloc.rpartition("@")[2]
    target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    sent = [(name, value) for name, value in header_lines(request.headers) if name.lower() not in SECRET_HEADERS]
    if "Host" not in request.headers:
        sent.insert(0, ("Host", host))
    body = response.body
    # Chunks are joined where the body is received. What is announced must be what is there, also where it was cut.
    received = [(name, value) for name, value in header_lines(response.headers) if name.lower() != "transfer-encoding"]
    if request.method != "HEAD" and response.status != 304:
        received = [(n, str(len(body)) if n.lower() == "content-length" else value) for n, value in received]
    return Exchange(
        url=urlunsplit((parts.scheme, host, parts.path or "/", parts.query, "")),
        moment=datetime.now(UTC),
        request_line=f"{request.method} {target} HTTP/1.1",
        request_headers=sent,
        request_body=request.body,
        status_line=f"{response.status} {_phrase(response.status)}",
        headers=received,
        body=body,
        address=None if response.ip_address is None else str(response.ip_address),
        truncated=next((TRUNCATED[flag] for flag in response.flags if flag in TRUNCATED), None),
    )


def header_lines(headers: Headers) -> list[tuple[str, str]]:
    """Names and values, a line for each value; no value brings a line of its own."""
    lines = ((name, value) for name in headers for value in headers.getlist(name))
    return [(_one_line(name), _one_line(value)) for name, value in lines]


def _one_line(value: bytes) -> str:
    return value.decode("latin-1").replace("\r", " ").replace("\n", " ")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def about_crawl(config: Config, settings: BaseSettings, spider: str) -> dict[str, str]:
    """What the first record of a file says about the crawl; no password is in it."""
    default = Config()
    changed: dict[str, Any] = {}
    for known in fields(Config):
        value = getattr(config, known.name)
        if value != getattr(default, known.name):
            shown = value.name if isinstance(value, Recipe) else value
            changed[PREFIX + known.name.upper()] = without_password(shown) if isinstance(shown, str) else shown
    return {
        "software": f"cleancrawl/{__version__} Scrapy/{scrapy.__version__}",
        "format": "WARC File Format 1.1",
        "conformsTo": STANDARD,
        "operator": config.contact or "",
        "robots": "obey" if settings.getbool("ROBOTSTXT_OBEY") else "ignore",
        "http-header-user-agent": settings.get("USER_AGENT") or "",
        "description": f"Scrapy spider {spider!r}",
        "cleancrawl-settings": json.dumps(changed),
    }

"""Response → page: decoded, cut into blocks, attached to an article or to the spider's own items."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from lxml.html import HtmlElement
from scrapy import Request
from scrapy.exceptions import CloseSpider
from scrapy.http import HtmlResponse, Response
from scrapy.utils.defer import maybe_deferred_to_future

from cleancrawl.core.article import FIELDS, Article
from cleancrawl.core.html.binary_bodies import looks_binary
from cleancrawl.core.html.declared_encoding import UTF_8
from cleancrawl.core.html.dom import fits_tree
from cleancrawl.core.html.head import source_bytes
from cleancrawl.core.page import Page
from cleancrawl.core.site import domain_of
from cleancrawl.crawl.cleaning.item_pages import is_about
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.discovery.steering import Steering
from cleancrawl.crawl.fetching.saved_pages import SavedPageRequest
from cleancrawl.crawl.job import Job, Jobs
from cleancrawl.crawl.request_data import BY_BROWSER, RequestData
from cleancrawl.crawl.response_text import decoded
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.warmup.kept_pages import KeptPages
from cleancrawl.crawl.warmup.warmup import Warmup
from cleancrawl.crawl.warmup.warmup_extension import warmup_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

EARLIER = 200
"""Articles of earlier crawls that tell which shapes a site's URLs have."""
STILL_ARTICLES = frozenset({"unchanged", "duplicate", "outside-dates"})
"""Why a page that is an article gives none."""


class CleaningMiddleware:
    """Spider middleware. In ``auto`` mode every HTML response gives an article beside what the spider yields, in
    ``enrich`` mode the spider's items about that page gain the cleaned fields.

    ``meta={"cleancrawl": False}`` on a request leaves its response alone.
    """

    def __init__(self, session: Session, jobs: Jobs, warmup: Warmup, steering: Steering) -> None:
        self.session = session
        self.jobs = jobs
        self.warmup = warmup
        self.steering = steering
        self.enrich = session.config.mode == "enrich"

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CleaningMiddleware:
        return cls(Session.of(crawler), Jobs.of(crawler), warmup_of(crawler), Steering.of(crawler))

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for output in start:
            if isinstance(output, Request):
                self.session.given_domains.add(domain_of(output.url))
                if not isinstance(output, SavedPageRequest):  # an archive names addresses, its user does not
                    self.session.given_places.add(output.url)
                with self.session.guarded_store():
                    self.warmup.meet(self.session.config.site_of(output.url))
            yield output

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        job = self.open(response)
        if job is not None and not self.enrich:
            article = Article(job.url, job.site)
            self.jobs.add(article, job)
            yield article
            if self.steering.in_use and not job.released:
                # Links are made below, as they are asked for: by then it is known what the page keeps.
                await maybe_deferred_to_future(job.left)
                self.tell(response, job)
        async for output in result:
            if job is not None and self.enrich and not isinstance(output, Request):
                if is_about(output, response, job.page):
                    self.attach(output, job)
                elif job.released:
                    continue  # it is about another page, and passed when this one came
            # A page that waited was followed when it came.
            if job is None or not job.released or not isinstance(output, Request):
                yield output

    def open(self, response: Response) -> Job | None:
        """Cut a response into blocks; None where it is none of our business, counted by reason."""
        if not RequestData.of(response).cleaned:
            return None
        reason = why_skipped(response, self.session.config.max_page_bytes)
        if reason is not None or not isinstance(response, HtmlResponse):
            self.session.counts.outcome(f"{reason}", response.url, "skipped")
            return None
        job = make_job(response, self.session.config, self.warmup.kept)
        if not job.released:
            self.session.counts.add("pages")
        self.jobs.step(job, "segment", partial(self.session.recipe.run_phase, "segment", job.page))
        return job

    def tell(self, response: Response, job: Job) -> None:
        """What a page turned out to be, and what its site had before, for those who rank links."""
        if job.site not in self.steering.met:
            self.steering.met.add(job.site)
            with self.session.guarded_store():
                for state in self.session.store.stale(job.site, self.session.begun(job.site), EARLIER):
                    self.steering.shapes.note(state.url, article=True)
        self.steering.judged(response, job.page)
        if "article" in job.done and not self.session.broken:
            # An article is one, too, where it is known, a copy, or not wanted.
            kind = job.reason is None or job.reason in STILL_ARTICLES or job.reason.startswith("reserved-")
            self.steering.shapes.note(RequestData.of(response).found_as or job.url, article=kind)

    def attach(self, item: Any, job: Job) -> None:
        if not isinstance(item, dict) and not any(name in FIELDS for name in ItemAdapter(item).field_names()):
            logger.error(
                "cleancrawl: CLEANCRAWL_MODE is 'enrich', but %s declares none of the fields %s",
                type(item).__name__,
                ", ".join(FIELDS),
            )
            raise CloseSpider("cleancrawl_nothing_to_enrich")
        self.jobs.add(item, job)


def why_skipped(response: Response, max_bytes: int) -> str | None:
    """Why a response is not cleaned, or None.

    >>> why_skipped(HtmlResponse("https://a.example/", body=b"<p>text"), 100)
    >>> why_skipped(Response("https://a.example/x.pdf", body=b"%PDF-1.7"), 100)
    'not-html'
    >>> why_skipped(HtmlResponse("https://a.example/", body=b"GIF89a" + bytes(90)), 100)
    'binary'
    >>> why_skipped(HtmlResponse("https://a.example/", body=b"<p>" * 100), 100)
    'too-large'
    """
    if not 200 <= response.status < 300:
        return f"http-{response.status}"
    if not isinstance(response, HtmlResponse):
        return "not-html"
    if len(response.body) > max_bytes:
        return "too-large"
    return "binary" if looks_binary(response.body) else None


def make_job(response: HtmlResponse, config: Config, kept: KeptPages | None = None) -> Job:
    """The job of a response. A page that waited in this process is cut into blocks already."""
    data = RequestData.of(response)
    text, encoding, read = decoded(response)
    headers = response.headers
    waited = kept.take(response.url, text) if kept is not None and data.held_since is not None else None
    page = Page(text, response.url, encoding) if waited is None else waited.page
    # A tree of another text would bring that text back.
    if waited is None and page.html is text and read.text == text:
        page.borrow = partial(parsed, read)
    return Job(
        page=page,
        url=response.url,
        site=config.site_of(response.url),
        fetched=data.held_since or datetime.now(UTC).timestamp(),
        status=response.status,
        etag=_header(headers.get("ETag")),
        last_modified=_header(headers.get("Last-Modified")),
        saved_at=data.saved_at,
        window=data.window,
        response=response,
        released=data.held_since is not None,
        rendered=data.rendered and (data.held_since is not None or BY_BROWSER in response.flags),
        prints=None if waited is None else waited.prints,
        done=set() if waited is None else {"segment"},
    )


def parsed(response: HtmlResponse) -> HtmlElement | None:
    """The tree that Scrapy keeps for the spider's selectors, so that a page is parsed once; None where it has none."""
    if not fits_tree(response.body if response.encoding == UTF_8 else source_bytes(response.text)):
        return None
    try:
        root = response.selector.root
    except Exception:  # what the parser gives up on is no tree; it will be read without one
        return None
    return root if isinstance(root, HtmlElement) else None


def _header(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")

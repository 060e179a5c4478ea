"""Articles in parts: their other pages are fetched, cleaned and joined under the address of the first."""

from __future__ import annotations

import logging
from base64 import b64decode, b64encode
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zlib import compress, decompress

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK

from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.block_prints import Prints, page_prints
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import decide
from cleancrawl.core.parts.joining import JoinedPages
from cleancrawl.core.parts.pager import Pager, find_pager
from cleancrawl.core.parts.part_addresses import Place, places
from cleancrawl.core.site import domain_of
from cleancrawl.core.text.url_spelling import normalise_url
from cleancrawl.crawl.cleaning.cleaning_middleware import why_skipped
from cleancrawl.crawl.fetching.gone_pages import GONE_STATUSES
from cleancrawl.crawl.fetching.part_requests import KnownParts, asked_as
from cleancrawl.crawl.fetching.prompt_stop import Stop
from cleancrawl.crawl.job import Job, Jobs
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.response_text import decoded
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.warmup.held_pages import LEVEL, PARTS

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PART = "part"
"""Reason of a page that is a part of another one's article."""
MISSING = "part-missing"
"""Reason of an article that is stored whole, and of which a part could not be fetched this time."""
FOUND, GONE, FAILED = "found", "gone", "failed"


@dataclass(slots=True)
class Gathered:
    """What came of the parts of one article."""

    joined: JoinedPages
    prints: list[Prints]
    found: int = 1
    expected: int = 1
    gone: int = 0
    """Parts that the server says are not there."""


class PartGathering:
    """One per crawl. Parts go through all downloader middlewares: robots.txt, delays, borders and budgets."""

    def __init__(self, session: Session, jobs: Jobs, known: KnownParts, stop: Stop, crawler: Crawler) -> None:
        self.session = session
        self.jobs = jobs
        self.known = known
        self.stop = stop
        self.crawler = crawler
        self.most = session.config.parts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> PartGathering:
        return cls(Session.of(crawler), Jobs.of(crawler), KnownParts.of(crawler), Stop.of(crawler), crawler)

    async def gather(self, job: Job) -> None:
        """Join the other parts to the article of a page, once; a page that is such a part leads to its first page."""
        if "parts" in job.done or self.session.broken:
            return
        job.done.add("parts")
        with self.jobs.guarded(job, "parts"):
            if job.stand_in is not None:
                pass  # the feed has the whole text
            elif job.reason is None and self.most > 1:
                await self._look(job)
            elif job.reason is None and self._has_more(job, 1):
                self._leave(job, MISSING)
            if job.response is not None:
                self.known.settle(asked_as(job.response))

    async def _look(self, job: Job) -> None:
        data = RequestData.of(job.response) if job.response is not None else RequestData()
        if data.alone:
            return
        if self.known.first_of(job.url) is not None:
            self._leave(job, PART)
            return
        pager = find_pager(job.page, job.url)
        if pager is None or not self._is_article(job):
            return
        if pager.number > 1:
            self._lead_to_first(job, pager.parts[1], data)
        elif self.known.is_hopeful(job.site):
            await self._join(job, pager)

    def _is_article(self, job: Job) -> bool:
        """Listings have pagers as well, and may have come so far where all pages are wanted."""
        assert job.metadata is not None
        return self.session.config.only_articles or decide(job.page, job.metadata, 0).is_article

    async def _join(self, job: Job, pager: Pager) -> None:
        article, metadata = job.article, job.metadata
        assert article is not None
        assert metadata is not None
        assert job.prints is not None
        kept = job.response.meta.get(PARTS) if job.response is not None else None
        job.parts = kept or {}
        gathered = Gathered(JoinedPages(job.page, metadata), [job.prints])
        if not await self._whole(job, pager, gathered):
            await self._one_by_one(job, pager, gathered)
        if not kept:
            self.known.learn(job.site, found=gathered.found > 1)
        if gathered.expected < 2:
            job.parts = None
            return
        article.parts, article.parts_expected = gathered.found, gathered.expected
        # What the server says of the first page alone says nothing of the others.
        job.etag = job.last_modified = None
        job.whole = gathered.joined.as_one(gathered.prints)
        job.joined = gathered.joined
        comments = self.session.config.comments == "field"
        gathered.joined.write(article, self.session.recipe.name, comments=comments)
        missing = gathered.expected - gathered.found
        if not kept:
            self.session.counts.add("parts/joined", gathered.found - 1)
            self.session.counts.add("parts/missing", missing)
        if missing > gathered.gone and self._has_more(job, gathered.found):
            self._leave(job, MISSING)

    async def _whole(self, job: Job, pager: Pager, gathered: Gathered) -> bool:
        """A version on one page instead of all parts, where there is one."""
        for url in pager.whole[:1]:
            part = await self._cleaned(job, url)
            if isinstance(part, tuple) and gathered.joined.replace_by(part[0], self._metadata(part[0])):
                self.known.take(url, job.url)
                gathered.prints.append(part[1])
                gathered.found = gathered.expected = pager.total
                for other in pager.parts.values():
                    self.known.take(other, job.url)
                return True
        return False

    async def _one_by_one(self, job: Job, pager: Pager, gathered: Gathered) -> None:
        number = 1
        while number < self.most and number < pager.total:
            number += 1
            url = pager.parts.get(number)
            part = await self._cleaned(job, url) if url is not None else FAILED
            if isinstance(part, str):
                gathered.gone += part == GONE
                continue
            page, prints = part
            sure = all(place.sure for place in _numbered(page.url or ""))
            if not gathered.joined.add(page, self._metadata(page), number, sure=sure):
                # Whatever it is, and whatever follows it: no part.
                gathered.expected = max(number - 1, pager.stated or 0)
                return
            gathered.found += 1
            gathered.prints.append(prints)
            self.known.take(url or "", job.url)
            if (others := find_pager(page, page.url or "", number)) is not None:
                pager.add(others)
        gathered.expected = pager.total

    async def _cleaned(self, job: Job, url: str) -> tuple[Page, Prints] | str:
        """A part, cleaned with what is known of its site; else why there is none."""
        assert job.parts is not None
        if url not in job.parts:
            job.parts[url] = await self._fetched(job, url)
        outcome, place, packed, _ = job.parts[url]
        if outcome != FOUND:
            return outcome
        if not set(_numbered(place)) & set(_numbered(url)):
            return GONE  # the server sends its readers to another page
        page, found = Page(decompress(b64decode(packed)).decode("utf-8", "surrogatepass"), place), list[Prints]()

        def look_up(page: Page) -> None:
            found.append(page_prints(page))
            # As the first page: what was recorded of the article before is no other page's.
            page.known = self.session.store.seen(job.site, job.url, found[0])
            self.session.recipe.learn_site(page, self.session.store, job.site, url)

        self.session.recipe.run(page, look_up)
        return page, found[0]

    def _metadata(self, page: Page) -> Metadata:
        return Document(page, self.session.recipe.name).metadata

    async def _fetched(self, job: Job, url: str) -> list[str]:
        """An answer as JSON values: whether it is a page, its address after redirects, its source, packed; its size."""
        assert job.response is not None
        assert job.parts is not None
        nothing = [FAILED, url, "", "0"]
        room = self.session.config.max_page_bytes - sum(int(size) for *_, size in job.parts.values())
        if self.stop.began or room <= 0:
            return nothing
        lease, slot = RequestData.of(job.response).lease, job.response.meta.get("download_slot")
        data = RequestData(cleaned=False, part_of=job.url, domain=domain_of(url), lease=lease)
        meta = {**data.to_meta(), "download_maxsize": room, **({"download_slot": slot} if slot else {})}
        request = Request(url, callback=NO_CALLBACK, meta=meta)
        try:
            assert self.crawler.engine is not None
            response = await self.crawler.engine.download_async(request)
        except Exception as error:  # whatever a download can raise
            logger.debug("no part %s: %s", url, error)
            return nothing
        self.session.counts.add("parts/fetched")
        if response.status in GONE_STATUSES:
            return [GONE, url, "", "0"]
        if why_skipped(response, room) is not None or not isinstance(response, HtmlResponse):
            return nothing
        source = decoded(response).text.encode("utf-8", "surrogatepass")
        return [FOUND, response.url, b64encode(compress(source, LEVEL)).decode(), str(len(source))]

    def _leave(self, job: Job, reason: str) -> None:
        job.reason = reason
        # A visit, and no page of the site: the article has its blocks.
        job.prints = None

    def _lead_to_first(self, job: Job, first: str, data: RequestData) -> None:
        """Ask for the first page in place of a part that was found by itself; nothing is lost where that fails."""
        request = job.response.request if job.response is not None else None
        engine = self.crawler.engine
        try:
            first = normalise_url(first)
        except ValueError:
            return
        if request is None or engine is None or data.saved_at is not None or domain_of(first) != domain_of(job.url):
            return
        state = self.session.store.page_states([first]).get(first)
        if state is not None and state.last_fetched >= self.session.begun(job.site):
            return  # it has come already, and does not have this one
        if self.known.wait(first, request):
            self._leave(job, PART)
            self.session.counts.add("parts/led-to-first")
            asked = replace(data, found_as=first, announced=None, again=False, held_since=None)
            engine.crawl(Request(first, request.callback, cb_kwargs=request.cb_kwargs, meta=asked.to_meta()))

    def _has_more(self, job: Job, found: int) -> bool:
        """Whether the stored article has more parts: it is not replaced by one that has lost some for a while."""
        stored = self.session.store.article(job.url)
        return stored is not None and stored.article is not None and (stored.article.get("parts") or 1) > found

    def render(self, job: Job) -> None:
        """The formats that are wanted besides the plain text."""
        article, config = job.article, self.session.config
        assert article is not None
        if job.joined is None:
            document = job.stand_in or Document(job.page, self.session.recipe.name)
            article.render(document, config.formats, images=config.images)
        else:
            job.joined.render(article, self.session.recipe.name, config.formats, images=config.images)


def _numbered(url: str) -> list[Place]:
    return [place for place in places(url) if place.number is not None]

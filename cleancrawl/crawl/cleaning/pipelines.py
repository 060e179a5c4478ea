"""The phases of a recipe as item pipelines: a user can put own ones between any two of them.

They mark; only ``StorePipeline``, the last, drops a page that is no article.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem
from scrapy.utils.defer import maybe_deferred_to_future

from cleancrawl.core.article import FIELDS, Article
from cleancrawl.core.document import Document
from cleancrawl.core.metadata.rights import joined, reservations
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import decide
from cleancrawl.core.recipe import Phase
from cleancrawl.crawl.cleaning.answer_rights import answer_rights
from cleancrawl.crawl.cleaning.feed_filling import FeedFilling
from cleancrawl.crawl.cleaning.item_pages import OVERVIEWS, stated_url
from cleancrawl.crawl.cleaning.live_reports import LiveReports
from cleancrawl.crawl.cleaning.part_gathering import PartGathering
from cleancrawl.crawl.job import Job, Jobs
from cleancrawl.crawl.session import STORE_FAILED, Session
from cleancrawl.crawl.warmup.warmup import Warmup
from cleancrawl.crawl.warmup.warmup_extension import warmup_of
from cleancrawl.stores.earlier_versions import keep_version
from cleancrawl.stores.look_up import look_up, page_record

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler


DUPLICATE = "duplicate"
"""Reason of a page whose story another one has."""


class CleaningPipeline:
    """Base of all of them: finds the item's job; items without one pass untouched."""

    def __init__(self, session: Session, jobs: Jobs) -> None:
        self.session = session
        self.jobs = jobs

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler), Jobs.of(crawler))

    async def process_item(self, item: Any) -> Any:
        job = self.jobs.find(item)
        if job is not None:
            self.process(item, job)
        return item

    def process(self, item: Any, job: Job) -> None:
        raise NotImplementedError


class PhasePipeline(CleaningPipeline):
    """Runs one phase of the recipe."""

    phase: ClassVar[Phase]

    def process(self, item: Any, job: Job) -> None:
        self.jobs.step(job, self.phase, partial(self.session.recipe.run_phase, self.phase, job.page))


class PrimaryNoisePipeline(PhasePipeline):
    """Tag rules, punctuation pruning."""

    phase = "primary"


class SecondaryNoisePipeline(PhasePipeline):
    """Duplicates in the page, and what the store knows of the site's blocks."""

    phase = "secondary"

    def process(self, item: Any, job: Job) -> None:
        work = partial(self.session.recipe.run_phase, self.phase, job.page, partial(self.look_up, job))
        self.jobs.step(job, self.phase, work)

    def look_up(self, job: Job, page: Page) -> None:
        job.prints = look_up(self.session.store, self.session.recipe, page, job.site, job.url, job.prints)


class BlockScoringPipeline(PhasePipeline):
    """Block scores; what is left after it is the page's content."""

    phase = "score"


class HoldingPipeline(CleaningPipeline):
    """Base of those that know of pages which wait."""

    def __init__(self, session: Session, jobs: Jobs, warmup: Warmup) -> None:
        super().__init__(session, jobs)
        self.warmup = warmup

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(Session.of(crawler), Jobs.of(crawler), warmup_of(crawler))


class ArticlePipeline(HoldingPipeline):
    """Kept blocks → article, with its other parts; a page that is none is marked with the reason."""

    def __init__(self, session: Session, jobs: Jobs, warmup: Warmup, parts: PartGathering, feeds: FeedFilling) -> None:
        super().__init__(session, jobs, warmup)
        self.parts = parts
        self.feeds = feeds
        self.live = LiveReports(session)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        own = (PartGathering.from_crawler(crawler), FeedFilling.from_crawler(crawler))
        return cls(Session.of(crawler), Jobs.of(crawler), warmup_of(crawler), *own)

    async def process_item(self, item: Any) -> Any:
        job = self.jobs.find(item)
        if job is not None:
            await maybe_deferred_to_future(job.turn.acquire())
            try:
                self.jobs.step(job, "article", partial(self.make, job))
                await self.parts.gather(job)
                self.jobs.step(job, "finish", partial(self.finish, job))
            finally:
                job.turn.release()
            self.process(item, job)
        return item

    def process(self, item: Any, job: Job) -> None:
        if job.article is None:
            return
        if isinstance(item, Article):
            for name in FIELDS:
                setattr(item, name, getattr(job.article, name))
            job.article = item
        elif job.reason not in OVERVIEWS or stated_url(item) is not None:
            enrich(item, job.article)

    def make(self, job: Job) -> None:
        page, config = job.page, self.session.config
        document = Document(page, self.session.recipe.name)
        html = page.source if config.keep_html else None
        wanted = config.comments == "field"
        article = Article.of(
            document,
            url=job.url,
            site=job.site,
            fetched=job.saved_at or job.fetched,
            html=html,
            rendered=job.rendered,
            comments=wanted,
        )
        job.article, job.metadata, job.text = article, document.metadata, article.text
        article.rights = joined(article.rights, answer_rights(job))
        self.session.counts.add_all("failed-fields", Counter(document.metadata.failed))
        job.reason = decide(page, document.metadata, config.min_words, strict=config.only_articles).reason
        self.feeds.fill_empty(job)
        kept_back = sorted(reservations(article.rights).intersection(config.respect)) if config.respect else []
        if job.reason is None and kept_back:
            job.reason = f"reserved-{kept_back[0]}"
        if job.reason is None and not job.window.admits(article.published):
            job.reason = "outside-dates"
        if job.reason is not None:
            self.count(article)

    def finish(self, job: Job) -> None:
        """Of a page that is an article: whether it has to wait, else its formats."""
        assert job.article is not None
        self.feeds.finish(job)
        if job.reason is not None:
            return
        self.live.keep(job)
        job.held = self.warmup.hold(job)
        if job.held is not None and job.prints is not None:
            self.warmup.kept.put(job.url, job.page, job.prints)
        if job.held is None:
            self.parts.render(job)
            self.live.render(job)
            self.count(job.article)

    def count(self, article: Article) -> None:
        self.session.counts.add("blocks/total", article.blocks_total)
        self.session.counts.add("blocks/kept", article.blocks_kept)
        self.session.counts.add_all("removed", Counter(article.removed))


class StorePipeline(HoldingPipeline):
    """Records the page once, article or not; then a page that is no article, or has to wait, is dropped."""

    def process(self, item: Any, job: Job) -> None:
        if "store" not in job.done:
            job.done.add("store")
            if self.session.broken:
                job.reason = STORE_FAILED
            else:
                with self.jobs.guarded(job, "store"):
                    self.record(job)
            self.count(job)
        self.jobs.forget(item)
        if job.held is not None and job.reason is None:
            raise DropItem(f"held until its site is known: {job.url}", log_level="DEBUG")
        # In enrich mode the item is the spider's own: it keeps what it has.
        if job.reason is not None and isinstance(item, Article):
            raise DropItem(f"no article ({job.reason}): {job.url}", log_level="DEBUG")

    def count(self, job: Job) -> None:
        if job.held is None and not self.session.broken:
            record = job.article.to_record() if job.article is not None else None
            self.session.ledger.add(job.visit, record, new=job.new)
        if job.reason is not None:
            self.session.counts.outcome(job.reason, job.url, "dropped")
        else:
            self.session.counts.add("articles" if job.held is None else "held")

    def record(self, job: Job) -> None:
        store, article = self.session.store, job.article if job.reason is None else None
        if job.prints is None:
            store.visit(job.visit)
            if job.released:
                store.release(job.url)
            return
        if job.held is None and job.reason in (None, DUPLICATE):
            # Before the article itself: killed in between, the page is fetched again and finds its copies marked.
            for url, original in job.marks.items():
                if store.mark_duplicate(url, original):
                    self.session.counts.add("marked-later")
        fields = article.to_record() if article is not None and job.held is None else None
        judge = self.session.judge
        before = None if fields is None else store.article(job.url)
        page, prints = job.whole or (job.page, job.prints)
        digests = job.digests if job.whole is None else None
        recorded = store.record(page_record(page, job.visit, prints, fields, job.signature, job.held, judge, digests))
        if before is not None and recorded.cursor is not None:
            keep_version(store, before)
        self.warmup.recorded(job, held=job.held is not None)
        if article is None or job.held is not None:
            return
        job.new = recorded.version == 1 and recorded.cursor is not None
        article.version = recorded.version
        article.previous = None if recorded.previous is None else f"{recorded.previous:016x}"
        if recorded.cursor is None and (self.session.config.only_new or self.warmup.gave_before(job)):
            job.reason = "unchanged"


def enrich(item: Any, article: Article) -> None:
    """Give an item the cleaned fields: a dict all, other items those they declare. What the spider set stays."""
    adapter = ItemAdapter(item)
    names = FIELDS if isinstance(item, dict) else [name for name in adapter.field_names() if name in FIELDS]
    values = article.to_record()
    for name in names:
        if not adapter.get(name):
            adapter[name] = values[name]

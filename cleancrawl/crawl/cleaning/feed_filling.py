"""What a feed says about a page that has come: whether the text is right, and what the page lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cleancrawl.core.feed_text import SOURCE, CleanedFeedText, FeedText
from cleancrawl.core.parts.joining import one_page
from cleancrawl.crawl.discovery.feed_texts import FeedTexts
from cleancrawl.crawl.fetching.part_requests import asked_as
from cleancrawl.crawl.job import Job
from cleancrawl.crawl.session import Session
from cleancrawl.crawl.warmup.held_pages import FEED_TEXT

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

LACKING = frozenset({"empty", "too-short", "needs-browser"})
"""Reasons of pages that have no text themselves."""
MISSING = "feed-missing"
"""Reason of an article that is stored with a feed's text, which no feed has any more."""
SHORTER = 0.8
"""A page with less of the stored words lacks what the feed had."""


class FeedFilling:
    """One per crawl."""

    def __init__(self, session: Session, texts: FeedTexts) -> None:
        self.session = session
        self.texts = texts
        self.enabled = session.config.feed_texts

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FeedFilling:
        return cls(Session.of(crawler), FeedTexts.of(crawler))

    def fill_empty(self, job: Job) -> None:
        """Let the feed stand in for a page without a text of its own: then it is an article after all."""
        job.feed = self._entry(job)
        lacks = job.reason in LACKING or (job.article is not None and job.article.paywalled)
        if self.enabled and job.feed is None and lacks:
            self.texts.want(job.url)
        if job.feed is None or job.article is None or job.reason not in LACKING:
            return
        found = self._cleaned(job, job.feed)
        if found.has_more(job.article.text, paywalled=True):
            self._stand_in(job, found)
            job.reason = None

    def finish(self, job: Job) -> None:
        """Compare the text of an article with the feed's, which takes its place where the page has the beginning."""
        article = job.article
        if article is None or not self.enabled:
            return
        if job.feed is None:
            if self._has_more(job):
                job.reason, job.prints = MISSING, None
            return
        if article.text_source == SOURCE:
            return
        found = self._cleaned(job, job.feed)
        article.feed_agreement = found.agreement(article.text)
        if found.has_more(article.text, paywalled=bool(article.paywalled)):
            self._stand_in(job, found)

    def _entry(self, job: Job) -> FeedText | None:
        if not self.enabled or job.response is None:
            return None
        kept = job.response.meta.get(FEED_TEXT)
        return FeedText(*kept) if kept else self.texts.take(asked_as(job.response))

    def _cleaned(self, job: Job, entry: FeedText) -> CleanedFeedText:
        return CleanedFeedText(entry, self.session.recipe, job.url)

    def _stand_in(self, job: Job, found: CleanedFeedText) -> None:
        assert job.article is not None
        assert job.prints is not None
        assert found.prints is not None
        found.stand_in(job.article)
        # What the server says of the page says nothing of the feed.
        job.etag = job.last_modified = None
        for block in job.page.kept:
            block.remove("feed", "in-feed", "the feed has the whole text")
        job.whole = one_page([job.page, found.page], [job.prints, found.prints])
        job.stand_in = found.document
        job.joined = None
        self.session.counts.add("feed-texts/filled")

    def _has_more(self, job: Job) -> bool:
        """Whether the stored article has a text that some feed had, and the page does not."""
        assert job.article is not None
        stored = self.session.store.article(job.url)
        article = stored.article if stored is not None else None
        if not article or article.get("text_source") != SOURCE:
            return False
        return job.article.word_count < SHORTER * (article.get("word_count") or 0)

"""The same story under another URL or on another site."""

from __future__ import annotations

from functools import partial
from typing import Any

from cleancrawl.core.fingerprints.article_signature import first_same, signature
from cleancrawl.crawl.cleaning.pipelines import CleaningPipeline, enrich
from cleancrawl.crawl.job import Job


class DuplicateArticlePipeline(CleaningPipeline):
    """Marks an article that repeats an earlier one with ``duplicate_of``, or drops it (``CLEANCRAWL_DUPLICATES``)."""

    def process(self, item: Any, job: Job) -> None:
        if self.session.config.duplicates == "keep" or job.article is None:
            return
        self.jobs.step(job, "duplicates", partial(self.look_up, job))
        if job.article is not item and job.article.duplicate_of:
            enrich(item, job.article)

    def look_up(self, job: Job) -> None:
        article = job.article
        if article is None:
            return
        job.signature = signature(article.text)
        article.duplicate_of = self.first_url(job)
        if article.duplicate_of:
            self.session.counts.add("duplicates")
            if self.session.config.duplicates == "drop":
                job.reason = "duplicate"

    def first_url(self, job: Job) -> str | None:
        """The URL that had the story first.

        What was an original when it was recorded stays one: else its own copies would make it theirs when it is
        fetched again. And the copy of a copy is a copy of the first.
        """
        if job.signature is None:
            return None
        store = self.session.store
        known = store.article(job.url)
        if known and known.article and not known.article.get("duplicate_of"):
            return None
        candidates = store.candidates(job.signature.keys)
        found = first_same(job.signature.data, candidates, where=lambda other: other.url != job.url)
        if found is None:
            return None
        earlier = store.article(found.url)
        first = earlier and earlier.article and earlier.article.get("duplicate_of")
        return first if first and first != job.url else found.url

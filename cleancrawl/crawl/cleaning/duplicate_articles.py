"""The same story under another URL or on another site."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.fingerprints.article_signature import Signature, all_same, signature_of
from cleancrawl.core.fingerprints.originals import MOST_TWINS, Claim, Verdict, decide, named_original
from cleancrawl.core.fingerprints.simhash import word_digests
from cleancrawl.crawl.cleaning.pipelines import DUPLICATE, CleaningPipeline, enrich
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
        words = word_digests(article.text)
        job.signature = signature_of(words)
        if article.text is job.text:
            job.digests = words
        if job.signature is None:
            return
        known = self.session.store.article(job.url)
        stored = known.article if known else None
        verdict = self.verdict(Claim.of(job.url, article.to_record()), job.signature, stored)
        article.duplicate_of = verdict.duplicate_of
        job.marks = dict.fromkeys(verdict.copies, job.url)
        # A text that has not changed is not recorded again.
        if stored and stored.get("duplicate_of") != verdict.duplicate_of:
            job.marks[job.url] = verdict.duplicate_of
        if article.duplicate_of:
            self.session.counts.add("duplicates")
            if self.session.config.duplicates == "drop":
                job.reason = DUPLICATE

    def verdict(self, claim: Claim, found: Signature, stored: ArticleRecord | None) -> Verdict:
        """What the article is to those before it.

        What was an original when it was recorded stays one, unless it says itself that it is none: else its own copies
        would make it theirs when it is fetched again.
        """
        was_original = bool(stored) and not (stored or {}).get("duplicate_of")
        if was_original and not claim.names_another_page:
            return Verdict()
        store = self.session.store
        same = all_same(found.data, store.candidates(found.keys), where=lambda other: other.url != claim.url)
        entries = ((other.url, store.article(other.url)) for other in islice(same, MOST_TWINS))
        twins = [Claim.of(url, entry.article) for url, entry in entries if entry and entry.article]
        return Verdict(named_original(claim, twins)) if was_original else decide(claim, twins)

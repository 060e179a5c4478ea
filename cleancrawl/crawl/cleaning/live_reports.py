"""Live reports: posts that fall off their page stay in the article."""

from __future__ import annotations

from cleancrawl.core.block import Block
from cleancrawl.core.fingerprints.block_prints import page_prints
from cleancrawl.core.live.kept_posts import PostRecord, keep_posts, render_posts, write_posts
from cleancrawl.core.live.live_posts import find_posts
from cleancrawl.core.page import Page
from cleancrawl.core.parts.joining import one_page
from cleancrawl.core.text.words import count_words
from cleancrawl.crawl.job import Job
from cleancrawl.crawl.session import Session


class LiveReports:
    """One per crawl."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def keep(self, job: Job) -> None:
        """Find the posts of a page, and join those that the store has of it."""
        article = job.article
        if article is None or job.stand_in is not None:
            return
        posts = find_posts(job.page, comments=self.session.config.comments is True)
        if not posts:
            return
        stored = self.session.store.article(job.url)
        before = (stored.article or stored.was or {}).get("posts") if stored is not None else None
        job.posts = keep_posts(posts, before or [], article.fetched_at)
        job.more_posts = write_posts(article, job.posts)
        if job.more_posts and job.prints is not None:
            page, prints = job.whole or (job.page, job.prints)
            more = _as_page(job.more_posts, job.url)
            # A store tells by the blocks whether anything has changed.
            job.whole = one_page([page, more], [prints, page_prints(more)])

    def render(self, job: Job) -> None:
        if job.article is not None and job.posts is not None:
            render_posts(job.article, job.more_posts, newest_first=job.posts.newest_first)


def _as_page(posts: list[PostRecord], url: str) -> Page:
    page = Page("", url)
    lines = [line for post in posts for line in (post["text"] or "").split("\n")]
    page.blocks = [Block(line, count_words(line), 0, "p", None, index) for index, line in enumerate(lines)]
    return page

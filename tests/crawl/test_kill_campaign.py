"""A few kills of the campaign (``python -m tests.kill_campaign``), one of them when it costs the feed an article."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals

from tests.kill_campaign import Round, Tally
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class DiesWithAnArticle:
    """Extension: the process dies when its third article is recorded, and before feeds have it."""

    def __init__(self) -> None:
        self.given = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> DiesWithAnArticle:
        extension = cls()
        crawler.signals.connect(extension.item_scraped, signals.item_scraped)
        crawler.extension_that_dies = extension  # signals hold nobody
        return extension

    def item_scraped(self, item: Any) -> None:
        self.given += 1
        if self.given == 3:
            os.kill(os.getpid(), signal.SIGKILL)


def test_killed_while_it_crawls_and_syncs_nothing_is_lost_or_doubled_and_export_has_what_the_feed_lacks(
    tmp_path: Path,
) -> None:
    with SampleSite(slow=0.0, crawl_delay=0) as site:
        one = Round(site, tmp_path / "killed")
        crawl = one.crawl(EXTENSIONS={DiesWithAnArticle: -1})
        crawl.wait_for(lambda: False)
        assert crawl.process.exitcode == -signal.SIGKILL
        one.check_sound()
        lost = one.articles().keys() - one.fed()[0].keys()
        assert lost
        one.crawl().kill_after(20)
        one.check_sound()
        one.kill_sync(0.05)
        one.check_sound()
        one.finish()
    articles, (fed, _) = one.articles(), one.fed()
    assert len(articles) >= len(article_pages("a"))
    # The next run gives nothing twice: so the feed never has what the killed one took along.
    assert lost <= articles.keys() - fed.keys()
    one.check_whole(articles, tally := Tally())
    assert tally.not_in_feed == len(articles) - len(fed)

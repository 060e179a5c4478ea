"""``ADDONS = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}``: all that a Scrapy project needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from cleancrawl.crawl.browser.browser_middleware import BrowserMiddleware
from cleancrawl.crawl.browser.browser_settings import switch_on
from cleancrawl.crawl.cleaning.cleaning_middleware import CleaningMiddleware
from cleancrawl.crawl.cleaning.duplicate_articles import DuplicateArticlePipeline
from cleancrawl.crawl.cleaning.pipelines import (
    ArticlePipeline,
    BlockScoringPipeline,
    PrimaryNoisePipeline,
    SecondaryNoisePipeline,
    StorePipeline,
)
from cleancrawl.crawl.config import Config, refuse_start
from cleancrawl.crawl.fetching.crawl_limits import CrawlLimitsMiddleware
from cleancrawl.crawl.fetching.decoding import DecodingMiddleware
from cleancrawl.crawl.fetching.gone_pages import GonePagesMiddleware
from cleancrawl.crawl.fetching.known_articles import KnownArticlesExtension
from cleancrawl.crawl.fetching.leased_requests import HandedOnLeaseMiddleware, LeasedRequestsMiddleware
from cleancrawl.crawl.fetching.mining_rules import MiningRulesMiddleware
from cleancrawl.crawl.fetching.part_requests import PartRequestsMiddleware
from cleancrawl.crawl.fetching.politeness import PolitenessMiddleware
from cleancrawl.crawl.fetching.private_addresses import PrivateAddressMiddleware
from cleancrawl.crawl.fetching.prompt_stop import PromptStopExtension
from cleancrawl.crawl.fetching.put_off_pages import PutOffMiddleware
from cleancrawl.crawl.fetching.request_outcomes import OutcomesMiddleware
from cleancrawl.crawl.fetching.revisit import RevisitMiddleware
from cleancrawl.crawl.fetching.robots_size import RobotsSizeMiddleware
from cleancrawl.crawl.output.failure import ExitCodeExtension
from cleancrawl.crawl.output.feed_formats import check_feeds
from cleancrawl.crawl.output.index_extension import IndexExtension
from cleancrawl.crawl.output.progress_line import ProgressExtension
from cleancrawl.crawl.output.run_records import RunRecordsExtension
from cleancrawl.crawl.output.summary_extension import SummaryExtension
from cleancrawl.crawl.output.warc_extension import WarcExtension
from cleancrawl.crawl.single_pages import ParseExtension, leave_no_traces, looks_at_single_pages
from cleancrawl.crawl.warmup.warmup_extension import HeldPagesMiddleware, WarmupExtension
from cleancrawl.crawl.worker.worker_extension import WorkerExtension
from cleancrawl.crawl.worker.worker_settings import become_worker
from cleancrawl.errors import CleanCrawlError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import Settings

COMPONENTS: dict[str, dict[type, int]] = {
    "EXTENSIONS": {
        WarmupExtension: 400,
        # Behind the warm-up, so that it comes first when the crawl is closed.
        PromptStopExtension: 410,
        # Behind those that may know of more when a site is quiet.
        WorkerExtension: 460,
        KnownArticlesExtension: 450,
        SummaryExtension: 500,
        IndexExtension: 500,
        ProgressExtension: 500,
        ParseExtension: 500,
        ExitCodeExtension: 500,
        RunRecordsExtension: 500,
        WarcExtension: 500,
    },
    "DOWNLOADER_MIDDLEWARES": {
        LeasedRequestsMiddleware: 4,
        # What comes from the store passes no other.
        HeldPagesMiddleware: 5,
        # Before all that counts what is asked for.
        PutOffMiddleware: 7,
        # Next to the engine: it sees what is left of redirects and retries.
        PartRequestsMiddleware: 9,
        OutcomesMiddleware: 10,
        RevisitMiddleware: 140,
        # Behind robots.txt (100): what it forbids is not counted as fetched.
        CrawlLimitsMiddleware: 150,
        # It sees what is left of redirects and retries.
        MiningRulesMiddleware: 160,
        # Before retries (550) and redirects (600): it sees what is left of them.
        BrowserMiddleware: 545,
        # Behind the retries (550): it sees what they are about to repeat.
        PolitenessMiddleware: 560,
        # After decompression (590).
        RobotsSizeMiddleware: 587,
        # After decompression, and before pages are searched for redirects (580).
        DecodingMiddleware: 585,
        # Behind the redirects (600): it sees them before they are followed.
        GonePagesMiddleware: 610,
        # Behind the proxy settings (750).
        PrivateAddressMiddleware: 760,
    },
    "SPIDER_MIDDLEWARES": {
        # Close to the spider: what other middlewares do to its items, they do to articles too.
        CleaningMiddleware: 900,
        HandedOnLeaseMiddleware: 950,
    },
    "ITEM_PIPELINES": {
        # Before the pipelines of a usual project (300), with room between any two for a user's own.
        PrimaryNoisePipeline: 110,
        SecondaryNoisePipeline: 120,
        BlockScoringPipeline: 130,
        ArticlePipeline: 140,
        DuplicateArticlePipeline: 150,
        StorePipeline: 160,
    },
}
EXPORTERS = {
    "parquet": "ParquetItemExporter",
    "csv": "HarmlessCsvItemExporter",
    **dict.fromkeys(("jsonlines", "jsonl", "jl"), "ArticleLinesItemExporter"),
}
"""By the name of the format, in ``cleancrawl/crawl/output/feed_formats.py``."""
ITEMS_AT_ONCE = 16
"""Of one response. Scrapy makes a task for each place, item or not, with every response; a page gives one article."""


class CleanCrawlAddon:
    """Puts the cleaning middleware and pipelines into a project's settings; numbers set by the project win."""

    def __init__(self, *, looking: bool = False, takes_sites: bool = False) -> None:
        self.looking = looking
        self.takes_sites = takes_sites

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CleanCrawlAddon:
        return cls(looking=looks_at_single_pages(crawler), takes_sites=getattr(crawler.spider, "takes_sites", False))

    def update_settings(self, settings: Settings) -> None:
        try:
            config = Config.from_settings(settings)
            if not config.enabled:
                raise NotConfigured("CLEANCRAWL_ENABLED is off")
            if self.looking:
                leave_no_traces(settings)
            elif self.takes_sites:
                become_worker(settings, config.sites_at_once)
            check_feeds(settings)
            switch_on(settings, config)
        except CleanCrawlError as error:
            refuse_start(error)
        if config.contact:
            agent, priority = settings["USER_AGENT"], settings.getpriority("USER_AGENT") or 0
            settings.set("USER_AGENT", f"{agent} (+{config.contact})", priority)
        settings.set("CONCURRENT_ITEMS", ITEMS_AT_ONCE, "addon")
        for setting, components in COMPONENTS.items():
            for component, order in components.items():
                settings.setdefault_in_component_priority_dict(setting, component, order)
        for name, exporter in EXPORTERS.items():
            settings["FEED_EXPORTERS"].setdefault(name, f"cleancrawl.crawl.output.feed_formats.{exporter}")
        for scheme in ("", "file"):
            settings["FEED_STORAGES"].setdefault(scheme, "cleancrawl.crawl.output.feed_files.ReplacingFileStorage")
        if not settings["FEED_URI_PARAMS"]:
            settings.set("FEED_URI_PARAMS", "cleancrawl.crawl.output.feed_files.uri_params", "addon")

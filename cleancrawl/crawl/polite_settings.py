"""Settings of a polite crawl with the add-on, for ``cleancrawl crawl`` and for projects that build on them.

``from cleancrawl.crawl.polite_settings import *`` in a project's settings, or without any project
``SCRAPY_SETTINGS_MODULE=cleancrawl.crawl.polite_settings scrapy crawl news -a sites=…``.
"""

from __future__ import annotations

from cleancrawl.version import __version__

BOT_NAME = "cleancrawl"
SPIDER_MODULES = ["cleancrawl.spiders"]
ADDONS: dict[str, int] = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}

USER_AGENT = f"cleancrawl/{__version__}"  # with CLEANCRAWL_CONTACT behind it
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 2
DOWNLOAD_DELAY = 0.5
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_START_DELAY = 0.5
AUTOTHROTTLE_TARGET_CONCURRENCY = 1.0
DOWNLOAD_TIMEOUT = 60
DOWNLOAD_MAXSIZE = 20_000_000
DOWNLOAD_WARNSIZE = 0
RETRY_TIMES = 2
COOKIES_ENABLED = False
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
# Sites that go on for ever are crawled breadth first.
DEPTH_PRIORITY = 0
LOG_LEVEL = "INFO"
FEED_EXPORT_ENCODING = "utf-8"
# Here, too, and not by the add-on alone: `-O out.parquet` is judged before add-ons are loaded.
FEED_EXPORTERS = {"parquet": "cleancrawl.crawl.output.feed_formats.ParquetItemExporter"}

"""The pictures of the documentation: ``python -m tests.screenshots`` makes them anew in ``docs``.

The report is that of a planted store, the rest is from a crawl of the sample news site. Needs Chromium with its driver,
and the extras ``serve`` and ``search``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from scrapy.crawler import CrawlerProcess

from cleancrawl import open_store
from cleancrawl.lab.planted_store import FIRST, plant
from cleancrawl.report.harvest_report import as_html, gather
from cleancrawl.serve.harvest_source import HarvestSource
from cleancrawl.sinks.searching import open_search
from cleancrawl.spiders.news import NewsSpider
from tests.browser import Browser, open_browser
from tests.serve.serving import filled_index, served
from tests.site.server import SampleSite

DOCS = Path(__file__).parents[1] / "docs"
SEEN = "/science/2026/02/24/seagrass-meadow-returns-to-lunn-sound"


def main() -> int:
    with TemporaryDirectory() as directory, SampleSite(crawl_delay=0) as site:
        folder = Path(directory)
        crawl(site, folder)
        with open_browser() as browser:
            take_report(browser, folder)
            take_pages(browser, folder, site)
    return 0


def crawl(site: SampleSite, folder: Path) -> None:
    settings = {
        "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500},
        "CLEANCRAWL_STORE": f"sqlite:///{folder}/store.db",
        "CLEANCRAWL_KEEP_HTML": True,
        "LOG_LEVEL": "CRITICAL",
        "RETRY_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(NewsSpider, sites=site.a)
    process.start()


def take_report(browser: Browser, folder: Path) -> None:
    store = open_store("memory:")
    plant(store, sites=60, articles=9000, runs=20)
    path = folder / "report.html"
    path.write_text(as_html(gather(store), "sqlite:///harvest.db", now=FIRST.timestamp() + 39 * 86_400), "utf-8")
    take(browser, "report", path, height=1000)
    take(browser, "report-phone", path, dark=True, width=390, height=840)


def take_pages(browser: Browser, folder: Path, site: SampleSite) -> None:
    store = open_store(f"sqlite:///{folder}/store.db")
    source = HarvestSource(store, open_search(filled_index(store, folder / "index")))
    article = quote(site.a + SEEN, safe="")
    with served(source) as pages:
        take(browser, "serve", f"{pages.url}/?q=seagrass+meadow", height=620)
        take(browser, "serve-article", f"{pages.url}/article?url={article}", dark=True, height=620)
        take(browser, "explain", f"{pages.url}/why?url={article}", height=900)
    source.close()


def take(
    browser: Browser,
    name: str,
    page: Path | str,
    *,
    dark: bool = False,
    width: int = 1280,
    height: int = 900,
) -> None:
    browser.look(dark=dark, width=width, height=height)
    browser.open(page)
    browser.run("document.documentElement.style.overflow = 'hidden'")  # no scroll bars
    browser.driver.save_screenshot(str(DOCS / f"{name}.png"))


if __name__ == "__main__":
    sys.exit(main())

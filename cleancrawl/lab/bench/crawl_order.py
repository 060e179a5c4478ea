"""How soon a crawl finds articles: the order by URLs alone beside the order that cleaning steers.

python -m cleancrawl.lab.bench.crawl_order --data DATA --set publishers-dev,portal-dev     (real links, replayed)
python -m cleancrawl.lab.bench.crawl_order http://127.0.0.1:8780/ --discover links          (a site that is served)

Each site is crawled by the spider ``news``, one request at a time, in a process of its own, with and without
``CLEANCRAWL_STEER``. A page counts as an article where its address is one's (replayed), or where the crawl gives one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.link_replay import LinkedSite, Replay, linked_sites
from cleancrawl.lab.bench.text_tables import markdown_table

FIRST = (10, 20, 40, 80)
WAYS = {"by URLs": False, "steered": True}
SETTINGS: dict[str, Any] = {
    "ADDONS": {"cleancrawl.crawl.addon.CleanCrawlAddon": 500},
    "CLEANCRAWL_STORE": "memory:",
    "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
    "CLEANCRAWL_PROGRESS": False,
    # In their order, each seen before the next is chosen.
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_DELAY": 0,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
}

Finds = list[bool]
"""Page by page as they were asked for: whether it is an article."""


def report(sites: Sequence[LinkedSite]) -> str:
    """Articles among the first pages of each site that is replayed, in both orders."""
    found = {site.name: {way: apart(replayed, site, steer) for way, steer in WAYS.items()} for site in sites}
    sizes = {site.name: f"{len(site.pages)} pages, {len(site.articles)} articles" for site in sites}
    return table(found, sizes)


def table(found: Mapping[str, Mapping[str, Finds]], sizes: Mapping[str, str]) -> str:
    rows = [
        [site, sizes[site], *(_both([sum(finds[:first]) for finds in ways.values()]) for first in FIRST)]
        for site, ways in found.items()
    ]
    if len(found) > 1:
        sums = [[sum(sum(ways[way][:first]) for ways in found.values()) for way in WAYS] for first in FIRST]
        rows.append(["all", "", *map(_both, sums)])
    return markdown_table(["site", "", *(f"first {first}" for first in FIRST)], rows)


def _both(counts: Sequence[int]) -> str:
    return " → ".join(map(str, counts))


def apart(work: Any, *arguments: Any) -> Finds:
    """In a process of its own: a reactor runs once."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found: Finds = pool.submit(work, *arguments).result()
    return found


def replayed(site: LinkedSite, steer: bool) -> Finds:
    """A crawl of a replayed site by links alone."""
    replay = Replay(site)
    settings = {"REPLAY": replay, "DOWNLOADER_MIDDLEWARES": {Replay: 900}}
    run(settings, steer, sites=site.front, discover="links", depth="9")
    return [url in site.articles for url in replay.asked]


def served(url: str, steer: bool, discover: str) -> Finds:
    """A crawl of a site that is served; articles are those that the crawl gives."""
    asked, given = run({}, steer, sites=url, discover=discover)
    return [url in given for url in asked]


def run(settings: Mapping[str, Any], steer: bool, **arguments: str) -> tuple[list[str], set[str]]:
    """Crawl; the pages in the order of their answers, and those that gave an article."""
    from scrapy import signals
    from scrapy.crawler import CrawlerProcess
    from scrapy.http import HtmlResponse, Response

    from cleancrawl.crawl.request_data import RequestData
    from cleancrawl.spiders.news import NewsSpider

    process = CrawlerProcess({**SETTINGS, **settings, "CLEANCRAWL_STEER": steer})
    crawler = process.create_crawler(NewsSpider)
    asked: list[str] = []
    given: set[str] = set()

    def received(response: Response) -> None:
        data = RequestData.of(response)
        if isinstance(response, HtmlResponse) and data.cleaned and data.held_since is None:
            asked.append(response.url)

    def scraped(item: Any) -> None:
        given.add(item.url)

    crawler.signals.connect(received, signals.response_received)
    crawler.signals.connect(scraped, signals.item_scraped)
    process.crawl(crawler, **arguments)
    process.start()
    return asked, given


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="*", help="front pages of sites that are served")
    parser.add_argument("--discover", default="sitemap,feed,links", metavar="a,b", help="as for the spider news")
    parser.add_argument("--data", metavar="DIR", help="labelled pages whose links are replayed")
    parser.add_argument("--set", default="", metavar="a,b", help="only these sets of the directory")
    args = parser.parse_args(arguments)
    if args.data:
        sets = load_sets(args.data, tuple(filter(None, args.set.split(","))), None, ())
        print(report(linked_sites(page for found in sets for page in found.pages)))
    if args.url:
        found = {
            url: {way: apart(served, url, steer, args.discover) for way, steer in WAYS.items()} for url in args.url
        }
        sizes = {url: f"{len(ways['by URLs'])} pages, {sum(ways['by URLs'])} articles" for url, ways in found.items()}
        print(table(found, sizes))
    return 0


if __name__ == "__main__":
    sys.exit(main())

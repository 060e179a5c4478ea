"""A crawl that takes its sites from the store's list."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from scrapy import Request

from cleancrawl.crawl.config import Config
from cleancrawl.crawl.discovery.feeds import USUAL_PATHS
from cleancrawl.crawl.worker.site_scheduler import Spool
from cleancrawl.errors import ConfigError
from cleancrawl.lab.chaos.farm_settings import LeaseHeader
from cleancrawl.lab.chaos.news_farm import Farm, Logged
from cleancrawl.lab.chaos.rounds import TOLERANCE, Findings, judge_log
from cleancrawl.stores.listed_sites import ListedSite
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store
from spiders.news import NewsSpider
from tests.crawling import Crawl, Crawled

SETTINGS: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {LeaseHeader: 990},
    "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs_of_a_site",
    "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True,
    "ROBOTSTXT_OBEY": True,
}
HOUR = 3600.0


class Work:
    """A farm, a store, and workers on them."""

    def __init__(self, crawl: Crawl, farm: Farm, url: str) -> None:
        self.crawl, self.farm, self.url = crawl, farm, url
        self.store = open_store(url)

    def add(self, host: str, interval: float = HOUR, **options: str) -> str:
        name = f"{host}:{self.farm.port}"
        self.store.list_site(ListedSite(name, (self.farm.url(host),), options, interval))
        return name

    def run(self, settings: dict[str, Any] | None = None, **arguments: str) -> Crawled:
        chosen = {**SETTINGS, "CLEANCRAWL_STORE": self.url, **(settings or {})}
        return self.crawl(NewsSpider, chosen, **{"sites": "queue", "once": "1", "discover": "links", **arguments})

    def stored(self) -> list[str]:
        return sorted(entry.url for entry in self.store.articles(limit=10_000))


@pytest.fixture
def farm(request: pytest.FixtureRequest) -> Iterator[Farm]:
    with Farm(*getattr(request, "param", [[3, 7, 12]]), addresses=True) as served:
        yield served


@pytest.fixture
def work(crawl: Crawl, farm: Farm, tmp_path: Path) -> Iterator[Work]:
    made = Work(crawl, farm, f"sqlite:///{tmp_path / 'store.db'}")
    yield made
    made.store.close()


def farm_of(*sizes: int, delays: list[float] | None = None) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("farm", [(list(sizes), delays)], indirect=True, ids=["farm"])


def test_the_sites_of_the_list_are_crawled(work: Work, farm: Farm) -> None:
    for host in farm.sizes:
        work.add(host)
    crawled = work.run()
    assert crawled.stats["finish_reason"] == "finished"
    assert sorted(item.url for item in crawled.items) == sorted(farm.article_urls())
    for site in work.store.listed_sites():
        assert (site.state, site.outcome) == ("waiting", "finished")
        assert site.articles == farm.sizes[site.name.partition(":")[0]]
        assert site.due == pytest.approx(site.ended + HOUR, abs=120.0)
    assert crawled.counted("sites/") == {"taken": 3, "finished": 3}
    # Nothing is due: the next worker has nothing to do.
    before = len(farm.log)
    assert work.run().items == []
    assert len(farm.log) == before


@farm_of(3, 25)
def test_a_worker_that_stops_gives_its_sites_back_and_the_next_one_goes_on(work: Work, farm: Farm) -> None:
    for host in farm.sizes:
        work.add(host)
    # All pages wait for the whole site: they are left to the next owner.
    settings = {"CLEANCRAWL_WARMUP_PAGES": 1000}
    first = work.run({**settings, "CLOSESPIDER_PAGECOUNT": 8})
    assert first.stats["finish_reason"] == "closespider_pagecount"
    stopped = [site for site in work.store.listed_sites() if site.outcome == "stopped"]
    assert stopped
    assert all(site.owner is None and (site.due or 0) <= work.store.store_time() for site in stopped)
    assert work.store.holds()
    second = work.run(settings)
    assert sorted(item.url for item in first.items + second.items) == sorted(farm.article_urls())
    assert work.store.holds() == {}
    assert {site.outcome for site in work.store.listed_sites()} == {"finished"}


def steal(url: str, name: str) -> None:
    """As if the owner had stood still for longer than its lease, and another worker had come."""
    connection = sqlite3.connect(url.removeprefix("sqlite:///"), timeout=30)
    with connection:
        connection.execute("UPDATE leases SET owner = 'thief', token = token + 1000 WHERE name = ?", (name,))
    connection.close()


@farm_of(3, 30)
def test_a_worker_that_has_lost_a_site_drops_it(
    work: Work, farm: Farm, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    small, large = map(work.add, farm.sizes)
    stolen, turn = list[str](), Lock()
    answer = farm.answer

    def watch(handler: Any) -> None:
        with turn:
            if not stolen and sum(f"{entry.host}:{farm.port}" == large for entry in farm.log) >= 8:
                steal(work.url, large)
                stolen.append(large)
        answer(handler)

    monkeypatch.setattr(farm, "answer", watch)
    with caplog.at_level(logging.WARNING):
        # Nobody told it: it learns it from what the store refuses.
        one_by_one = {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_DELAY": 0.01, "DOWNLOAD_DELAY_JITTER": 0.0}
        crawled = work.run({"CLEANCRAWL_WARMUP_PAGES": 0, **one_by_one})
    assert crawled.counted("sites/")["lost"] == 1
    assert [record.message for record in caplog.records if "another worker's" in record.message] == [
        f"cleancrawl: {large} is another worker's now, this one drops it"
    ]
    sites = {site.name: site for site in work.store.listed_sites()}
    assert (sites[large].owner, sites[small].outcome) == ("thief", "finished")
    asked = [entry for entry in farm.log if f"{entry.host}:{farm.port}" == large]
    # One may have been on its way; far more were in the queue.
    assert len(asked) < 12
    assert sorted(item.url for item in crawled.items) == work.stored()
    assert len(work.stored()) < 3 + 10


@farm_of(4, 4, delays=[0.3, 0.0])
def test_delays_hold_through_take_overs(work: Work, farm: Farm) -> None:
    """By robots.txt on the one site, by its options on the other."""
    asks, told = farm.sizes
    names = [work.add(asks), work.add(told, delay="0.3")]
    for pages in (4, 3):
        work.run({"CLOSESPIDER_PAGECOUNT": pages})
        for name in names:
            work.store.list_site(ListedSite(name, (f"http://{name}/",), {"delay": "0.3"} if told in name else {}, HOUR))
    leases = work.store.take_sites("dies", 10, 0.2)
    work.store.renew_leases("dies", [(lease.fence, 0.3) for lease in leases], 0.2)
    time.sleep(0.3)
    work.run()
    findings = Findings()
    judge_log(farm.log, dict.fromkeys(farm.sizes, 0.3 - 0.01 + TOLERANCE), findings)
    assert (findings.hasty, findings.strangers) == ([], [])
    assert len({entry.lease for entry in farm.log if entry.host == asks}) >= 3
    assert work.stored() == sorted(farm.article_urls())


@farm_of(*[3] * 15, 200)
def test_a_large_site_starves_no_small_one(work: Work, farm: Farm) -> None:
    for host in reversed(farm.sizes):
        work.add(host)
    work.run({"CLEANCRAWL_SITES_AT_ONCE": 16}, max_pages="150", depth="30")
    large = list(farm.sizes)[-1]
    places: dict[str, list[int]] = {}
    for place, entry in enumerate(farm.log):
        places.setdefault(entry.host, []).append(place)
    assert len(places[large]) >= 150
    # The large one is listed first, and its pages are there long before the others have been found.
    done = max(max(found) for host, found in places.items() if host != large)
    assert sum(place < done for place in places[large]) < 110


@farm_of(2)
def test_sites_come_due_again_in_one_process_and_new_articles_are_found(work: Work, farm: Farm) -> None:
    (host,) = farm.sizes
    work.add(host, interval=1.0)
    page = farm.page

    def growing(asked: str, path: str) -> tuple[str, bytes]:
        if path == "/" and sum(entry.path == "/" for entry in farm.log) > 2:
            farm.sizes[host] = 4
        return page(asked, path)

    farm.page = growing  # type: ignore[method-assign]
    limits = {"once": "0", "discover": "feed,links", "max_pages": "3"}
    crawled = work.run({"CLOSESPIDER_ITEMCOUNT": 4, "CLEANCRAWL_WARMUP_PAGES": 0}, **limits)
    assert sorted(item.url for item in crawled.items) == sorted(farm.article_urls())
    assert crawled.counted("sites/")["taken"] >= 3
    # robots.txt is read again in each run, feeds are looked for, and the limits begin anew.
    for path in ("/robots.txt", USUAL_PATHS[0]):
        assert sum(entry.path == path for entry in farm.log) >= 3


@farm_of(30, 3)
def test_what_does_not_fit_in_memory_waits_in_a_file(work: Work, farm: Farm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cleancrawl.crawl.worker.site_scheduler.MOST_IN_MEMORY", 2)
    spooled: list[str] = []
    push = Spool.push

    def watch(spool: Spool, request: Request) -> None:
        push(spool, request)
        spooled.append(request.url)

    monkeypatch.setattr(Spool, "push", watch)
    for host in farm.sizes:
        work.add(host)
    crawled = work.run(depth="30")
    assert len(spooled) > 20
    assert sorted(item.url for item in crawled.items) == sorted(farm.article_urls())


@pytest.mark.parametrize("listed", [False, True], ids=["new domain", "listed domain"])
@farm_of(2, 4)
def test_a_site_whose_front_page_has_moved_to_another_domain(
    work: Work, farm: Farm, monkeypatch: pytest.MonkeyPatch, listed: bool
) -> None:
    """The new domain is crawled as a part of the site, unless it is on the list itself: then it has its own owner."""
    old, new = farm.sizes
    answer = farm.answer

    def moved(handler: Any) -> None:
        if handler.headers.get("Host", "").partition(":")[0] == old and handler.path == "/":
            farm.log.append(Logged(0.0, old, "/", int(handler.headers["X-Lease"]), ""))
            handler.send_response(301)
            handler.send_header("Location", farm.url(new))
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        else:
            answer(handler)

    monkeypatch.setattr(farm, "answer", moved)
    names = [work.add(old), *([work.add(new)] if listed else [])]
    crawled = work.run()
    expected = sorted(url for url in farm.article_urls() if new in url)
    assert sorted(item.url for item in crawled.items) == work.stored() == expected
    (first,) = {entry.lease for entry in farm.log if entry.host == old}
    (asked,) = {entry.lease for entry in farm.log if entry.host == new}
    assert (asked == first) is not listed
    assert {site.name for site in work.store.listed_sites() if site.state == "waiting"} == set(names)
    # The next worker finds nothing left open.
    assert work.run().items == []


def test_sites_that_cannot_be_read_say_so(work: Work, farm: Farm) -> None:
    dead = "127.0.0.99:9"
    work.store.list_site(ListedSite(dead, (f"http://{dead}/",), {}, HOUR))
    wrong = work.add(next(iter(farm.sizes)), since="soon")
    crawled = work.run()
    sites: dict[str, ListedSite] = {site.name: site for site in work.store.listed_sites()}
    assert sites[dead].outcome.startswith("nothing read: ")
    assert sites[wrong].outcome.startswith("refused: -a since= must be a day")
    assert all((site.due or 0) > work.store.store_time() for site in sites.values())
    assert crawled.items == []


def test_an_empty_list_is_told(work: Work, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert work.run().stats["finish_reason"] == "finished"
    assert "no site is on the list" in caplog.text


class ForeignStore:
    """Of another package, from before there was a list."""

    def __init__(self, store: Store) -> None:
        self.close = store.close


def test_stores_without_a_list_are_refused(monkeypatch: pytest.MonkeyPatch, crawl: Crawl) -> None:
    monkeypatch.setattr("cleancrawl.crawl.session.open_store", lambda url: ForeignStore(open_store(url)))
    with pytest.raises(ConfigError, match="keeps no list of sites"):
        crawl(NewsSpider, sites="queue")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"sites": "queue", "once": "maybe"}, "once= must be 1 or 0"), ({"sites": "a.example", "once": "1"}, "goes with")],
)
def test_wrong_arguments(arguments: dict[str, str], message: str, crawl: Crawl) -> None:
    with pytest.raises(ConfigError, match=message):
        crawl(NewsSpider, **arguments)


@pytest.mark.parametrize(("name", "value"), [("SITES_AT_ONCE", "0"), ("LEASE_SECONDS", "0.1"), ("WORKER", "1/2")])
def test_wrong_settings(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=name):
        Config.from_settings({f"CLEANCRAWL_{name}": value})

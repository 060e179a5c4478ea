"""Whatever is killed, and whenever: no article is lost, none comes twice, none by half."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from cleancrawl import clean
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store
from tests.crawl.crash_worker import CrawlProcess
from tests.site.manifest import article_pages
from tests.site.server import SampleSite
from tests.stores.redis_process import RedisProcess

KILLS = 10


@pytest.fixture(scope="module")
def quick_site() -> Iterator[SampleSite]:
    with SampleSite(slow=0.0, crawl_delay=0) as served:
        yield served


@pytest.fixture(scope="module")
def undisturbed(quick_site: SampleSite, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], int]:
    """The articles of a crawl that nobody disturbs, and how many requests it takes."""
    directory = tmp_path_factory.mktemp("undisturbed")
    url = f"sqlite:///{directory / 'store.db'}"
    crawl = CrawlProcess(quick_site, url, directory / "log")
    crawl.finish()
    store = open_store(url)
    texts = corpus(store)
    store.close()
    assert len(texts) >= len(article_pages("a"))
    return texts, crawl.requests


@pytest.fixture
def redis_process() -> Iterator[RedisProcess]:
    with tempfile.TemporaryDirectory(prefix="redis-") as directory:
        server = RedisProcess(Path(directory)).start()
        yield server
        server.stop()


def corpus(store: Store) -> dict[str, str]:
    """The text of each article; checks that each is there once, whole, and in its first version."""
    assert store.holds() == {}
    # The live page has an entry more at each visit: it is never the same in two crawls.
    entries = [entry for entry in store.articles(limit=10_000) if "/live/" not in entry.url]
    texts = {entry.url: entry.article["text"] for entry in entries if entry.article}
    assert len(texts) == len(entries)
    assert all(entry.version == 1 for entry in entries)
    return texts


def counts(store: Store) -> list[tuple[str, int, int, int]]:
    return [(site.site, site.pages, site.urls, site.blocks) for site in store.sites()]


def test_a_crawl_killed_ten_times(
    quick_site: SampleSite, undisturbed: tuple[dict[str, str], int], tmp_path: Path
) -> None:
    expected, requests = undisturbed
    url, moments = f"sqlite:///{tmp_path / 'store.db'}", random.Random(2026)
    for number in range(KILLS):
        CrawlProcess(quick_site, url, tmp_path / f"log{number}").kill_after(moments.randrange(1, requests))
    CrawlProcess(quick_site, url, tmp_path / "log").finish()
    store = open_store(url)
    assert corpus(store) == expected
    # Counted once, however often it was fetched.
    known = store.site_pages(quick_site.a.removeprefix("http://"))
    assert store.blocks(store.sites()[0].site, 1)[0].pages <= known
    store.close()


def test_interrupted_once_a_crawl_finishes_what_waits(
    quick_site: SampleSite, undisturbed: tuple[dict[str, str], int], tmp_path: Path
) -> None:
    expected, requests = undisturbed
    url = f"sqlite:///{tmp_path / 'store.db'}"
    # What is known of the site by then depends on the moment: here it decides nothing.
    recipe = "tests.recipes_for_tests.default_in_any_order"
    crawl = CrawlProcess(quick_site, url, tmp_path / "log", CLEANCRAWL_RECIPE=recipe)
    crawl.interrupt_after(requests // 2)
    store = open_store(url)
    texts = corpus(store)
    assert texts
    assert texts.keys() <= expected.keys()
    for address, text in texts.items():
        with urlopen(address) as response:
            assert text == clean(response.read(), url=address).text
    assert "Traceback" not in crawl.log.read_text()
    store.close()


def test_a_redis_server_that_is_killed_and_comes_back(
    quick_site: SampleSite, undisturbed: tuple[dict[str, str], int], tmp_path: Path, redis_process: RedisProcess
) -> None:
    expected, requests = undisturbed
    crawl = CrawlProcess(quick_site, redis_process.url, tmp_path / "log")
    crawl.wait_for(lambda: crawl.requests >= requests // 3)
    redis_process.kill()
    crawl.wait_for(lambda: "does not answer, waiting" in crawl.log.read_text())
    redis_process.start()
    log = crawl.finish()
    assert (log.count("does not answer, waiting"), log.count("answers again")) == (1, 1)
    assert "Traceback" not in log
    store = open_store(redis_process.url)
    assert corpus(store) == expected
    store.close()


def test_a_redis_server_that_stays_away_ends_the_crawl(
    quick_site: SampleSite, undisturbed: tuple[dict[str, str], int], tmp_path: Path, redis_process: RedisProcess
) -> None:
    expected, requests = undisturbed
    crawl = CrawlProcess(quick_site, redis_process.url + "?wait=0.5", tmp_path / "log")
    crawl.wait_for(lambda: crawl.requests >= requests // 2)
    redis_process.kill()
    log = crawl.finish()
    assert log.count("the crawl stops") == 1
    assert "'finish_reason': 'store-failed'" in log
    redis_process.start()
    # Nothing by half; the next crawl completes it.
    CrawlProcess(quick_site, redis_process.url, tmp_path / "log2").finish()
    store = open_store(redis_process.url)
    assert corpus(store) == expected
    store.close()


def test_a_full_disk_ends_the_crawl(
    quick_site: SampleSite, undisturbed: tuple[dict[str, str], int], tmp_path: Path
) -> None:
    expected, _ = undisturbed
    url = f"sqlite:///{tmp_path / 'store.db'}"
    log = CrawlProcess(quick_site, url, tmp_path / "log", largest_file=900_000).finish()
    assert log.count("the crawl stops") == 1
    assert "'finish_reason': 'store-failed'" in log
    store = open_store(url)
    assert store.info().pages > 0
    store.close()
    CrawlProcess(quick_site, url, tmp_path / "log2").finish()
    store = open_store(url)
    assert corpus(store) == expected
    store.close()

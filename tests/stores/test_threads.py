"""Threads share a store, and so a cleaner: nothing is lost, doubled or confused."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cleancrawl import Cleaner
from cleancrawl.stores.protocol import Store
from tests.stores.conftest import OpenStore
from tests.stores.pages import FOOTER, SITE, article_of, prints_of, record_of, story, url_of

THREADS, PAGES = 8, 48
PARAGRAPH = "Reporter {0} saw how harbour {0} was built, and why the town of pier {0} paid {0} million for it. "


def in_threads(work: Callable[[int], object]) -> list[object]:
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(PAGES)))


def test_every_page_counts_once(make_store: OpenStore) -> None:
    store: Store = make_store()

    def record(number: int) -> None:
        lines = (*story(number), FOOTER)
        store.seen(SITE, url_of(number), prints_of(*lines))
        store.record(record_of(url_of(number), *lines, article=article_of(f"Story {number}")))
        store.articles(0, 1000)
        store.held()

    in_threads(record)
    assert store.site_pages(SITE) == store.site_articles(SITE) == PAGES
    entries = store.articles(0, 1000)
    assert len({entry.url for entry in entries}) == len({entry.cursor for entry in entries}) == PAGES
    (footer,) = [block for block in store.blocks(SITE, 1000) if block.text.startswith("Copyright")]
    assert footer.pages == PAGES


def test_a_store_is_dumped_while_another_thread_writes(make_store: OpenStore) -> None:
    store: Store = make_store()
    store.record(record_of(url_of(0), *story(0)))
    rows = store.dump()
    next(rows)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(store.set_cursor, "reader", 3).result(timeout=20)
    assert store.cursor("reader") == 3
    rows.close()  # type: ignore[attr-defined]


def page(number: int) -> str:
    text = "".join(f"<p>{PARAGRAPH.format(1000 * number + part) * 2}</p>" for part in range(5))
    return f"<title>Harbour {number}</title><body><article><h1>Harbour {number}</h1>{text}</article><p>{FOOTER}</p>"


def test_a_cleaner_serves_threads(tmp_path: Path) -> None:
    with Cleaner(store=f"sqlite:///{tmp_path / 'sites.db'}") as cleaner:
        texts = in_threads(lambda number: cleaner.clean(page(number), url=url_of(number)).text)
        known = cleaner.store.site_pages(SITE)
    assert known == PAGES
    for number, text in enumerate(texts):
        assert f"harbour {1000 * number} was built" in str(text)
        assert f"harbour {1000 * number + 4} was built" in str(text)

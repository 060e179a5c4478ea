"""What a page that waits keeps in memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.core.fingerprints.block_prints import page_prints
from cleancrawl.core.page import Known, Page
from cleancrawl.core.segmentation import text_blocks
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.crawl.warmup.kept_pages import KeptPages
from cleancrawl.methods.learned import learned_score
from tests.crawl.warmup.test_warmup import PageSpider, articles
from tests.crawling import Crawl, LittleServer

SOURCE = "<p>One two three four.</p><p>Five six seven.</p>"


def story(number: int) -> str:
    text = "".join(
        f"<p>The council of town{number} met{number} on day {day}, and decided that the bridge, which was closed "
        f"in May after a crack had been found, will be repaired{day} by crew{number} before{day} the winter comes.</p>"
        for day in range(8 * number, 8 * number + 8)
    )
    return f"<html><title>Bridge {number}</title><body><h1>Bridge {number}</h1><article>{text}</article></body></html>"


def cut(source: str = SOURCE) -> Page:
    page = Page(source, "https://a.example/1")
    TextBlocks()(page)
    return page


def test_a_page_comes_back_once_and_without_verdicts() -> None:
    kept, page = KeptPages(), cut()
    prints = page_prints(page)
    page.blocks[0].remove("score", "learned", "0.10")
    page.blocks[0].score, page.known, page.notes = 0.1, Known([1, 1], 3), {0: "why"}
    page.memo["scores"] = (1, 2)
    kept.put("/1", page, prints)
    found = kept.take("/1", SOURCE)
    assert found is not None
    assert (found.page, found.prints) == (page, prints)
    assert all(block.kept and block.score is None for block in page.blocks)
    assert (page.known, page.notes, page.memo) == (None, {}, {"scores": (1, 2)})
    assert kept.take("/1", SOURCE) is None
    assert (len(kept), kept.bytes) == (0, 0)


def test_another_source_is_another_page() -> None:
    kept, page = KeptPages(), cut()
    kept.put("/1", page, page_prints(page))
    assert kept.take("/1", SOURCE + " ") is None
    assert kept.bytes == 0


def test_memory_is_bounded() -> None:
    kept = KeptPages(most_bytes=3 * sys.getsizeof(SOURCE))
    for number in (1, 2, 3, 4, 5, 1):
        page = cut()
        kept.put(f"/{number}", page, page_prints(page))
    assert len(kept) == 3
    assert kept.bytes == kept.most_bytes
    with_tree = cut("<p>x")
    _ = with_tree.tree
    KeptPages().put("/1", with_tree, page_prints(with_tree))
    assert with_tree.has_tree


@pytest.mark.parametrize("most", [64_000_000, 0], ids=["kept", "from the store"])
def test_pages_that_wait_are_cut_and_scored_once(
    most: int, crawl: Crawl, server: LittleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work: list[str] = []

    def counted(module: Any, name: str) -> None:
        made = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: (work.append(name), made(*given))[1])

    counted(text_blocks, "read")
    counted(learned_score, "feature_sheet")
    monkeypatch.setattr("cleancrawl.crawl.warmup.warmup.KeptPages", lambda: KeptPages(most))
    store = f"sqlite:///{tmp_path / 'store.db'}"
    settings = {"CLEANCRAWL_STORE": store, "CONCURRENT_REQUESTS": 1, "CLEANCRAWL_RECIPE": "default"}
    crawled = crawl(PageSpider, settings, urls=[server.page(f"/{n}", story(n)) for n in range(7)])
    again = 0 if most else crawled.stats["cleancrawl/held"]
    assert crawled.stats["cleancrawl/held"] == 5
    assert len(articles(crawled.items)) == 7
    assert work.count("read") == work.count("feature_sheet") == 7 + again

"""Every recipe crawls the sample site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.bench.metrics import tokens, word_score
from cleancrawl.methods.site_template.samples import NOTE, Samples
from cleancrawl.recipes import RECIPES
from cleancrawl.stores.opening import open_store
from spiders.pages import PagesSpider
from tests.crawling import Crawl
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

# The literal block score of core-content throws long blocks away, so a page may have nothing left.
LEAST = {"core-content": 0.0}


@pytest.mark.parametrize("name", RECIPES)
def test_a_crawl_of_the_sample_site(name: str, crawl: Crawl, site: SampleSite) -> None:
    pages = article_pages("a")
    urls = ",".join(site.a + page.path for page in pages)
    settings = {"CLEANCRAWL_RECIPE": name, "CLEANCRAWL_MIN_WORDS": 1, "CLEANCRAWL_ONLY_ARTICLES": False}
    crawled = crawl(PagesSpider, settings, urls=urls)
    assert crawled.stats.get("log_count/ERROR", 0) == 0
    found = {item.url: item.text for item in crawled.items}
    scores = [word_score(tokens(found.get(site.a + page.path, "")), tokens(page.gold_text)).f1 for page in pages]
    assert sum(scores) / len(scores) >= LEAST.get(name, 0.5)


def test_a_crawl_learns_the_templates_of_a_site(crawl: Crawl, site: SampleSite, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    urls = ",".join(site.a + page.path for page in article_pages("a"))
    settings: dict[str, Any] = {"CLEANCRAWL_RECIPE": "site-template", "CLEANCRAWL_STORE": store}
    crawled = crawl(PagesSpider, {**settings, "CLEANCRAWL_MIN_WORDS": 1, "CONCURRENT_REQUESTS": 1}, urls=urls)
    assert crawled.counted("removed/")["template"] > 0
    opened = open_store(store)
    learned = [Samples.from_text(opened.note(info.site, NOTE)).templates for info in opened.sites()]
    opened.close()
    assert any(found is not None and found.templates[0].size > 1 for found in learned)


@pytest.mark.parametrize("name", RECIPES)
def test_the_command_line(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = "The council said that the old bridge, which had been closed, would open again in May. " * 4
    page.write_text(f"<html lang=en><title>Old bridge</title><body><div><p>{text}</p><p>{text}</p></div></body></html>")
    assert main(["clean", str(page), "--recipe", name]) == 0
    assert name == "core-content" or "old bridge" in capsys.readouterr().out

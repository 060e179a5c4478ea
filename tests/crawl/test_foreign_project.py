"""Anybody's Scrapy project: made by ``scrapy startproject``, with one line added."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crawl.cleaning.test_cleaning import STORY
from tests.crawling import LittleServer
from tests.site.manifest import pages
from tests.site.server import SampleSite

SPIDER = """
from dataclasses import dataclass
import attrs, pydantic, scrapy

@dataclass
class DataItem:
    kind: str
    text: str = ""

@attrs.define
class AttrsItem:
    kind: str
    text: str = ""

class PydanticItem(pydantic.BaseModel):
    kind: str
    text: str = ""

class ScrapyItem(scrapy.Item):
    kind = scrapy.Field()
    text = scrapy.Field()

class OwnSpider(scrapy.Spider):
    name = "own"

    async def start(self):
        yield scrapy.Request(self.url)

    def parse(self, response):
        yield {"kind": "dict"}
        for make in (DataItem, AttrsItem, PydanticItem, ScrapyItem):
            yield make(kind=make.__name__)
"""
TEXT = "Storm\nA heavy storm hit the northern coast."


def scrapy(*arguments: str, cwd: Path) -> str:
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path.cwd()),
        "PYTHONWARNINGS": "error::DeprecationWarning:cleancrawl",
    }
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "ScrapyDeprecationWarning" not in done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("foreign")
    scrapy("startproject", "foreign", ".", cwd=place)
    (place / "foreign/spiders/own.py").write_text(SPIDER)
    settings = place / "foreign/settings.py"
    added = 'ADDONS = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}'
    settings.write_text(settings.read_text().replace("ADDONS = {}", added))
    assert settings.read_text().count(added) == 1
    return place


@pytest.mark.parametrize("mode", ["auto", "enrich"])
def test_one_line_is_all_it_takes(mode: str, project: Path, server: LittleServer) -> None:
    url = server.page("/storm", STORY)
    options = {
        "CLEANCRAWL_MODE": mode,
        "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.paragraphs",
        "CLEANCRAWL_MIN_WORDS": "5",
        "CLEANCRAWL_ONLY_ARTICLES": "False",
        "DOWNLOAD_DELAY": "0",
        "ROBOTSTXT_OBEY": "0",
    }
    arguments = [part for name, value in options.items() for part in ("-s", f"{name}={value}")]
    scrapy("crawl", "own", "-a", f"url={url}", "-O", f"{mode}.jsonl", *arguments, cwd=project)
    items = [json.loads(line) for line in (project / f"{mode}.jsonl").read_text().splitlines()]
    own = {item["kind"]: item.get("text") for item in items if "kind" in item}
    articles = [item for item in items if "kind" not in item]
    kinds = ["dict", "DataItem", "AttrsItem", "PydanticItem", "ScrapyItem"]
    assert sorted(own) == sorted(kinds)
    if mode == "enrich":
        assert own == dict.fromkeys(kinds, TEXT)
        assert articles == []
    else:
        assert TEXT not in own.values()
        assert [article["text"] for article in articles] == [TEXT]
        assert (project / "cleancrawl.db").exists()


FOLLOWING_SPIDER = """
import scrapy

class FollowingSpider(scrapy.Spider):
    name = "following"
    allowed_domains = ["127.0.0.1"]

    async def start(self):
        yield scrapy.Request(self.url)

    def parse(self, response):
        yield from response.follow_all(css="a")
"""


@pytest.mark.parametrize("options", [(), ("-s", "CLEANCRAWL_ONLY_ARTICLES=False")])
def test_listings_are_no_articles_unless_they_are_wanted(
    options: tuple[str, ...], project: Path, site: SampleSite
) -> None:
    (project / "foreign/spiders/following.py").write_text(FOLLOWING_SPIDER)
    chosen = ("DOWNLOAD_DELAY=0", "CLEANCRAWL_STORE=memory:", "ROBOTSTXT_OBEY=0", "DEPTH_LIMIT=3")
    quick = [part for setting in chosen for part in ("-s", setting)]
    scrapy("crawl", "following", "-a", f"url={site.a}", "-O", "following.jsonl", *quick, *options, cwd=project)
    lines = (project / "following.jsonl").read_text().splitlines()
    found = {json.loads(line)["url"].partition("?utm_")[0] for line in lines}
    articles = {site.a + page.path for page in pages() if page.portal == "a" and page.kind in ("article", "print")}
    listings = {site.a + page.path for page in pages() if page.portal == "a" and page.kind == "listing"}
    assert len(found & articles) >= 10
    assert bool(found & listings) == bool(options)
    assert (found <= articles) == (not options)


def test_the_spiders_of_the_package_are_there_by_name(tmp_path: Path) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = own_settings\n")
    (tmp_path / "own_settings.py").write_text(
        'SPIDER_MODULES = ["cleancrawl.spiders"]\nADDONS = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}\n'
    )
    assert scrapy("list", cwd=tmp_path).split() == ["archive", "news", "pages"]

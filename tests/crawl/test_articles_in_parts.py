"""Stories of several pages come out as one article, over real HTTP, with the default recipe."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider

from cleancrawl.crawl.fetching.saved_pages import read_archive
from cleancrawl.stores.earlier_versions import earlier_versions
from cleancrawl.stores.opening import open_store
from spiders.news import NewsSpider
from spiders.pages import PagesSpider
from tests.crawl.test_sample_site import REAL
from tests.crawling import Answer, Crawl, Crawled, LittleServer
from tests.site.magazine import BOX, STORIES, Story, page, publish

QUERY = STORIES["query"]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def magazine(server: LittleServer) -> LittleServer:
    publish(server)
    return server


def asked(server: LittleServer) -> list[str]:
    return [path for path, _ in server.requests if path != "/robots.txt"]


def only(
    crawl: Crawl, server: LittleServer, *paths: str, spider: type[Spider] = PagesSpider, **settings: Any
) -> Crawled:
    chosen = {**REAL, "CLEANCRAWL_WARMUP_PAGES": 0, **settings}
    return crawl(spider, chosen, urls=" ".join(server.url + path for path in paths))


def check(story: Story, text: str) -> None:
    """The text is the gold text, with each of its lines once; the box of the magazine may stand in it, once."""
    lines = [line for line in text.split("\n") if line not in (BOX, story.article.title)]
    wanted = [line for line in story.gold.split("\n") if line]
    assert [line for line in lines if line in wanted] == wanted
    assert len(lines) - len(wanted) <= 2, [line for line in lines if line not in wanted]
    assert text.count(BOX) <= 1
    assert "Page 1 of" not in text


@pytest.mark.parametrize("kind", STORIES)
def test_parts_are_joined_in_order_and_nothing_is_doubled(kind: str, crawl: Crawl, magazine: LittleServer) -> None:
    story = STORIES[kind]
    (article,) = only(crawl, magazine, story.first).items
    assert article.url == magazine.url + story.first
    assert (article.parts, article.parts_expected) == (story.parts, story.parts)
    check(story, article.text)
    if story.single:
        assert asked(magazine) == [story.first, story.single]
    else:
        assert asked(magazine) == [story.path(number) for number in range(1, story.parts + 1)]


def test_a_whole_site_gives_each_story_once_and_lists_are_no_parts(crawl: Crawl, magazine: LittleServer) -> None:
    crawled = crawl(NewsSpider, REAL, sites=magazine.url, discover="links")
    assert sorted(item.url for item in crawled.items if not item.duplicate_of) == sorted(
        magazine.url + story.first for story in STORIES.values()
    )
    for story in STORIES.values():
        (article,) = [item for item in crawled.items if item.url == magazine.url + story.first]
        assert article.parts == story.parts
        check(story, article.text)
    assert {item.url for item in crawled.items if item.duplicate_of} <= {
        magazine.url + story.single for story in STORIES.values()
    }
    assert asked(magazine).count("/stories?page=2") == 1
    assert not [item for item in crawled.items if "/stories?" in item.url or item.url.endswith("/stories")]


def test_lists_are_no_parts_where_all_pages_are_wanted(crawl: Crawl, magazine: LittleServer) -> None:
    (page,) = only(crawl, magazine, "/stories", CLEANCRAWL_ONLY_ARTICLES=False).items
    assert (page.parts, asked(magazine)) == (None, ["/stories"])


def test_off_each_page_is_an_article(crawl: Crawl, magazine: LittleServer) -> None:
    (article,) = only(crawl, magazine, QUERY.first, CLEANCRAWL_PARTS=0).items
    assert (article.parts, article.parts_expected) == (None, None)
    assert asked(magazine) == [QUERY.first]


def test_a_part_that_is_found_first_leads_to_the_article(crawl: Crawl, magazine: LittleServer) -> None:
    crawled = only(crawl, magazine, QUERY.path(3))
    (article,) = crawled.items
    assert (article.url, article.parts) == (magazine.url + QUERY.first, 3)
    check(QUERY, article.text)
    assert crawled.counted("dropped/") == {"part": 1}


def test_a_part_whose_first_page_is_gone_is_not_lost(crawl: Crawl, magazine: LittleServer) -> None:
    magazine.answers[QUERY.first] = Answer(b"gone", status=404)
    (article,) = only(crawl, magazine, QUERY.path(2)).items
    assert (article.url, article.parts) == (magazine.url + QUERY.path(2), None)
    assert QUERY.lines(2)[1] in article.text


def test_a_part_that_its_first_page_does_not_have_is_not_lost(crawl: Crawl, magazine: LittleServer) -> None:
    alone = Story(QUERY.article, QUERY.first, QUERY.address, parts=1)
    magazine.page(QUERY.first, page(alone, 1, *QUERY.lines(1)))
    items = only(crawl, magazine, QUERY.path(2)).items
    assert sorted(item.url for item in items) == [magazine.url + QUERY.first, magazine.url + QUERY.path(2)]


@pytest.mark.parametrize("status", [404, 500])
def test_a_missing_part_is_told_and_the_others_are_there(status: int, crawl: Crawl, magazine: LittleServer) -> None:
    magazine.answers[QUERY.path(2)] = Answer(b"no", status=status)
    (article,) = only(crawl, magazine, QUERY.first).items
    assert (article.parts, article.parts_expected) == (2, 3)
    assert QUERY.lines(1)[-1] in article.text
    assert QUERY.lines(3)[-1] in article.text


def test_robots_txt_counts_for_parts(crawl: Crawl, magazine: LittleServer) -> None:
    magazine.page("/robots.txt", f"User-agent: *\nDisallow: {QUERY.first}?page=2", kind="text/plain")
    (article,) = only(crawl, magazine, QUERY.first).items
    assert (article.parts, article.parts_expected) == (2, 3)
    assert QUERY.path(2) not in asked(magazine)


def test_an_endless_chain_ends_at_the_setting(crawl: Crawl, magazine: LittleServer) -> None:
    body = QUERY.article.body
    for number in range(1, 60):
        lines = "".join(f"<p>{number}: {'—'.join(block.lines)} ({number})</p>" for block in body)
        next_page = f"/stories/endless-story-of-the-sea?page={number + 1}"
        path = "/stories/endless-story-of-the-sea" + (f"?page={number}" if number > 1 else "")
        magazine.page(path, f"<html><body><article><h1>Endless</h1>{lines}</article><a href='{next_page}'>Next</a>")
    (article,) = only(crawl, magazine, "/stories/endless-story-of-the-sea", CLEANCRAWL_PARTS=4).items
    assert (article.parts, article.parts_expected) == (4, 5)
    assert len(asked(magazine)) == 4


def test_a_cycle_and_the_same_page_again_are_no_parts(crawl: Crawl, magazine: LittleServer) -> None:
    """As where readers' comments have pages: each shows the whole article."""
    comments = "".join(f"<a href='{QUERY.first}?page={number}'>{number}</a>" for number in (1, 2, 3, 4, 5))
    once = Story(QUERY.article, QUERY.first, QUERY.address, parts=1)
    for number in range(1, 6):
        html = page(once, 1, *QUERY.lines(1), below=f"<div id=comments>{comments}</div>")
        magazine.page(QUERY.first + (f"?page={number}" if number > 1 else ""), html)
    crawled = only(crawl, magazine, QUERY.first)
    assert [(item.url, item.parts) for item in crawled.items] == [(magazine.url + QUERY.first, None)]
    assert len(asked(magazine)) == 2


def test_next_to_another_story_or_another_host_is_no_part(
    crawl: Crawl, magazine: LittleServer, other_server: LittleServer
) -> None:
    publish(other_server)
    other = STORIES["path"]
    once = Story(QUERY.article, QUERY.first, QUERY.address, parts=1)
    links = (
        f"<a rel=next href='{other.first}'>Next</a><a rel=next href='{other_server.url}{QUERY.path(2)}'>2</a>"
        f"<a rel=next href='/stories?page=2'>2</a><link rel=next href='http://127.0.0.1:1{QUERY.path(2)}'>"
    )
    magazine.page(QUERY.first, page(once, 1, below=links))
    (article,) = only(crawl, magazine, QUERY.first).items
    assert (article.parts, asked(magazine), other_server.requests) == (None, [QUERY.first], [])


def test_a_part_that_leads_elsewhere_is_no_part(
    crawl: Crawl, magazine: LittleServer, other_server: LittleServer
) -> None:
    publish(other_server)
    magazine.answers[QUERY.path(2)] = Answer(status=302, headers={"Location": other_server.url + QUERY.path(2)})
    magazine.answers[QUERY.path(3)] = Answer(status=302, headers={"Location": STORIES["path"].first})
    (article,) = only(crawl, magazine, QUERY.first).items
    assert (article.parts, article.parts_expected) == (1, 3)
    assert other_server.requests == []
    assert STORIES["path"].lines(1)[0] not in article.text


def test_another_story_with_the_address_of_a_part_stays_alone(crawl: Crawl, magazine: LittleServer) -> None:
    suffix, other = STORIES["suffix"], STORIES["page"]
    magazine.page(suffix.path(2), page(Story(other.article, suffix.path(2), other.address, parts=1), 1))
    items = only(crawl, magazine, suffix.first, suffix.path(2), CONCURRENT_REQUESTS=1).items
    assert {item.url: item.parts for item in items} == {
        magazine.url + suffix.first: 1,
        magazine.url + suffix.path(2): None,
    }


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'parts.db'}"


def again(crawl: Crawl, server: LittleServer, store: str, **more: Any) -> Crawled:
    server.requests.clear()
    settings = {"CLEANCRAWL_STORE": store, "CLEANCRAWL_ONLY_NEW": True, "CLEANCRAWL_REVISIT_HOURS": 0, **more}
    return only(crawl, server, QUERY.first, **settings)


def test_a_changed_part_is_a_new_version_and_nothing_else_is(
    crawl: Crawl, magazine: LittleServer, store_url: str
) -> None:
    (first,) = again(crawl, magazine, store_url).items
    assert again(crawl, magazine, store_url).items == []
    added = "The council has decided since then that the meadow may not be crossed by boats in the summer."
    magazine.page(QUERY.path(2), page(QUERY, 2, added), headers={"ETag": '"2b"'})
    (second,) = again(crawl, magazine, store_url).items
    assert (second.version, second.parts, added in second.text) == (2, 3, True)
    assert again(crawl, magazine, store_url).items == []
    store = open_store(store_url)
    (before,) = earlier_versions(store, first.site, first.url)
    assert before.text == first.text
    store.close()


def test_a_whole_article_is_not_replaced_by_one_that_lost_a_part_for_a_while(
    crawl: Crawl, magazine: LittleServer, store_url: str
) -> None:
    (whole,) = again(crawl, magazine, store_url).items
    there = magazine.answers[QUERY.path(2)]
    magazine.answers[QUERY.path(2)] = Answer(b"busy", status=500)
    failed = again(crawl, magazine, store_url)
    assert (failed.items, failed.counted("dropped/")) == ([], {"part-missing": 1})
    store = open_store(store_url)
    entry = store.article(whole.url)
    assert entry is not None
    assert entry.article is not None
    assert (entry.version, entry.article["text"]) == (1, whole.text)
    store.close()
    magazine.answers[QUERY.path(2)] = there
    assert again(crawl, magazine, store_url).items == []
    # Nor by a run without parts, such as one over saved pages.
    assert again(crawl, magazine, store_url, CLEANCRAWL_PARTS=0).items == []
    # What the server says is gone is gone.
    magazine.answers[QUERY.path(2)] = Answer(b"gone", status=410)
    (shorter,) = again(crawl, magazine, store_url).items
    assert (shorter.version, shorter.parts, shorter.parts_expected) == (2, 2, 3)


def test_pages_that_wait_for_their_site_wait_with_their_parts(
    crawl: Crawl, magazine: LittleServer, store_url: str
) -> None:
    settings = {"CLEANCRAWL_STORE": store_url, "CLEANCRAWL_WARMUP_PAGES": 5}
    crawled = only(crawl, magazine, QUERY.first, STORIES["path"].first, **settings)
    assert crawled.counted("held")[""] == 2
    assert {item.url: item.parts for item in crawled.items} == {
        magazine.url + QUERY.first: 3,
        magazine.url + STORIES["path"].first: 3,
    }
    for item in crawled.items:
        check(next(story for story in STORIES.values() if item.url.endswith(story.first)), item.text)
    assert sorted(asked(magazine)) == sorted(
        story.path(number) for story in (QUERY, STORIES["path"]) for number in (1, 2, 3)
    )


def test_parts_count_as_pages_and_are_never_half_fetched(crawl: Crawl, magazine: LittleServer) -> None:
    crawled = crawl(NewsSpider, {**REAL, "CONCURRENT_REQUESTS": 1}, sites=magazine.url, discover="links", max_pages="3")
    assert [item.parts == item.parts_expected for item in crawled.items] == [True]
    assert len(asked(magazine)) <= 3 + 3


def test_formats_have_the_whole_text(crawl: Crawl, magazine: LittleServer) -> None:
    (article,) = only(crawl, magazine, QUERY.first, CLEANCRAWL_FORMATS=["markdown", "html"]).items
    last = QUERY.lines(3)[-1][:60]
    assert last in article.markdown
    assert last in article.clean_html
    assert article.markdown.count(QUERY.lines(1)[-1][:60]) == 1


def test_killed_between_two_parts_the_next_run_has_the_whole_article_once(
    crawl: Crawl, magazine: LittleServer, store_url: str
) -> None:
    settings = {"CLEANCRAWL_STORE": store_url, "CLEANCRAWL_WARMUP_PAGES": 0, "FEEDS": "{}", "DOWNLOAD_DELAY": 0.5}
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", "pages", "-a", f"urls={magazine.url}{QUERY.first}", *options]
    environment = {**os.environ, "SCRAPY_PROJECT": "harvest", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and QUERY.path(2) not in asked(magazine):
            time.sleep(0.01)
        process.kill()
    assert QUERY.path(3) not in asked(magazine)
    (article,) = again(crawl, magazine, store_url).items
    assert (article.version, article.parts) == (1, 3)
    check(QUERY, article.text)
    assert again(crawl, magazine, store_url).items == []


def test_raw_pages_have_the_parts(crawl: Crawl, magazine: LittleServer, tmp_path: Path) -> None:
    (article,) = only(crawl, magazine, QUERY.first, CLEANCRAWL_WARC=str(tmp_path / "warc")).items
    (file,) = (tmp_path / "warc").iterdir()
    saved = [page.url for page in read_archive(file, pytest.fail)]
    assert [url for url in saved if not url.endswith("/robots.txt")] == [
        magazine.url + QUERY.path(number) for number in (1, 2, 3)
    ]
    assert article.parts == 3


class Enriched(Spider):
    name = "enriched"
    urls = ""

    async def start(self) -> Any:
        yield Request(self.urls)

    def parse(self, response: Any) -> Any:
        yield {"number": 1}
        yield {"number": 2}


def test_items_of_a_spider_gain_the_whole_text(crawl: Crawl, magazine: LittleServer) -> None:
    items = only(crawl, magazine, QUERY.first, spider=Enriched, CLEANCRAWL_MODE="enrich").items
    assert [item["parts"] for item in items] == [3, 3]
    for item in items:
        check(QUERY, item["text"])
    assert len(asked(magazine)) == 3

"""Rights on their way from answers to articles, and what a crawl leaves out for them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider

from cleancrawl.cli import main
from tests.crawling import Crawl, LittleServer

STORY = (
    "<html><head><title>{0}</title>{1}</head><h1>{0}</h1><p>The council met on Monday and spoke of {0} at length.</p>"
)
FILE = "/.well-known/tdmrep.json"


class Plain(Spider):
    name = "plain"

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls.split():
            yield Request(url)

    async def parse(self, response: Any, **kwargs: Any) -> None:
        """The add-on makes the article."""


@pytest.fixture
def urls(server: LittleServer) -> str:
    pages = {
        "/free": ("", {}),
        "/head": ('<meta name="robots" content="noai">', {}),
        "/answer": ("", {"X-Robots-Tag": "noarchive"}),
        "/other": ("", {"X-Robots-Tag": "googlebot: noarchive"}),
        "/open/cc": ('<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">', {}),
    }
    rules = [
        {"location": "/", "tdm-reservation": 1, "tdm-policy": "https://h.example/p"},
        {"location": "/open/*", "tdm-reservation": 0},
    ]
    server.page(FILE, json.dumps(rules), kind="application/json")
    found = [server.page(path, STORY.format(path[1:], head), headers=more) for path, (head, more) in pages.items()]
    return " ".join(found)


def settings(**more: Any) -> dict[str, Any]:
    return {"CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True, **{f"CLEANCRAWL_{n.upper()}": v for n, v in more.items()}}


def test_everything_is_recorded_and_nothing_is_dropped_by_default(
    crawl: Crawl, server: LittleServer, urls: str
) -> None:
    crawled = crawl(Plain, settings(), urls=urls)
    rights = {item.title: [(one["kind"], one["value"]) for one in item.rights] for item in crawled.items}
    assert rights == {
        "free": [],
        "head": [("robots", "noai")],
        "answer": [("robots", "noarchive")],
        "other": [("robots", "noarchive")],
        "open/cc": [("licence", "https://creativecommons.org/licenses/by/4.0/")],
    }
    assert FILE not in [path for path, _ in server.requests]


def test_what_is_respected_is_dropped_and_counted(crawl: Crawl, urls: str) -> None:
    crawled = crawl(Plain, settings(respect="noarchive,noai"), urls=urls)
    assert sorted(item.title for item in crawled.items) == ["free", "open/cc", "other"]
    assert crawled.counted("dropped/") == {"reserved-noai": 1, "reserved-noarchive": 1}


def test_the_file_of_a_site_is_fetched_once(crawl: Crawl, server: LittleServer, urls: str) -> None:
    crawled = crawl(Plain, settings(tdmrep=True), urls=urls)
    mining = {item.title: [one["value"] for one in item.rights if one["kind"] == "tdm"] for item in crawled.items}
    assert mining == {title: ["reserved"] for title in ("free", "head", "answer", "other")} | {"open/cc": ["free"]}
    assert [path for path, _ in server.requests].count(FILE) == 1
    crawled = crawl(Plain, settings(respect=("tdm",)), urls=urls)
    assert [item.title for item in crawled.items] == ["open/cc"]
    assert crawled.counted("dropped/") == {"reserved-tdm": 4}


def test_a_site_without_the_file_reserves_nothing(crawl: Crawl, server: LittleServer, urls: str) -> None:
    del server.answers[FILE]
    assert len(crawl(Plain, settings(respect="tdm"), urls=urls).items) == 5
    assert [path for path, _ in server.requests].count(FILE) == 1
    server.page(FILE, b"[" * 100_000, kind="application/json")
    assert len(crawl(Plain, settings(respect="tdm"), urls=urls).items) == 5


def test_exports_leave_out_what_is_reserved(
    crawl: Crawl, urls: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    crawl(Plain, settings(store=store), urls=urls)

    def titles(rights: str) -> list[str]:
        assert main(["export", store, "--rights", rights, "-o", str(tmp_path / "corpus.jsonl")]) == 0
        lines = (tmp_path / "corpus.jsonl").read_text("utf-8").splitlines()
        return sorted(json.loads(line)["title"] for line in lines)

    assert titles("noai,noarchive") == ["free", "open/cc", "other"]
    assert titles("cc") == ["open/cc"]
    assert titles("") == ["answer", "free", "head", "open/cc", "other"]
    card = next(path for path in tmp_path.iterdir() if path.suffix == ".md").read_text("utf-8")
    assert "| robots noarchive | 2 |" in card
    assert "| nothing | 1 |" in card
    capsys.readouterr()
    assert main(["export", store, "--rights", "nonsense", "-o", "-"]) == 2
    assert "--rights must be some of noindex" in capsys.readouterr().err


def test_articles_have_their_pictures_where_they_are_asked_for(crawl: Crawl, server: LittleServer) -> None:
    url = server.page(
        "/a", STORY.format("tides", "") + '<img src="/pier.jpg" alt="A pier"><p>And then it was over.</p>'
    )
    (plain,) = crawl(Plain, settings(), urls=url).items
    (item,) = crawl(Plain, settings(images=True), urls=url).items
    assert plain.images is None
    assert item.images == [{"url": server.url + "/pier.jpg", "caption": None, "credit": None, "alt": "A pier"}]

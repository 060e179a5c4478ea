"""A replayed site answers every address that its pages name, and both orders are counted on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.lab.bench import crawl_order, link_replay
from cleancrawl.lab.bench.crawl_order import apart, replayed, table
from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.link_replay import LinkedSite, linked_sites

LINES = [f"In {part} the harbour council met again, and the mayor spoke for an hour about {part}." for part in "abcde"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LinkedSite:
    """One page of a site that names two articles, one of them itself, and two other pages."""
    monkeypatch.setattr(link_replay, "ARTICLES", {"portal.example": r"/story/\d+$"})
    (tmp_path / "html").mkdir()
    links = (
        "<a href='/sport?utm_source=x'>Sport</a><a href='/story/2'>Two</a><a href='/login'>In</a><a href='//b.c/'>b</a>"
    )
    body = "".join(f"<p>{line}</p>" for line in LINES)
    html = f"<title>One</title><meta property='og:type' content='article'><nav>{links}</nav><h1>One</h1>{body}"
    (tmp_path / "html" / "1.html").write_text(html)
    record = {"id": "1", "url": "https://portal.example/story/1", "text": "\n".join(LINES)}
    (tmp_path / "truth.jsonl").write_text(json.dumps(record))
    (found,) = linked_sites(load_sets(tmp_path)[0].pages)
    return found


def test_addresses_of_articles_answer_with_one_and_others_without(site: LinkedSite) -> None:
    assert site.front == "https://portal.example/"
    assert site.articles == {"https://portal.example/story/1", "https://portal.example/story/2"}
    others = {"https://portal.example/", "https://portal.example/sport", "https://portal.example/login"}
    assert set(site.pages) == site.articles | others
    for url, number in site.pages.items():
        body = site.bodies[number]
        assert b"/story/2" in body
        assert (b"og:type" in body, LINES[0].encode() in body) == (url in site.articles, url in site.articles)


def test_a_replayed_crawl_asks_for_every_page_once(site: LinkedSite) -> None:
    finds = apart(replayed, site, True)
    assert not finds[0]
    # Nothing links to the page at hand.
    assert (len(finds), sum(finds)) == (4, 1)


def test_the_table_has_both_orders_and_their_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_order, "FIRST", (2, 3))
    ways = {"by URLs": [False, False, True], "steered": [False, True, False]}
    lines = table({"a": ways, "b": ways}, {"a": "3 pages", "b": "3 pages"}).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[2] == ["a", "3 pages", "0 → 1", "1 → 1"]
    assert cells[4] == ["all", "", "0 → 2", "2 → 2"]

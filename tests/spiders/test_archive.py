"""The archive spider, on archives of every kind that are written here."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.crawler import Crawler

from cleancrawl.crawl.fetching import saved_pages as archives
from cleancrawl.errors import ConfigError
from cleancrawl.stores.opening import open_store
from spiders.archive import ArchiveSpider
from tests.crawling import Crawl, LittleServer

STORY = "<html><head>{head}</head><h1>{title}</h1><p>The council met on Monday, and it spoke of {title} at length.</p>"


def story(title: str, head: str = "") -> bytes:
    return STORY.format(title=title, head=head).encode()


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body


def write_warc(path: Path, records: dict[str, bytes]) -> None:
    with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as stream:
        for url, block in records.items():
            head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:{url}>\r\n"
            kind = "Content-Type: application/http; msgtype=response\r\nWARC-Date: 2024-05-03T10:00:00Z\r\n"
            stream.write(f"{head}{kind}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")


def test_a_warc_file_gives_its_pages(crawl: Crawl, tmp_path: Path) -> None:
    write_warc(
        tmp_path / "a.warc",
        {
            "https://a.example/plain": http(story("bridges"), "Content-Type: text/html; charset=utf-8"),
            "https://a.example/packed": http(
                gzip.compress(story("tides")), "Content-Type: text/html", "Content-Encoding: gzip"
            ),
            "https://a.example/missing": http(story("nothing"), "Content-Type: text/html", status="404 Not Found"),
            "https://a.example/picture": http(b"GIF89a", "Content-Type: image/gif"),
        },
    )
    crawled = crawl(ArchiveSpider, source=str(tmp_path / "a.warc"))
    assert sorted(item.url for item in crawled.items) == ["https://a.example/packed", "https://a.example/plain"]
    assert {item.title for item in crawled.items} == {"bridges", "tides"}


def test_saved_pages_keep_the_address_that_they_state(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "one.html").write_bytes(story("bridges", '<link rel="canonical" href="https://a.example/bridges">'))
    (tmp_path / "deep" / "two.html.gz").write_bytes(gzip.compress(story("tides")))
    (tmp_path / "three.htm").write_bytes(b"<!-- saved from url=(0025)https://a.example/saved -->" + story("boats"))
    (tmp_path / "broken.html.gz").write_bytes(b"\x1f\x8b\x08 not gzip at all")
    (tmp_path / "notes.txt").write_text("no page")
    crawled = crawl(ArchiveSpider, source=str(tmp_path))
    urls = {item.title: item.url for item in crawled.items}
    assert urls["bridges"] == "https://a.example/bridges"
    assert urls["boats"] == "https://a.example/saved"
    assert urls["tides"].startswith("file://")
    assert crawled.stats["cleancrawl/archive/broken"] == 1


def canonical(url: str) -> str:
    return f'<link rel="canonical" href="{url}">'


def test_no_saved_page_takes_anothers_address(crawl: Crawl, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    saved, settings = tmp_path / "saved", {"CLEANCRAWL_STORE": f"sqlite:///{tmp_path / 'store.db'}"}
    saved.mkdir()
    for name, title, stated in (
        ("1", "bridges", "https://bank.example/bridges"),
        ("2", "tides", "https://bank.example/tides"),
        ("3", "poison", "https://bank.example/bridges"),
        ("4", "venom", "https://bank.example/tides"),
        ("5", "boats", "https://boats.example/boats"),
    ):
        (saved / f"{name}.html").write_bytes(story(title, canonical(stated)))
    # A browser has noted where this one comes from.
    note = b"<!-- saved from url=(0025)https://evil.example/saved -->"
    (saved / "6.html").write_bytes(note + story("toxin", canonical("https://boats.example/other")))
    expected = {
        "bridges": "https://bank.example/bridges",
        "tides": "https://bank.example/tides",
        "poison": (saved / "3.html").as_uri(),
        "venom": (saved / "4.html").as_uri(),
        "boats": "https://boats.example/boats",
        "toxin": "https://evil.example/saved",
    }
    # The second time the addresses are known from the store, and each page is the one that it was.
    for _ in range(2):
        caplog.clear()
        crawled = crawl(ArchiveSpider, settings, source=str(saved))
        assert {item.title: (item.url, item.version) for item in crawled.items} == {
            title: (url, 1) for title, url in expected.items()
        }
        assert crawled.stats["cleancrawl/archive-conflicts"] == 2
        assert "cleancrawl/failure" not in crawled.stats
        told = [record.getMessage() for record in caplog.records if "which another page has" in record.getMessage()]
        assert len(told) == 1
        assert "https://bank.example/bridges" in told[0]
    # From another archive, what was crawled before stays as well.
    (tmp_path / "late.html").write_bytes(story("late", canonical("https://boats.example/boats")))
    crawled = crawl(ArchiveSpider, settings, source=str(tmp_path / "late.html"))
    assert [item.url for item in crawled.items] == [(tmp_path / "late.html").as_uri()]
    store = open_store(settings["CLEANCRAWL_STORE"])
    titles = {entry.url: (entry.article or {})["title"] for entry in store.articles()}
    store.close()
    assert titles == {url: title for title, url in expected.items()} | {(tmp_path / "late.html").as_uri(): "late"}


def test_nothing_that_was_saved_leads_to_the_network(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    server.page("/target", story("target"))
    refresh = f'<meta http-equiv="refresh" content="0; url={server.url}/target">'
    write_warc(
        tmp_path / "a.warc",
        {
            f"{server.url}/moved": http(
                b"moved", "Content-Type: text/html", f"Location: {server.url}/target", status="301 Moved Permanently"
            ),
            f"{server.url}/refresh": http(story("refreshing", refresh), "Content-Type: text/html"),
            f"{server.url}/busy": http(story("busy"), "Content-Type: text/html", status="503 Service Unavailable"),
            f"{server.url}/fine": http(story("tides"), "Content-Type: text/html"),
        },
    )
    allowed = {"CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True}
    for chosen in (allowed, {**allowed, "RETRY_ENABLED": True, "CLEANCRAWL_WARMUP_PAGES": 5}):
        crawled = crawl(ArchiveSpider, chosen, source=str(tmp_path / "a.warc"))
        assert sorted(item.title for item in crawled.items) == ["refreshing", "tides"]
        assert server.requests == []

    class Follower(ArchiveSpider):
        """Builds on ours, and follows a link."""

        name = "follower"

        async def parse(self, response: Any, **kwargs: Any) -> Any:
            yield Request(server.url + "/target", callback=self.follow)

        def follow(self, response: Any) -> None:
            """Never reached."""

    crawled = crawl(Follower, allowed, source=str(tmp_path / "a.warc"))
    assert len(crawled.items) == 2
    assert server.requests == []
    assert crawled.stats["cleancrawl/outcome/left-out"] == 1


def test_the_http_cache_of_an_earlier_crawl_can_be_cleaned(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    server.page("/bridges", story("bridges"))

    class Fetch(Spider):
        name = "fetch"

        async def start(self) -> Any:
            yield Request(server.url + "/bridges")

        async def parse(self, response: Any) -> None:
            """Only the cache matters."""

    cache = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path), "ADDONS": {}}
    crawl(Fetch, cache)
    asked = len(server.requests)
    crawled = crawl(ArchiveSpider, source=str(tmp_path))
    assert [item.title for item in crawled.items] == ["bridges"]
    assert len(server.requests) == asked


def test_more_pages_than_are_read_ahead(crawl: Crawl, tmp_path: Path) -> None:
    records = {f"https://a.example/{n}": http(story(f"tale {n}"), "Content-Type: text/html") for n in range(150)}
    write_warc(tmp_path / "a.warc.gz", records)
    assert len(crawl(ArchiveSpider, source=str(tmp_path / "a.warc.gz")).items) == 150


def test_a_damaged_warc_is_counted_and_the_others_are_read(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(b"\x1f\x8b\x08\x00 damaged from here on")
    write_warc(tmp_path / "b.warc", {"https://a.example/x": http(story("bridges"), "Content-Type: text/html")})
    crawled = crawl(ArchiveSpider, source=str(tmp_path))
    assert [item.title for item in crawled.items] == ["bridges"]


@pytest.mark.parametrize("packed", [False, True])
def test_wherever_an_archive_breaks_off_it_says_so_and_gives_no_half_page(packed: bool, tmp_path: Path) -> None:
    whole, ends = b"", []
    for title in ("bridges", "tides", "boats"):
        write_warc(tmp_path / "one.warc", {f"https://a.example/{title}": http(story(title), "Content-Type: text/html")})
        record = (tmp_path / "one.warc").read_bytes()
        whole += gzip.compress(record) if packed else record
        ends.append(len(whole))
    cut = tmp_path / "cut.warc"
    for size in range(ends[0], len(whole) + 1):
        cut.write_bytes(whole[:size])
        told: list[str] = []
        pages = list(archives.read_archive(cut, told.append))
        complete = sum(size >= end for end in ends)
        if size in ends:
            assert (len(pages), told) == (complete, []), size
        else:
            # What a record still lacks may be its end alone.
            assert len(pages) in (complete, complete + 1), size
            assert all(page.body.endswith(b"at length.</p>") for page in pages), size
            (message,) = told
            assert f"{cut} breaks off at byte {size:,}, within a record; {len(pages)} whole" in message or (
                f"{cut} is damaged behind byte" in message and f"{len(pages)} responses read" in message
            ), size


def test_what_follows_a_damaged_place_is_said_to_be_lost(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_warc(tmp_path / f"{name}.warc", {f"https://a.example/{name}": http(story(name))})
    first, second = ((tmp_path / f"{name}.warc").read_bytes() for name in ("a", "b"))
    (tmp_path / "a.warc").write_bytes(first + b"not a record at all\r\n\r\n" + second)
    told: list[str] = []
    assert [page.url for page in archives.read_archive(tmp_path / "a.warc", told.append)] == ["https://a.example/a"]
    assert len(told) == 1
    assert "a.warc is damaged behind byte 0, the rest is lost; 1 responses read" in told[0]


def test_a_saved_page_that_breaks_off_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(story("bridges") * 30)[:-12])
    told: list[str] = []
    assert list(archives.read_archive(tmp_path / "a.html.gz", told.append)) == []
    assert "breaks off after" in told[0]


@pytest.mark.parametrize("source", ["", "no-such-file.warc"])
def test_a_wrong_source_stops_the_start_with_one_line(source: str) -> None:
    with pytest.raises(ConfigError, match="archive: "):
        ArchiveSpider.from_crawler(Crawler(ArchiveSpider), source=source)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF")
    with pytest.raises(ConfigError, match="neither a directory nor"):
        archives.read_archive(tmp_path / "a.pdf", print)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BODY", 1_000)
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"x" * 100_000))
    told: list[str] = []
    assert not list(archives.read_archive(tmp_path / "a.html.gz", told.append))
    assert len(told) == 1

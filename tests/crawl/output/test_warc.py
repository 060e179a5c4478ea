"""Raw pages as WARC files: written by a crawl, checked by other projects' readers, read again by the archive spider."""

from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.http import Response
from scrapy.settings import Settings

from cleancrawl.crawl.config import Config
from cleancrawl.crawl.output import warc_files
from cleancrawl.crawl.output.warc_extension import about_crawl, exchange_of
from cleancrawl.stores.earlier_versions import earlier_versions
from cleancrawl.stores.opening import open_store
from spiders.archive import ArchiveSpider
from tests.crawling import Answer, Crawl, LittleServer
from tests.extras import needs
from tests.recipes_for_tests import paragraphs

needs("warcio", "warc")
from warcio.archiveiterator import ArchiveIterator  # noqa: E402

STORY = "<html><head><title>{0}</title></head><h1>{0}</h1><p>The council met on Monday and spoke of {0} at length.</p>"


class Plain(Spider):
    name = "plain"

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls.split():
            yield Request(url, headers={"Authorization": "Basic c2VjcmV0"}, dont_filter=True)

    async def parse(self, response: Any, **kwargs: Any) -> None:
        """The add-on makes the article."""


def settings(folder: Path, **more: Any) -> dict[str, Any]:
    chosen = {"CLEANCRAWL_WARC": f"{folder}/", "CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True, "CONCURRENT_REQUESTS": 1}
    return {**chosen, **{f"CLEANCRAWL_{name.upper()}": value for name, value in more.items()}}


def story(title: str) -> bytes:
    return STORY.format(title).encode()


def records(folder: Path) -> list[Any]:
    found = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                record.raw = record.raw_stream.read()
                found.append(record)
    return found


def kinds(folder: Path) -> list[str]:
    return [record.rec_type for record in records(folder)]


def header(record: Any, name: str) -> str:
    return record.rec_headers.get_header(f"WARC-{name}") or ""


def checked(*arguments: str) -> str:
    """Another project's reader, as it is started from a command line."""
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_answer_is_kept_as_it_came(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    packed = gzip.compress(story("tides"))
    server.page("/plain", story("bridges"), headers={"X-Motto": "caf\xe9"})
    server.page("/packed", packed, headers={"Content-Encoding": "gzip"})
    server.page("/moved", b"moved", status=301, headers={"Location": "/plain"})
    server.page("/same", status=304, kind=None, html=b"")
    paths = ("/plain?q=1#part", "/plain", "/packed", "/moved", "/same", "/missing")
    server.answers["/plain?q=1"] = Answer(story("queries"))
    crawled = crawl(
        Plain,
        settings(tmp_path / "warc", store="memory:", contact="ada@news.example"),
        urls=" ".join(server.url + path for path in paths),
    )
    assert {item.title for item in crawled.items} == {"bridges", "queries", "tides"}
    first, *pairs = records(tmp_path / "warc")
    assert (first.rec_type, first.rec_headers.protocol) == ("warcinfo", "WARC/1.1")
    about = dict(line.split(": ", 1) for line in first.raw.decode().splitlines())
    assert about["software"].startswith("cleancrawl/")
    assert json.loads(about["cleancrawl-settings"])["CLEANCRAWL_CONTACT"] == "ada@news.example"
    answers, requests = pairs[::2], pairs[1::2]
    assert {record.rec_type for record in requests} == {"request"}
    found = {header(record, "Target-URI").removeprefix(server.url): record for record in answers}
    # The redirect leads to a page that is there already.
    assert [record.rec_type for record in answers].count("revisit") == 2
    assert (found["/moved"].http_headers.get_statuscode(), found["/moved"].raw) == ("301", b"moved")
    assert found["/missing"].http_headers.get_statuscode() == "404"
    assert found["/plain?q=1"].raw == story("queries")
    # Packed as its header says.
    assert found["/packed"].http_headers.get_header("Content-Encoding") == "gzip"
    assert found["/packed"].raw == packed
    assert header(found["/same"], "Profile").endswith("/1.1/revisit/server-not-modified")
    assert header(found["/same"], "IP-Address") == "127.0.0.1"
    for answer, request in zip(answers, requests, strict=True):
        assert header(request, "Concurrent-To") == header(answer, "Record-ID")
        assert header(request, "Target-URI") == header(answer, "Target-URI")
        assert request.http_headers.get_header("Host") == server.url.removeprefix("http://")
        assert request.http_headers.get_header("User-Agent")
        assert request.http_headers.get_header("Authorization") is None
    assert "c2VjcmV0" not in "".join(gzip.decompress(path.read_bytes()).decode("latin-1") for path in files(tmp_path))
    assert crawled.counted("warc/") == {"response": 5, "revisit": 2}
    (path,) = files(tmp_path)
    checked("warcio.cli", "check", str(path))
    checked("fastwarc.cli", "check", str(path))
    index = checked("warcio.cli", "index", "-f", "warc-type", str(path)).splitlines()
    assert [json.loads(line)["warc-type"] for line in index] == kinds(tmp_path / "warc")


def files(folder: Path) -> list[Path]:
    return sorted((folder / "warc").iterdir())


def test_files_end_at_a_size_and_equal_payloads_are_found_across_them(
    crawl: Crawl, server: LittleServer, tmp_path: Path
) -> None:
    for number in range(4):
        server.page(f"/{number}", story(f"bridge {number}") + os.urandom(1500).hex().encode())
    server.answers["/copy"] = server.answers["/0"]
    urls = " ".join(f"{server.url}/{name}" for name in ("0", "1", "2", "3", "copy"))
    crawled = crawl(Plain, settings(tmp_path / "warc", warc_bytes=1000), urls=urls)
    assert len(files(tmp_path)) == 5
    (revisit,) = (record for record in records(tmp_path / "warc") if record.rec_type == "revisit")
    (original,) = (r for r in records(tmp_path / "warc") if header(r, "Record-ID") == header(revisit, "Refers-To"))
    assert header(original, "Target-URI") == header(revisit, "Refers-To-Target-URI") == server.url + "/0"
    assert header(original, "Date") == header(revisit, "Refers-To-Date")
    assert header(original, "Payload-Digest") == header(revisit, "Payload-Digest")
    again = crawl(ArchiveSpider, source=str(tmp_path / "warc"))
    assert texts(again.items) == texts(crawled.items)
    assert server.url + "/copy" in texts(again.items)
    assert "cleancrawl/failure" not in again.stats


def texts(items: list[Any]) -> dict[str, tuple[str, str]]:
    return {item.url: (item.title, item.text) for item in items}


def test_archives_of_two_runs_give_the_versions_of_two_runs(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    url, stores = server.page("/story", story("bridges")), [f"sqlite:///{tmp_path / name}" for name in ("a.db", "b.db")]
    for title in ("bridges", "tides"):
        server.page("/story", story(title))
        crawl(Plain, settings(tmp_path / "warc", store=stores[0]), urls=url)
    answered = header(records(tmp_path / "warc")[-1], "Date")[:19] + "+00:00"
    again = crawl(ArchiveSpider, {"CLEANCRAWL_STORE": stores[1]}, source=str(tmp_path / "warc"))
    assert [(a.title, a.version) for a in again.items] == [("bridges", 1), ("tides", 2)]
    assert again.items[-1].fetched_at == answered
    for store_url in stores:
        store = open_store(store_url)
        (entry,) = store.articles()
        (earlier,) = earlier_versions(store, entry.site, url)
        assert (entry.version, earlier.version, earlier.title) == (2, 1, "bridges")
        store.close()


def test_a_killed_crawl_leaves_whole_records(tmp_path: Path, server: LittleServer, crawl: Crawl) -> None:
    """Killed in the middle of an endless list of pages; then its last record is cut, as a lost disk would."""
    for number in range(300):
        server.page(f"/{number}", story(f"bridge {number}"))
    script = (
        "import sys; from scrapy.crawler import CrawlerProcess; from tests.crawl.output.test_warc import Plain\n"
        "from tests.crawling import BASE; folder, urls = sys.argv[1:]\n"
        "more = {'CLEANCRAWL_WARC': folder, 'CLEANCRAWL_ALLOW_PRIVATE_HOSTS': True, 'LOG_LEVEL': 'ERROR'}\n"
        "process = CrawlerProcess({**BASE, **more}); process.crawl(Plain, urls=urls); process.start()"
    )
    urls = " ".join(f"{server.url}/{number}" for number in range(300))
    command = [sys.executable, "-c", script, str(tmp_path / "warc"), urls]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])})
    try:
        while process.poll() is None and len(server.requests) < 40:
            time.sleep(0.005)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    (path,) = files(tmp_path)
    whole = crawl(ArchiveSpider, source=str(path))
    assert len(whole.items) > 20
    data = path.read_bytes()
    starts = [at for at in range(len(data)) if data.startswith(b"\x1f\x8b\x08", at)]
    path.write_bytes(data[: starts[-1] - 20])
    cut = crawl(ArchiveSpider, source=str(path))
    assert len(whole.items) - 1 <= len(cut.items) <= len(whole.items)
    assert cut.stats["cleancrawl/archive/broken"] == 1


def test_a_full_disk_ends_the_crawl_between_two_records(
    crawl: Crawl, server: LittleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first half of a record fits; it is taken back."""
    urls = " ".join(server.page(f"/{number}", story(f"bridge {number}")) for number in range(5))
    append, calls = warc_files.WarcFiles._append, []

    class Full:
        def __init__(self, file: Any) -> None:
            self.file, self.fileno = file, file.fileno

        def write(self, data: Any) -> int:
            if len(data) < 100:
                raise OSError(errno.ENOSPC, "No space left on device")
            return int(self.file.write(data[: len(data) // 2]))

        def close(self) -> None:
            self.file.close()

    def fill(self: Any, data: bytes) -> None:
        calls.append(data)
        if len(calls) == 4:
            self._file = Full(self._file)
        append(self, data)

    monkeypatch.setattr(warc_files.WarcFiles, "_append", fill)
    crawled = crawl(Plain, settings(tmp_path / "warc"), urls=urls)
    assert crawled.stats["cleancrawl/failure"] == "raw pages could not be written"
    assert crawled.stats["finish_reason"] == "warc-failed"
    (path,) = files(tmp_path)
    assert path.read_bytes() == b"".join(calls[:3])
    assert kinds(tmp_path / "warc").count("response") == 2


def test_no_password_is_written() -> None:
    # Scrapy's own handler refuses such an address; others may take it.
    request = Request("https://ada:hush@a.example/story#part", headers={"Cookie": "hush", "Host": "a.example"})
    kept = exchange_of(request, Response(request.url, headers={"X-Two": ["a", "b\r\nX-Three: c"]}))
    assert (kept.url, kept.request_headers) == ("https://a.example/story", [("Host", "a.example")])
    assert kept.headers == [("X-Two", "a"), ("X-Two", "b  X-Three: c")]
    config = Config(store="redis://ada:hush@host", index="opensearch://ada:hush@host/news", recipe=paragraphs())
    said = about_crawl(config, Settings(), "news")
    assert "redis://ada:***@host" in said["cleancrawl-settings"]
    assert "hush" not in str(said)

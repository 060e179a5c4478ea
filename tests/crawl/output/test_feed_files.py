"""No run destroys what an earlier one wrote."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

import pyarrow.parquet
import pytest
from scrapy.settings import Settings

from cleancrawl.crawl.addon import CleanCrawlAddon
from cleancrawl.errors import MissingExtra, StoreError
from cleancrawl.stores.memory.memory_store import MemoryStore
from cleancrawl.stores.protocol import Limits, PageRecord, Recorded
from tests.crawl.cleaning.test_cleaning import ListSpider
from tests.crawl.scrapy_project import STORY, make_project
from tests.crawling import Crawl, LittleServer


def urls_in(path: Path) -> list[str]:
    return [json.loads(line)["url"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", ["corpus", "harvest", "cluster"])
def test_every_run_of_the_ready_project_has_a_file_of_its_own(
    name: str, crawl: Crawl, server: LittleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    feeds = import_module(f"settings.{name}").FEEDS
    story, other = server.page("/storm", STORY), server.page("/other", STORY.replace("Storm", "Calm"))
    for urls in ([story, other], [story], [server.url + "/none"]):
        crawl(ListSpider, {"FEEDS": feeds}, urls=urls)
    # Two jobs of Scrapyd that begin together.
    for job in ("6f1c", "../77"):
        crawl(ListSpider, {"FEEDS": feeds}, urls=[story], _job=job)
    files = sorted((tmp_path / "output" / name).iterdir())
    assert sorted(len(urls_in(file)) for file in files) == [1, 1, 1, 2]
    assert len([file for file in files if file.stem.endswith(("-6f1c", "-.._77"))]) == 2


def test_only_a_run_that_ended_well_replaces_a_file(tmp_path: Path, server: LittleServer) -> None:
    project = make_project(tmp_path)
    story, other = server.page("/storm", STORY), server.page("/other", STORY.replace("Storm", "Calm"))
    out = tmp_path / "out.jsonl"

    def run(*urls: str, code: int, options: tuple[str, ...] = ()) -> str:
        done = project.scrapy("crawl", "pages", "-a", f"urls={','.join(urls)}", "-O", "out.jsonl", *options)
        assert done.returncode == code, done.stderr
        return done.stderr

    run(story, other, code=0)
    assert sorted(urls_in(out)) == [other, story]
    # Nothing could be read: the file stays, and nothing lies beside it.
    assert "out.jsonl is left as it was: nothing could be read" in run(server.url + "/none", code=1)
    assert sorted(urls_in(out)) == [other, story]
    assert not list(tmp_path.glob("*.unfinished"))
    # A wrong site is refused before anything is opened.
    run("notaurl", code=1)
    assert sorted(urls_in(out)) == [other, story]
    # The store fails in mid-crawl: both are there.
    options = ("-s", f"CLEANCRAWL_STORE={__name__}.open_filling:", "-s", "CONCURRENT_REQUESTS=1")
    assert "out.jsonl is left as it was: the store failed; this run's items are in" in run(
        story, other, code=1, options=options
    )
    assert sorted(urls_in(out)) == [other, story]
    (beside,) = tmp_path.glob("out.jsonl.*.unfinished")
    assert len(urls_in(beside)) == 1
    # And one that ends well takes its place, smaller or not: that is what was asked for.
    run(other, code=0)
    assert urls_in(out) == [other]


def open_filling(url: str, limits: Limits) -> MemoryStore:
    """A store that is full after the first page."""

    class Filling(MemoryStore):
        def record(self, record: PageRecord) -> Recorded:
            if self.site_pages(record.visit.site):
                raise StoreError("store full.db: database or disk is full")
            return super().record(record)

    return Filling(limits)


def test_half_a_line_of_a_killed_run_spoils_no_other(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text('{"url": "https://a.example/whole"}\n{"url": "https://a.exa')
    crawl(ListSpider, {"FEEDS": {str(out): {"format": "jsonlines"}}}, urls=[server.page("/storm", STORY)])
    whole, half, new = out.read_text().splitlines()
    assert json.loads(whole)["url"] == "https://a.example/whole"
    assert half == '{"url": "https://a.exa'
    assert json.loads(new)["url"] == server.url + "/storm"


def test_parquet_by_the_name_of_the_file(tmp_path: Path, server: LittleServer) -> None:
    project = make_project(tmp_path)
    urls = f"urls={server.page('/storm', STORY)}"
    for _ in range(2):
        done = project.scrapy("crawl", "pages", "-a", urls, "-O", "out.parquet")
        assert done.returncode == 0, done.stderr
    assert pyarrow.parquet.read_table(tmp_path / "out.parquet").column("title").to_pylist() == ["Storm"]
    appended = project.scrapy("crawl", "pages", "-a", urls, "-o", "out.parquet", "-s", "LOG_ENABLED=0")
    assert appended.returncode == 1
    assert appended.stderr == (
        "cleancrawl: out.parquet: a parquet file cannot be appended to: use -O, or the option overwrite\n"
    )


def test_the_ready_project_knows_parquet_on_the_command_line() -> None:
    assert "parquet" in import_module("settings.base").FEED_EXPORTERS


@pytest.mark.parametrize(
    ("package", "options", "extra"),
    [
        ("pyarrow", {"format": "parquet"}, "parquet"),
        ("pyarrow", {}, "parquet"),
        (
            "zstandard",
            {"format": "jsonl", "postprocessing": ["cleancrawl.crawl.output.feed_formats.ZstdPlugin"]},
            "zstd",
        ),
    ],
)
def test_a_missing_extra_is_told_before_the_first_article(
    package: str, options: dict[str, object], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"cleancrawl\[{extra}\]"):
        CleanCrawlAddon().update_settings(Settings({"FEEDS": {Path("out.parquet"): options}}))


def test_a_projects_own_storage_and_names_win() -> None:
    own = {"FEED_STORAGES": {"file": "scrapy.extensions.feedexport.FileFeedStorage"}, "FEED_URI_PARAMS": "own.params"}
    settings = Settings(own)
    CleanCrawlAddon().update_settings(settings)
    assert settings["FEED_STORAGES"]["file"] == own["FEED_STORAGES"]["file"]  # type: ignore[index]
    assert settings["FEED_URI_PARAMS"] == "own.params"

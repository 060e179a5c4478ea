"""``cleancrawl archive --engine spark`` on a real Spark, against one process that knows all pages."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.errors import ConfigError
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.part_work import DIED
from cleancrawl.scale.archive.spark_engine import SparkRun
from cleancrawl.scale.archive.spark_files import ClusterFiles
from tests.extras import needs
from tests.scale.archive.deadly_recipes import KILLS, trapped
from tests.scale.archive.warc_files import (
    articles_in,
    by_one_process,
    comparable,
    copy_before,
    saved_site,
    story_pages,
    warc,
)
from tests.site.server import SampleSite

needs("pyspark", "spark")

from tests.scale.archive.remote.servers import SHORT_LIVED  # noqa: E402

if shutil.which("java") is None:
    pytest.skip("there is no Java, which Spark needs", allow_module_level=True)


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.adaptive.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # Compiling queries takes longer than so few rows.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.driver.extraJavaOptions": SHORT_LIVED,
    }
    found = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    yield found
    found.stop()


def test_the_result_is_that_of_one_process_that_knows_all_pages(
    session: Any, served_site: SampleSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample site; a site with most of the pages; copies of a page, a story on two sites, a page twice, a cut."""
    served_site.reset()
    pages = story_pages("big.example", 40)
    copies = [replace(pages[3], url=f"{pages[3].url}?ref={number}", date=pages[3].date + 500) for number in range(3)]
    stolen = replace(pages[7], url="https://other.example/2026/11/stolen-story", date=pages[7].date + 900)
    again = replace(pages[5], date=pages[5].date - 100)
    later = [replace(page, date=(page.date or 0) + 10_000) for page in saved_site(served_site)]
    saved: list[SavedPage] = [*pages[::2], *copies, again, *later, *pages[1::2], stolen, copy_before(pages[9])]
    for number in range(3):
        (tmp_path / f"{number}.warc.gz").write_bytes(warc(saved[number::3]))
    with (tmp_path / "0.warc.gz").open("ab") as file:
        file.write(warc(pages[:1])[:-40])
    out, told = tmp_path / "out", list[str]()

    def stop(what: str, more: int, total: int) -> None:
        if what == "groups":
            raise InterruptedError

    run = SparkRun(session, [str(tmp_path)], str(out), files_at_once=2, on_trouble=told.append)
    with pytest.raises(InterruptedError):
        replace(run, on_progress=stop).run()
    done = {file: file.stat().st_mtime_ns for file in (out / ".unfinished").rglob("*.parquet")}
    assert len({file.parent for file in done}) > 7
    monkeypatch.setattr(ClusterFiles, "remove", lambda files, name: None)
    summary = run.run()
    # What was done is not done again.
    assert all(file.stat().st_mtime_ns == changed for file, changed in done.items())
    found = comparable(articles_in(out))
    assert found == comparable(by_one_process(saved))
    assert any("site-block" in article["removed"] for article in found)
    assert summary.dropped["fetched-again"] == 1
    assert summary.duplicates == sum(bool(article["duplicate_of"]) for article in found) > 4
    assert "0.warc.gz breaks off at byte" in told[0]
    assert summary.troubles == told
    card = json.loads((out / "card.json").read_text())
    assert (card["articles"], card["duplicates"]) == (summary.articles, summary.duplicates)
    assert run.run() == summary
    with pytest.raises(ConfigError, match="belongs to a run with other options"):
        replace(run, options=BulkOptions(min_words=5)).run()


def test_nothing_to_read_is_one_line(session: Any, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no WARC files in"):
        SparkRun(session, [str(tmp_path)], str(tmp_path / "out")).run()
    with pytest.raises(ConfigError, match="missing"):
        SparkRun(session, [str(tmp_path / "missing")], str(tmp_path / "out")).run()


def test_a_file_that_is_too_large_for_spark_is_refused_at_once(session: Any, tmp_path: Path) -> None:
    with (tmp_path / "a.warc").open("wb") as file:
        file.truncate(1 << 31)
    run = SparkRun(session, [str(tmp_path)], str(tmp_path / "out"), through_spark=True)
    with pytest.raises(ConfigError, match=r"a\.warc has more than 2 GB"):
        run.run()
    assert replace(run, through_spark=False).find_archives()


def test_what_is_in_the_directory_already_stays(session: Any, tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(warc(story_pages("a.example", 1), packed=False))
    (tmp_path / "out" / "articles").mkdir(parents=True)
    with pytest.raises(ConfigError, match="is not empty"):
        SparkRun(session, [str(tmp_path)], str(tmp_path / "out")).run()


def test_a_page_that_kills_its_process_costs_its_record_not_the_job(session: Any, tmp_path: Path) -> None:
    pages = story_pages("a.example", 3)
    pages[1] = replace(pages[1], body=pages[1].body.replace(b"<title>", f"<title>{KILLS} ".encode()))
    (tmp_path / "a.warc.gz").write_bytes(warc(pages))
    options, told = BulkOptions(recipe=f"{trapped.__module__}.trapped"), list[str]()
    # Through Spark's own reader, as from hdfs:// and s3a://.
    out = f"file://{tmp_path}/out"
    run = SparkRun(session, [f"file://{tmp_path}"], out, options, through_spark=True, on_trouble=told.append)
    ((path, _),) = run.find_archives()
    found = {row.url: (row.kind, row.reason) for row in run._first_pass([path]).collect()}
    assert found == {
        pages[0].url: ("page", None),
        pages[1].url: ("failed", DIED),
        pages[2].url: ("page", None),
    }
    assert told == ["a page has killed its process: first/group=0 is done again, pages in processes of their own"]

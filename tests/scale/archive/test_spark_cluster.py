"""``cleancrawl archive --engine spark`` as it is called, with a real cluster, a real HDFS and a real S3."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import zstandard

from cleancrawl.scale.archive.local_engine import LocalRun
from tests.extras import needs
from tests.scale.archive.warc_files import articles_in, copy_before, story_pages, warc

needs("pyspark", "spark")

from tests.scale.archive.remote import servers  # noqa: E402

pytestmark = pytest.mark.hadoop

CORPUS = "the corpus"


class Place:
    """A Spark that reads and writes one file system, and the command as users call it."""

    def __init__(self, directory: Path, base: str, settings: dict[str, str], master: str) -> None:
        self.directory, self.base, self.master = directory, base, master
        jars = servers.require("s3_client", "Hadoop's way to S3")
        self.files = servers.FileCommands(directory, settings, jars)
        lines = {
            "spark.driver.host": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.adaptive.enabled": "false",
            "spark.locality.wait": "0",
            # Compiling queries takes longer than so few rows.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.driver.extraJavaOptions": servers.SHORT_LIVED,
            "spark.executor.extraJavaOptions": servers.SHORT_LIVED,
            "spark.jars": jars.replace(":", ","),
            **{f"spark.hadoop.{name}": value for name, value in settings.items()},
        }
        text = "".join(f"{name} {value}\n" for name, value in lines.items())
        (directory / "spark-defaults.conf").write_text(text)

    def clean(self, *archives: str) -> servers.Processes:
        """The command, under way."""
        environment = {
            "SPARK_CONF_DIR": str(self.directory),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }
        paths = [f"{self.base}/{archive}" for archive in archives]
        engine = ["--engine", "spark", "--master", self.master]
        command = [sys.executable, "-m", "cleancrawl", "archive", *paths, "-o", f"{self.base}/{CORPUS}", *engine]
        return servers.Processes(command, self.directory / f"{time.monotonic_ns()}.log", environment)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Cluster]:
    servers.require("s3_client", "Hadoop's way to S3")
    made = servers.Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.end()


@pytest.fixture
def started() -> Iterator[list[servers.Processes]]:
    """Ended with the test."""
    found: list[servers.Processes] = []
    yield found
    for process in found:
        process.switch_off()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One damaged, one in a directory below and not packed, one with a name that could be a pattern."""
    pages = story_pages("big.example", 40)
    copies = [replace(pages[3], url=f"{pages[3].url}?ref={number}", date=pages[3].date + 500) for number in range(3)]
    stolen = replace(pages[7], url="https://other.example/2026/11/stolen-story", date=pages[7].date + 900)
    again = replace(pages[5], date=pages[5].date - 100)
    saved = [*pages[::2], *copies, again, *pages[1::2], stolen, copy_before(pages[9])]
    root = tmp_path_factory.mktemp("archives") / "warcs"
    (root / "below").mkdir(parents=True)
    (root / "0.warc.gz").write_bytes(warc(saved[0::3]) + warc(pages[:1])[:-40])
    (root / "below" / "1.warc").write_bytes(warc(saved[1::3], packed=False))
    packed = zstandard.compress(warc(saved[2::3], packed=False))
    (root / "below" / "2 [of 3], {all}?.warc.zst").write_bytes(packed)
    (root / "notes.txt").write_text("no archive")
    return root


@pytest.fixture(scope="module")
def expected(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the local engine makes of them."""
    out = tmp_path_factory.mktemp("local") / "corpus"
    paths = sorted(path for path in archives.rglob("*") if ".warc" in path.name)
    summary = LocalRun(paths, out, jobs=1, on_trouble=lambda message: None).run()
    return result(out), summary.to_json()


def result(out: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    card = json.loads((out / "card.json").read_text())
    return articles_in(out), {name: value for name, value in card.items() if name != "made"}


def check(place: Place, expected: Any, tmp_path: Path) -> None:
    """Files alone are fetched: a server may list directories that are gone, such as those of tasks that were killed."""
    corpus = f"{place.base}/{CORPUS}"
    (tmp_path / "corpus" / "articles").mkdir(parents=True)
    place.files("-get", f"{corpus}/card.json", f"{corpus}/manifest.json", str(tmp_path / "corpus"))
    place.files("-get", f"{corpus}/articles/*.parquet", str(tmp_path / "corpus" / "articles"))
    (articles, card), summary = expected
    assert result(tmp_path / "corpus") == (articles, card)
    told = json.loads((tmp_path / "corpus" / "manifest.json").read_text())["summary"]
    assert {**told, "troubles": len(told["troubles"])} == {**summary, "troubles": 1}


def until(there: Callable[[], bool], run: servers.Processes) -> None:
    while not there():
        assert run.first.poll() is None, run.log.read_text()[-3000:]
        time.sleep(0.05)


def test_an_archive_in_s3_whose_run_is_killed_and_then_loses_a_machine(
    cluster: servers.Cluster, archives: Path, expected: Any, started: list[servers.Processes], tmp_path: Path
) -> None:
    server, settings = servers.s3(tmp_path)
    started.append(server)
    place = Place(tmp_path, "s3a://news", settings, cluster.url)
    place.files("-put", str(archives), f"{place.base}/warcs")
    cluster.start_workers(2)
    corpus = tmp_path / "s3" / "news" / CORPUS
    run = place.clean("warcs/{0.*,below}")
    started.append(run)
    first = corpus / ".unfinished" / "first" / "group=0" / "_SUCCESS"
    until(first.exists, run)
    run.switch_off()
    done = first.stat().st_mtime_ns
    run = place.clean("warcs/{0.*,below}")
    started.append(run)
    until((corpus / ".unfinished" / "distinct" / "_SUCCESS").exists, run)
    assert first.stat().st_mtime_ns == done
    cluster.switch_one_off()
    # An archive could not be read whole.
    assert run.first.wait(timeout=600) == 1, run.log.read_text()[-3000:]
    assert "FileStreamSink" not in run.log.read_text()
    # The server may keep empty directories, which S3 does not have.
    assert not any(path.is_file() for path in (corpus / ".unfinished").rglob("*"))
    check(place, expected, tmp_path)


def test_an_archive_in_hdfs(archives: Path, expected: Any, started: list[servers.Processes], tmp_path: Path) -> None:
    server, base = servers.hdfs(tmp_path)
    started.append(server)
    place = Place(tmp_path, base, {}, "local[2]")
    place.files("-put", str(archives), f"{place.base}/warcs")
    # A pattern, and a directory.
    run = place.clean("warcs/*.warc.gz", "warcs/below")
    started.append(run)
    assert run.first.wait(timeout=600) == 1, run.log.read_text()[-3000:]
    check(place, expected, tmp_path)

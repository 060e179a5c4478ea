"""``cleancrawl crawl``: each crawl in a process of its own, in an empty directory."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.crawl.output.corpus_files import CorpusFile
from cleancrawl.errors import ConfigError
from tests.extras import needs
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "cleancrawl", "crawl"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
QUICK = "DOWNLOAD_DELAY=0 AUTOTHROTTLE_ENABLED=0 RETRY_TIMES=0".split()
SETTINGS = [part for setting in QUICK for part in ("-s", setting)]
NOBODY = "http://127.0.0.1:9/"
LINE = '{"title": "Storm"}\n'


def crawl(*arguments: str, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*COMMAND, *arguments, *SETTINGS], cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def names(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


def lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_articles_in_several_formats_and_a_summary(sample_site: SampleSite, tmp_path: Path) -> None:
    needs("pyarrow", "parquet")
    import pyarrow.parquet

    (tmp_path / "out.jsonl").write_text("an earlier corpus\n")
    done = crawl(sample_site.b, "-o", "out.jsonl", "-o", "new/out.parquet", cwd=tmp_path)
    articles = {article["url"]: article for article in lines(tmp_path / "out.jsonl")}
    assert set(articles) >= {sample_site.b + page.path for page in article_pages("b")}
    assert all(article["title"] and article["text"] for article in articles.values())
    table = pyarrow.parquet.read_table(tmp_path / "new/out.parquet")
    assert sorted(table["url"].to_pylist()) == sorted(articles)
    assert re.search(r"corpus +out.jsonl\ncorpus +new/out.parquet\n", done.stdout)
    assert f"articles kept   {len(articles)}\n" in done.stdout
    assert done.stderr == f"Crawling {sample_site.b}/\n"
    assert names(tmp_path) == ["cleancrawl.db", "new", "out.jsonl"]
    assert names(tmp_path / "new") == ["out.parquet"]


def test_what_cannot_be_read_leaves_the_last_corpus_alone(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(LINE)
    done = crawl(NOBODY, "--store", "memory:", cwd=tmp_path, code=1)
    assert "no articles" in done.stdout
    assert "ConnectionRefused" in done.stdout
    assert (tmp_path / "corpus.jsonl").read_text() == LINE
    assert names(tmp_path) == ["corpus.jsonl"]


def test_a_harvest_adds_what_is_new(sample_site: SampleSite, tmp_path: Path) -> None:
    late = next(page.path for page in article_pages("b") if "rowing" in str(page.gold))
    sample_site.withhold("b", late)
    options = (sample_site.b, "--harvest", "-o", "h.csv", "-s", "CLEANCRAWL_REVISIT_HOURS=0")
    crawl(*options, cwd=tmp_path)
    before = (tmp_path / "h.csv").read_bytes()
    crawl(*options, cwd=tmp_path)
    assert (tmp_path / "h.csv").read_bytes() == before
    sample_site.publish("b", late)
    crawl(*options, cwd=tmp_path)
    assert (tmp_path / "h.csv").read_bytes().startswith(before)
    with (tmp_path / "h.csv").open(encoding="utf-8", newline="") as file:
        urls = [row["url"] for row in csv.DictReader(file)]
    assert urls[-1] == sample_site.b + late
    assert len(set(urls)) == len(urls)
    assert "url" not in urls


def test_a_reader_of_the_output_may_leave(sample_site: SampleSite, tmp_path: Path) -> None:
    command = [*COMMAND, sample_site.b, "-o", "-", "--store", "memory:", *SETTINGS]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, **pipes) as process:  # type: ignore[call-overload]
        assert json.loads(process.stdout.readline())["title"]
        process.stdout.close()
        said = process.stderr.read().decode()
    assert process.returncode == 0, said
    assert "ERROR" not in said
    assert "articles kept" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "URL"),
        (["ftp://a.example"], "URL: 'ftp://a.example' is not an http or https address"),
        (["notaurl"], "URL: 'notaurl' is not an http or https address"),
        (["@no-such-file"], "URL @no-such-file: No such file"),
        ([NOBODY, "--since", "yesterday"], "--since must be a day such as 2026-11-01, not 'yesterday'"),
        ([NOBODY, "--since", "2026-02-01", "--until", "2026-01-01"], "--since 2026-02-01 is later than --until 2026"),
        ([NOBODY, "--max-pages", "few"], "--max-pages must be a whole number of at least 1, not 'few'"),
        ([NOBODY, "-s", "LOG_LEVEL"], "-s takes NAME=VALUE, not 'LOG_LEVEL'"),
        ([NOBODY, "-o", "corpus.pdf"], "-o corpus.pdf: its name must end in .jsonl, .jl, .json, .csv, .xml, .parquet"),
        ([NOBODY, "-o", "corpus"], "its name must end in .jsonl"),
        ([NOBODY, "-o", "corpus.parquet.gz"], "a Parquet file is compressed as it is"),
        ([NOBODY, "-o", "folder.jsonl"], "-o folder.jsonl is a directory"),
        ([NOBODY, "-o", "file.txt/corpus.jsonl"], "file.txt: "),
        ([NOBODY, "--harvest", "-o", "corpus.json"], "which only .jsonl and .csv allow"),
        ([NOBODY, "-o", "good.jsonl", "-o", "bad.pdf"], "-o bad.pdf"),
    ],
)
def test_a_wrong_call_is_one_line_and_leaves_nothing(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "file.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["crawl", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    assert code in (1, 2)
    assert captured.out == ""
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert names(tmp_path) == ["file.txt", "folder.jsonl"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["-s", "CLEANCRAWL_STOR=x"], "unknown setting CLEANCRAWL_STOR: did you mean CLEANCRAWL_STORE?"),
        (["--store", "mysql://host"], "no store for 'mysql:'"),
        (["-s", "CLEANCRAWL_ENABLED=0", "--store", "memory:"], "CLEANCRAWL_ENABLED is off"),
    ],
)
def test_a_wrong_setting_is_one_line_and_leaves_nothing(options: list[str], words: str, tmp_path: Path) -> None:
    done = crawl(NOBODY, *options, cwd=tmp_path, code=2)
    _, said = done.stderr.splitlines()[0], done.stderr.splitlines()[-1]
    assert said.startswith("cleancrawl crawl: ")
    assert words in said
    assert names(tmp_path) == []


def test_a_missing_extra_is_named_before_the_crawl(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['zstandard'] = None; sys.argv[0] = 'cleancrawl'\n"
    code = f"{hidden}from cleancrawl.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "crawl", NOBODY, "-o", "a.csv.zst", "--store", "memory:"]
    done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 1
    said = "cleancrawl crawl: zstandard is not installed: pip install 'cleancrawl[zstd]'"
    assert done.stderr.splitlines() == [f"Crawling {NOBODY}", said]
    assert names(tmp_path) == []


def test_a_crawl_that_is_stopped_leaves_the_earlier_file(sample_site: SampleSite, tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(LINE)
    options = ["--store", "memory:", "-s", "AUTOTHROTTLE_ENABLED=0", "-s", "DOWNLOAD_DELAY=0.3"]
    command = [*COMMAND, sample_site.a, *options, "-s", "CLEANCRAWL_WARMUP_PAGES=1"]
    with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        wait_for(lambda: len(sample_site.requests("a")) > 25)
        process.send_signal(signal.SIGINT)
        shown = process.communicate(timeout=60)[0]
    assert process.returncode == 130
    assert (tmp_path / "corpus.jsonl").read_text() == LINE
    (beside,) = tmp_path.glob("corpus.jsonl.*")
    assert lines(beside)
    assert re.search(rf"^corpus +.*{re.escape(beside.name)}$", shown, re.MULTILINE)


def wait_for(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_file_per_run_and_places_elsewhere_are_left_to_scrapy(tmp_path: Path) -> None:
    for name in ("harvest/%(run)s.parquet", "s3://bucket/corpus.jsonl"):
        assert CorpusFile.prepare(name, adds=True).uri == name
    with pytest.raises(ConfigError):
        CorpusFile.prepare("s3://bucket/corpus", adds=False)

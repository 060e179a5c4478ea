"""``cleancrawl archive`` as it is called."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.stores.opening import open_store
from tests.scale.archive.warc_files import articles_in, story_pages, warc


def test_a_directory_of_archives_becomes_a_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "warcs/deep").mkdir(parents=True)
    pages = story_pages("a.example", 4)
    pages[3].status = 404
    (tmp_path / "warcs/b.warc.gz").write_bytes(warc(pages[:2]))
    (tmp_path / "warcs/deep/a.warc").write_bytes(warc(pages[2:], packed=False))
    out = tmp_path / "out"
    command = ["archive", str(tmp_path / "warcs"), "-o", str(out), "--jobs", "1", "--also", "markdown"]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert said.startswith("3 articles, ")
    assert f"words of 1 sites → {out}\n1 of 4 pages gave none: http-404 1\n" in said
    assert all("On that day" in article["markdown"] for article in articles_in(out))
    assert json.loads((out / "card.json").read_text())["made"]["command"].startswith("cleancrawl")
    assert main(command) == 0
    assert capsys.readouterr().out == said


def test_archives_become_the_versions_of_a_store(tmp_path: Path) -> None:
    first = story_pages("a.example", 2)
    second = replace(
        first[0], body=first[0].body.replace(b"On that day", b"On this day"), date=(first[0].date or 0) + 90_000
    )
    (tmp_path / "warc").mkdir()
    (tmp_path / "warc/1.warc.gz").write_bytes(warc(first))
    (tmp_path / "warc/2.warc.gz").write_bytes(warc([second]))
    url = f"sqlite:///{tmp_path / 'anew.db'}"
    done = subprocess.run(
        [sys.executable, "-m", "cleancrawl", "archive", str(tmp_path / "warc"), "--store", url],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines() if "kept" in line] == [
        ["articles", "kept", "2"],
        ["articles", "kept", "1"],
    ]
    store = open_store(url)
    found = {entry.url: (entry.version, entry.article["text"]) for entry in store.articles()}
    store.close()
    assert {address: version for address, (version, _) in found.items()} == {first[0].url: 2, first[1].url: 1}
    assert "On this day" in found[first[0].url][1]


def test_a_store_and_spark_or_a_directory_do_not_go_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"")
    assert main(["archive", str(path), "--store", "memory:", "--engine", "spark"]) != 0
    assert "--store takes the articles of --engine local" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["archive", str(path), "--store", "memory:", "-o", str(tmp_path / "out")])


def test_what_could_not_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.warc"
    path.write_bytes(warc(story_pages("a.example", 2), packed=False)[:-200])
    assert main(["archive", str(path), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("1 articles, ")
    assert f"cleancrawl archive: {path} breaks off at byte" in printed.err
    assert "1 archives could not be read whole" in printed.err


def test_an_archive_without_pages_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.warc"
    path.write_bytes(b"")
    assert main(["archive", str(path), "-o", str(tmp_path / "out"), "--jobs", "1"]) == 1
    assert "there are no pages in the archives" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing.warc", "no such file or directory"),
        ("page.html", "page.html is none of .warc, .warc.gz"),
        ("bare", "no WARC files in"),
    ],
)
def test_wrong_arguments_are_one_line(
    name: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_text("<p>")
    (tmp_path / "bare").mkdir()
    assert main(["archive", str(tmp_path / name), "-o", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_a_master_without_spark_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "a.warc", "-o", str(tmp_path / "out"), "--master", "yarn"]) == 2
    assert "--master goes with --engine spark" in capsys.readouterr().err

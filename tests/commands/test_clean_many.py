"""``cleancrawl clean`` on many pages: a line each, in order, whatever becomes of one of them."""

from __future__ import annotations

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.cli import main
from cleancrawl.commands.many_pages import AHEAD, Outcome, Task, outcomes
from cleancrawl.core.article import FIELDS
from tests.crawling import LittleServer

RECIPE = "tests.recipes_for_tests.paragraphs"
COMMAND = [sys.executable, "-m", "cleancrawl", "clean"]


def page_of(number: int) -> str:
    return (
        f'<html lang="en"><title>Number {number}</title><meta name="author" content="Ada Writer">'
        f'<meta property="article:published_time" content="2026-03-0{number % 9 + 1}"><h1>Number {number}</h1>'
        f"<p>Story <b>{number}</b> tells of the coast.<p><a href=/>Read more stories</a>"
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(12):
        target = tmp_path / "pages" / f"{number % 2}" / f"{number:02}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page_of(number), "utf-8")
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str]) -> tuple[list[dict[str, Any]], list[str]]:
    captured = capsys.readouterr()
    return [json.loads(line) for line in captured.out.splitlines()], captured.err.splitlines()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_one_line_each_in_order(jobs: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["pages/1/03.html", "pages/0/00.html", "pages/1/01.html"]
    assert main(["clean", *names, "--format", "json", "--recipe", RECIPE, "--jobs", jobs]) == 0
    records, errors = shown(capsys)
    assert errors == []
    assert [record["file"] for record in records] == names
    assert all(tuple(record) == ("file", *FIELDS) for record in records)
    first = records[0]
    assert (first["title"], first["authors"], first["published"]) == ("Number 3", ["Ada Writer"], "2026-03-04")
    assert (first["text"], first["language"]) == ("Number 3\nStory 3 tells of the coast.", "en")
    assert (first["removed"], first["blocks_kept"], first["recipe"]) == ({"links": 1}, 2, "paragraphs")


def test_patterns_that_the_shell_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pages/odd[1].html").write_text(page_of(99), "utf-8")
    options = ["--format", "json", "--recipe", RECIPE]
    assert main(["clean", "pages/**/*.html", "pages/odd[1].html", *options]) == 0
    files = [record["file"] for record in shown(capsys)[0]]
    assert files == [*sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html")), "pages/odd[1].html"]
    assert len(files) == 14
    assert main(["clean", "pages/none*.html", "pages/1/03.html", *options]) == 1
    records, errors = shown(capsys)
    assert [record["file"] for record in records] == ["pages/1/03.html"]
    assert errors[0] == "cleancrawl clean: pages/none*.html: No such file or directory"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_fails_is_a_line_and_the_rest_goes_on(
    jobs: str, folder: Path, server: LittleServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.html").write_text("<p>explode", "utf-8")
    (folder / "report.pdf").write_bytes(b"%PDF-1.7 and so on")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(page_of(7).encode())))
    address = server.page("/story", page_of(8))
    names = ["no.html", "pages/0/00.html", f"{server.url}/gone", "bad.html", "pages", "report.pdf", "-", address]
    assert main(["clean", *names, "--format", "json", "--recipe", RECIPE, "--jobs", jobs]) == 1
    records, errors = shown(capsys)
    assert [(record["file"], record["title"], record["url"]) for record in records] == [
        ("pages/0/00.html", "Number 0", ""),
        ("-", "Number 7", ""),
        (None, "Number 8", address),
    ]
    assert [bool(record["fetched_at"]) for record in records] == [False, False, True]
    assert errors == [
        "cleancrawl clean: no.html: No such file or directory",
        f"cleancrawl clean: {server.url}/gone: HTTP 404 Not Found",
        "cleancrawl clean: bad.html: RuntimeError: boom",
        "cleancrawl clean: pages: Is a directory",
        "cleancrawl clean: report.pdf: binary data is not a web page",
        "cleancrawl clean: 5 of 8 pages failed",
    ]


def test_more_on_demand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--also", "markdown", "--also", "html", "--comments-field", "--why", "--recipe", RECIPE]
    assert main(["clean", "pages/0/00.html", "--format", "json", *options]) == 0
    ((record,), _) = shown(capsys)
    assert record["markdown"] == "# Number 0\n\nStory **0** tells of the coast."
    assert record["clean_html"] == "<h1>Number 0</h1>\n<p>Story <strong>0</strong> tells of the coast.</p>"
    assert record["comments"] == []
    assert [block["removed"] and block["removed"]["rule"] for block in record["blocks"]] == [None, None, "links"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.html", "b.html"], "2 pages go with --format json"),
        (["a.html", "b.html", "--format", "json", "--url", "https://a.example/"], "--url is the address of one page"),
        (["-", "-", "--format", "json"], "standard input can be read once"),
        (["a.html", "--also", "markdown"], "--also goes with --format json"),
        (["a.html", "--comments-field"], "--comments-field goes with --format json"),
        (["a.html", "--jobs", "many"], "'many' is no number of processes"),
        (["a.html", "--jobs", "-1"], "--jobs"),
        (["a.html", "b.html", "--format", "json", "--recipe", "stew"], "unknown recipe 'stew'"),
        (["a.html", "https://a.example/", "--format", "json", "--site-rules", __file__], "site rules"),
    ],
)
def test_wrong_use_is_one_line_before_any_page(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["clean", *arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    assert (code, captured.out, captured.err.count("\n")) == (2, "", 1)
    assert words in captured.err


@dataclass(frozen=True)
class Fragile:
    """Work that ends its process, or waits, as the task's name says."""

    def __call__(self, task: Task) -> str:
        if task.name == "deadly":
            os.kill(os.getpid(), signal.SIGKILL)
        if task.name == "slow":
            time.sleep(0.5)
        return f"done {task.name}"


def test_a_process_that_dies_takes_no_other_page_along() -> None:
    names = [*(f"{number}" for number in range(5)), "deadly", *(f"{number}" for number in range(6, 40))]
    found = list(outcomes([Task(name) for name in names], Fragile(), 2))
    assert [outcome.name for outcome in found] == names
    assert [outcome for outcome in found if outcome.error] == [
        Outcome("deadly", error="deadly: the process that cleaned it died")
    ]
    assert all(outcome.shown == f"done {outcome.name}" for outcome in found if not outcome.error)


def test_no_more_is_read_than_has_room() -> None:
    taken: list[int] = []

    def tasks() -> Any:
        for number in range(200):
            taken.append(number)
            yield Task("slow" if number == 0 else f"{number}")

    found = outcomes(tasks(), Fragile(), 2)
    assert next(found).name == "slow"
    assert len(taken) <= 2 * AHEAD
    found.close()
    assert len(taken) <= 2 * AHEAD


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def test_progress_is_shown_on_a_terminal_while_the_lines_go_to_a_file(folder: Path) -> None:
    first, second = pty.openpty()
    with (folder / "out.jsonl").open("wb") as out:
        command = [*COMMAND, "pages/**/*.html", "no.html", "--format", "json", "--recipe", RECIPE, "--jobs", "2"]
        done = subprocess.run(command, stdout=out, stderr=second, env=environment(), check=False)
    os.close(second)
    seen = os.read(first, 100_000).decode()
    os.close(first)
    assert done.returncode == 1
    assert "/13 pages" in seen
    assert "\033[Kcleancrawl clean: no.html: No such file or directory\r\n" in seen
    assert len((folder / "out.jsonl").read_text("utf-8").splitlines()) == 12


def test_a_reader_that_leaves_early_and_an_interruption_leave_no_traceback(folder: Path) -> None:
    command = [*COMMAND, *["pages/**/*.html"] * 200, "--format", "json", "--recipe", RECIPE, "--jobs", "2"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment(), **pipes) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
    # What was started in the background of a shell ignores interruptions, and so would its processes.
    heeds: dict[str, Any] = {
        "start_new_session": True,
        "preexec_fn": partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    }
    with subprocess.Popen(command, env=environment(), **heeds, **pipes) as process:
        process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate()[1] == b""
    assert process.returncode == 130

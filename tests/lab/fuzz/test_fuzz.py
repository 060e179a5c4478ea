"""The fuzzing command: what it finds, how it keeps it, and a short run that must find nothing."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.fuzz import campaign, subjects
from cleancrawl.lab.fuzz.campaign import Plan
from cleancrawl.lab.fuzz.mutations import MUTATIONS, Material, mutated
from cleancrawl.lab.fuzz.reduction import reduced
from cleancrawl.lab.fuzz.trying import attempt

TRIES = 600


def test_a_short_run_with_a_fixed_seed_finds_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kind of input a hundred times; a process of its own, so that a crash is told and not suffered."""
    arguments = ["fuzz", "--tries", str(TRIES), "--minutes", "10", "--seed", "14", "--keep", str(tmp_path)]
    assert main(arguments) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.count(f"{TRIES // 5}") >= 5
    assert list(tmp_path.iterdir()) == []


def test_a_seed_gives_the_same_inputs() -> None:
    known = subjects.subjects()
    plan = Plan(tuple(known), seed=3)
    assert [plan.turn(number, known)[1] for number in range(10)] == [
        plan.turn(number, known)[1] for number in range(10)
    ]
    other = Plan(tuple(known), seed=4)
    assert [plan.turn(number, known)[1] for number in range(5)] != [other.turn(number, known)[1] for number in range(5)]


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_mutations_take_anything(mutation: campaign.Callable[..., bytes]) -> None:
    for body in (b"", b"a", b"<p>text</p>" * 9):
        for seed in range(20):
            assert isinstance(mutation(body, random.Random(seed), Material([b"", b"other"], [b"<p>"])), bytes)


def test_mutations_change() -> None:
    material = Material([b"<b>other</b>"], [b"<p>"])
    found = {mutated(b"<p>A text.</p>" * 5, random.Random(seed), material) for seed in range(50)}
    assert len(found) > 40


def test_an_input_is_reduced_to_what_fails() -> None:
    body = b"a" * 5_000 + b"<evil" + b"b" * 3_000 + b">" + b"c" * 999
    assert reduced(body, lambda body: b"<evil" in body and b">" in body) == b"<evil>"


def test_failures_are_told_apart_by_place() -> None:
    def check(body: bytes) -> None:
        if b"1" in body:
            raise ValueError(str(body))
        if b"2" in body:
            body.decode("ascii")

    first, again, other = (attempt(check, body) for body in (b"1", b"x1", b"2\xff"))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.mark == again.mark != other.mark
    assert attempt(check, b"fine") is None


def test_what_takes_too_long_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cleancrawl.lab.fuzz.trying.SECONDS", 0.05)

    def hangs(body: bytes) -> None:
        while True:
            pass

    started = time.monotonic()
    failure = attempt(hangs, b"")
    assert failure is not None
    assert failure.kind == "slow"
    assert time.monotonic() - started < 20


def test_what_kills_the_process_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the same process here, but for the part that dies."""
    plan = Plan(("page",), seed=1, tries=3, minutes=5)
    found: list[campaign.Finding] = []
    monkeypatch.setattr(campaign, "_work", _dying_work)
    outcome = campaign.run(plan, found.append)
    assert outcome.tried["page"] == 3
    assert [finding.failure.kind for finding in found] == ["crash"]
    assert found[0].body == plan.turn(found[0].number, subjects.subjects())[1]


def _dying_work(plan: Plan, first: int, seconds: float, current: campaign.Synchronized[int], sender: object) -> None:
    current.value = first
    os._exit(77)


def test_findings_are_kept_and_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    failure = attempt(_fails, b"<p>")
    assert failure is not None
    path = campaign.keep(campaign.Finding("page", 7, failure, b"<p>", 900), tmp_path, 5, ".html")
    assert path.read_bytes() == b"<p>"
    said = path.with_suffix(".txt").read_text()
    assert said.startswith("page, seed 5, try 7, 900 bytes before reduction")
    assert "ValueError: no" in said
    assert main(["fuzz", "--again", str(path)]) == 0
    assert "taken as it should be" in capsys.readouterr().out


def _fails(body: bytes) -> None:
    raise ValueError("no")


def test_wrong_calls_are_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fuzz", "--pages", str(tmp_path)]) == 2
    assert main(["fuzz", "--again", str(tmp_path / "what.html")]) == 2
    for arguments in (["--minutes", "0"], ["--subjects", "nothing"]):
        with pytest.raises(SystemExit):
            main(["fuzz", *arguments])
    assert len(capsys.readouterr().err.splitlines()) == 4


def test_pages_of_a_directory_are_the_seeds(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>Mine</p>")
    assert main(["fuzz", "--pages", str(tmp_path), "--subjects", "page", "--tries", "3", "--keep", str(tmp_path)]) == 0


def test_a_comment_in_json_ld_does_not_hide_the_article() -> None:
    check = subjects.subjects()["json-ld"].check
    check(b'{"headline": "<!--<script>"}')
    check(b"<!--<script")

"""The benchmark of hostile input: it tells what hurts, and one failure is a row."""

from __future__ import annotations

import math
import os
import signal
from cProfile import Profile
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.hostile import victims
from cleancrawl.lab.bench.hostile.attack_table import Attack, attack, attacks
from cleancrawl.lab.bench.hostile.hostile_report import run_hostile, summary, table
from cleancrawl.lab.bench.hostile.trials import OK, Bars, Row, trials
from cleancrawl.lab.bench.hostile.victims import VICTIMS
from cleancrawl.recipes import RECIPES
from tests.measuring import uncovered

KILOBYTES = 20_000
GENEROUS = Bars(seconds=30.0, growth=9.0)
"""On small input, what is loaded and started once outweighs the work; and the machine may be busy."""


@pytest.mark.parametrize("name", attacks())
def test_attacks_have_the_size_that_is_asked_for(name: str) -> None:
    found = attacks()[name]
    assert found.victim in VICTIMS
    for size in (KILOBYTES, 10 * KILOBYTES):
        made = found.make(size)
        assert 0.3 * size < len(made) <= size + 200_000
    assert found.make(KILOBYTES) == found.make(KILOBYTES)


def test_names_are_used_once_and_can_be_listed() -> None:
    assert len(attacks()) > 80
    assert not any("," in name for name in attacks())
    with pytest.raises(ValueError, match="two attacks"):
        attack("tiny paragraphs")(bytes)


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_survives_a_short_version_of_every_attack(recipe: str) -> None:
    for found in attacks().values():
        if found.victim == "page":
            victims.clean_page(found.make(KILOBYTES // 3), recipe)


def calls(body: bytes, victim: str = "page", recipe: str = "default") -> int:
    """How many functions are called for what helps or hurts: work that does not depend on the machine."""
    counted = Profile(builtins=True)
    with uncovered():
        counted.runcall(VICTIMS[victim], body, recipe)
    return sum(entry.callcount for entry in counted.getstats())


@pytest.mark.parametrize("name", [name for name, found in attacks().items() if found.victim == "page"])
def test_work_grows_about_as_the_page_does(name: str) -> None:
    victims.load("page", "default")
    make = attacks()[name].make
    assert calls(make(4 * KILOBYTES)) <= 4**1.5 * calls(make(KILOBYTES))


def test_a_row_has_figures() -> None:
    one = attacks()["tiny paragraphs"]
    small, large = trials([one], (0.1, 0.4), "line-block", GENEROUS)
    assert (small.outcome, large.outcome) == (OK, OK)
    assert 0 < small.seconds < large.seconds
    assert 0 < large.peak < 400
    assert large.missed(GENEROUS) == []


HOGS = {
    "memory": ("[bytearray(10**7) for _ in range(1000)]", "out of memory"),
    "time": ("[pow(3, 5 * 10**6) for _ in range(10**6)]", "over 2 s"),
    "error": ("{}['a']", "KeyError: 'a'"),
    "crash": (f"__import__('os').kill(__import__('os').getpid(), {int(signal.SIGSEGV)})", "crash (SIGSEGV)"),
}


@pytest.mark.parametrize("kind", HOGS)
def test_one_failure_is_a_row(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, outcome = HOGS[kind]
    (tmp_path / "sitecustomize.py").write_text(
        f"from cleancrawl.lab.bench.hostile import victims\nvictims.VICTIMS['hog'] = lambda body, recipe: {code}\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    bars = Bars(seconds=0.5, megabytes=100.0, leeway=1.0)
    rows = list(trials([Attack("hog", bytes, "hog")], (0.001, 0.002), "default", bars))
    assert [row.outcome for row in rows] == [outcome]
    assert rows[0].missed(bars) == [outcome]


def row(seconds: float = 1.0, peak: float = 10.0, growth: float = math.nan, outcome: str = OK) -> Row:
    return Row("one", "page", 9.0, outcome, seconds, peak, growth)


def test_bars() -> None:
    bars = Bars()
    assert row().missed(bars) == []
    assert row(seconds=18.1).missed(bars) == ["time"]
    assert row(peak=401).missed(bars) == ["memory"]
    assert row(growth=1.6).missed(bars) == ["growth"]
    assert row(outcome="out of memory").missed(bars) == ["out of memory"]
    assert "missed: time, memory" in table([row(seconds=20, peak=500)], bars)
    assert summary([row(), row(peak=500)], bars).startswith("2 attacks: 1 missed a bar (2 s/MB, 400 MB above idle")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--hostile", "--recipe", "line-block", "--attacks", "one text", "--sizes", "0.1"]) == 0
    printed = capsys.readouterr()
    assert "| one text | 0.1 |" in printed.out
    assert "1 attacks: 0 missed a bar" in printed.out
    assert "line-block: one text, 0.1 MB: ok" in printed.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hostile", "--attacks", "no such"], "no such attack: 'no such'"),
        (["--hostile", "--recipe", "no-such"], "unknown recipe 'no-such'"),
        ([], "--data DIR"),
    ],
)
def test_wrong_use_is_told_in_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_unknown_victims_are_refused() -> None:
    with pytest.raises(ConfigError, match="no such victim"):
        run_hostile(["default"], [], [0.1], "nobody")


def test_a_crawl_takes_hostile_pages() -> None:
    chosen = [attacks()[name] for name in ("tiny paragraphs", "links to other pages")]
    assert [row.missed(GENEROUS) for row in trials(chosen, (0.5,), "default", GENEROUS, "crawl")] == [[], []]


@pytest.mark.parametrize("victim", ["sitemap", "feed", "robots"])
def test_work_on_what_helps_to_find_pages_grows_about_as_it_does(victim: str) -> None:
    found = {name: one.make for name, one in attacks().items() if one.victim == victim and "packed" not in name}
    assert len(found) > 3
    grown = {
        name: calls(make(KILOBYTES), victim, "line-block") / calls(make(KILOBYTES // 8), victim, "line-block")
        for name, make in found.items()
    }
    assert {name: ratio for name, ratio in grown.items() if ratio > 8**1.5} == {}


def test_a_site_with_endless_sitemaps_is_crawled_with_few_requests() -> None:
    (row,) = trials([attacks()["crawl of a site with endless sitemaps"]], (0.2,), "line-block", GENEROUS)
    assert row.outcome == OK

"""Each planted fault is named, and nothing is said of healthy sites."""

from __future__ import annotations

import pytest

from cleancrawl import open_store
from cleancrawl.lab.planted_store import FAULTS, LEAK, plant
from cleancrawl.report.harvest_report import Harvest, gather
from cleancrawl.report.run_history import SiteHistory, SiteRun
from cleancrawl.report.site_tally import SiteTally
from cleancrawl.report.trouble import DETECTORS, HINTS, KINDS, findings_of

DAY = 86_400.0
EXPECTED = {fault: {fault} for fault in FAULTS} | {"same-text": {"same-text", "shrunk"}}
UNTOLD = {"stopped", "failing"}
"""Nothing of these shows in the articles alone."""


@pytest.fixture(scope="module", params=[True, False], ids=["with runs", "articles only"])
def harvest(request: pytest.FixtureRequest) -> tuple[Harvest, bool]:
    store = open_store("memory:")
    plant(store, sites=40, articles=40 * 60, runs=12, with_runs=request.param)
    return gather(store), request.param


def test_every_kind_has_a_detector_a_hint_and_a_planted_site() -> None:
    assert list(KINDS) == list(DETECTORS) == list(HINTS)
    assert set(KINDS) == set(FAULTS)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named(harvest: tuple[Harvest, bool], fault: str) -> None:
    gathered, with_runs = harvest
    found = {one.kind for one in gathered.findings if one.site == f"{fault}.example"}
    assert found == (EXPECTED[fault] if with_runs or fault not in UNTOLD else set())


def test_a_healthy_site_is_not_named(harvest: tuple[Harvest, bool]) -> None:
    healthy = [site for site in harvest[0].sites if site.site.startswith("site-")]
    assert len(healthy) == 40 - len(FAULTS)
    assert [(site.site, site.findings) for site in healthy if site.findings] == []


def test_evidence_can_be_checked(harvest: tuple[Harvest, bool]) -> None:
    gathered, with_runs = harvest
    told = {one.kind: one for one in gathered.findings if one.site == f"{one.kind}.example"}
    assert f"“{LEAK}” stands in " in told["leaks"].evidence
    assert "0% of the articles have a date" in told["undated"].evidence
    if with_runs:
        assert "mostly as too-short" in told["stopped"].evidence
        assert told["stopped"].examples[0].startswith("https://stopped.example/2026/")
        assert told["failing"].examples == tuple(f"https://failing.example/blocked/{n}" for n in range(2))


def run_of(day: float, articles: int, **more: int) -> SiteRun:
    tally = SiteTally(pages=articles, articles=articles, new=articles, **more)
    return SiteRun(f"run {day}", day * DAY, tally, tally.to_counts())


def kinds(*runs: SiteRun) -> set[str]:
    return {one.kind for one in findings_of(SiteHistory("a.example", 0, list(runs)))}


def test_silence_is_judged_by_what_should_have_come() -> None:
    steady = [run_of(0, 300), *(run_of(day, 4) for day in range(1, 6))]
    assert kinds(*steady, run_of(6, 0), run_of(7, 0)) == {"stopped"}
    # One quiet day of a small site, a second run within the hour, and a site that never gave much say nothing.
    assert kinds(*steady, run_of(6, 0)) == set()
    assert kinds(*steady, *(run_of(5.01 + place / 100, 0) for place in range(9))) == set()
    assert kinds(run_of(0, 300), *(run_of(day, 0) for day in range(1, 9))) == set()
    assert kinds() == set()


def test_what_healthy_sites_have_too_is_no_failure() -> None:
    run = run_of(1, 3)
    for place in range(40):
        run.tally.errors.add("http-404" if place % 2 else "robots.txt", "https://a.example/x")
    assert kinds(run) == set()

"""The measurements run, on a small scale."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from cleancrawl.lab.chaos import redis_cost
from cleancrawl.lab.chaos.capacity import measure
from tests.stores.redis_process import find_redis_server


def test_what_redis_costs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    find_redis_server()
    monkeypatch.setattr(redis_cost, "MEASURED", 10)
    assert redis_cost.main(["--articles", "20,50", "--sites", "5", "--ballast", "30"]) == 0
    leases, _, *rows = capsys.readouterr().out.splitlines()
    assert leases.startswith("5 sites: take ")
    # A look-up, a record, the page's state and the same story elsewhere: one round trip each.
    assert [row.split()[:2] for row in rows] == [["20", "4.0"], ["50", "4.0"]]


def test_what_a_worker_holds() -> None:
    find_redis_server()
    with tempfile.TemporaryDirectory(prefix="capacity-") as directory:
        measured = measure(1, sites=2, articles=2, large=3, directory=Path(directory))
    assert (measured.sites, measured.articles) == (3, 7)
    assert measured.requests >= 3 * 2 + 7
    assert "3" in measured.line()

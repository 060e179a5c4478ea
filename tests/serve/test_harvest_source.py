"""When a report is made anew, and who waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from cleancrawl import open_store
from tests.extras import needs

needs("jinja2", "report")

from cleancrawl.errors import StoreError  # noqa: E402
from cleancrawl.serve import harvest_source  # noqa: E402
from cleancrawl.serve.harvest_source import FRESH_REPORT, OLD_REPORT, HarvestSource  # noqa: E402


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(harvest_source, "monotonic", clock)
    return clock


@pytest.fixture
def source() -> Iterator[HarvestSource]:
    source = HarvestSource(open_store("memory:"))
    yield source
    source.close()


def add(source: HarvestSource, site: str) -> None:
    assert source.store is not None
    source.store.record_run("run", 1.0, {site: {"pages": 3, "articles": 2}})


def wait(source: HarvestSource) -> None:
    """Until nobody makes a report."""
    with source._making:
        pass


def test_an_older_report_is_shown_while_a_new_one_is_made(source: HarvestSource, clock: Clock) -> None:
    add(source, "first.example")
    assert "first.example" in (source.report() or "")
    add(source, "second.example")
    clock.now += FRESH_REPORT
    assert "second.example" not in (source.report() or "")
    clock.now += 1
    assert "second.example" not in (source.report() or ""), "this call has it made, and does not wait"
    wait(source)
    assert "second.example" in (source.report() or "")


def test_nobody_is_shown_an_old_one(source: HarvestSource, clock: Clock) -> None:
    add(source, "first.example")
    source.report()
    add(source, "second.example")
    clock.now += OLD_REPORT + 1
    assert "second.example" in (source.report() or "")


def test_one_that_is_being_made_is_made_once(source: HarvestSource, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, made = Event(), Event(), []
    gather = harvest_source.gather

    def slowly(store: object) -> object:
        made.append(store)
        begun.set()
        assert go_on.wait(30)
        return gather(store)  # type: ignore[arg-type]

    monkeypatch.setattr(harvest_source, "gather", slowly)
    source.prepare_report()
    assert begun.wait(30)
    source.prepare_report()
    go_on.set()
    assert source.report()
    assert len(made) == 1


def test_who_waits_is_told_why_there_is_none(source: HarvestSource, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(store: object) -> object:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(harvest_source, "gather", fails)
    source.prepare_report()
    wait(source)
    with pytest.raises(StoreError, match="the disk is gone"):
        source.report()
    assert HarvestSource().report() is None

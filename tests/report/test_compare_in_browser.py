"""Comparisons in a real browser: hostile texts, links to differences, colours, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cleancrawl.report.diff_report import Compared, diff_report, set_report
from cleancrawl.report.text_diff import diff
from tests.browser import Browser, open_browser
from tests.extras import needs

BAIT = (
    "<script>window.caught = 1</script>",
    '"><img src="https://evil.example/i.png" onerror="window.caught = 1">',
    "</ins></del></style><style>@import 'https://evil.example/s.css'</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
)
OLD = "The council voted to close the bridge.\n" + "A line that stays as it is.\n" * 9 + "It will cost 4 million euros."
NEW = OLD.replace("bridge", "old bridge").replace("4", "5") + "\nNobody spoke against it. " + "unbroken" * 60


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _jinja() -> None:
    needs("jinja2", "report")


def shown(browser: Browser, folder: Path, report: str) -> None:
    path = folder / "diff.html"
    path.write_text(report, encoding="utf-8")
    browser.look()
    browser.open(path)


def compared(number: int = 0) -> Compared:
    return Compared(f"https://news.example/{number}", f"Bridge {number}", diff(OLD, NEW + " more" * number))


def test_hostile_texts_run_nothing_and_load_nothing(browser: Browser, tmp_path: Path) -> None:
    before, after = "\n".join(BAIT), "\n".join(f"{bait} {BAIT[0]}" for bait in reversed(BAIT))
    rows = [Compared(f"javascript:{bait}", bait, diff(before, after)) for bait in BAIT]
    names = (BAIT[0], BAIT[1])
    for report in (diff_report(rows[0], names), set_report(rows, 9, names)):
        shown(browser, tmp_path, report)
        assert browser.run("return window.caught") is None
        assert browser.requests() == [(tmp_path / "diff.html").as_uri()]
        assert browser.complaints() == []
        text = browser.run("return document.body.textContent")
        assert all(bait in text for bait in BAIT)
        links = browser.run("return [...document.links].map(a => a.getAttribute('href'))")
        assert all(link.startswith("#") for link in links)


def test_the_table_leads_to_the_differences(browser: Browser, tmp_path: Path) -> None:
    shown(browser, tmp_path, set_report([compared(2), compared(1)], 5, ("a", "b")))
    browser.run("document.querySelectorAll('td a')[1].click()")
    assert browser.run("return document.querySelector(':target').textContent") == "Bridge 1"
    assert browser.run("return document.querySelector(':target').getBoundingClientRect().top") < 900
    assert browser.complaints() == []


def test_it_can_be_read_in_light_and_dark_and_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    names = ("default", "default:precision")
    for report in (diff_report(compared(), names), set_report([compared(1), compared()], 2, names)):
        shown(browser, tmp_path, report)
        browser.run("document.querySelectorAll('details').forEach(e => { e.open = true })")
        for dark in (False, True):
            browser.look(dark=dark)
            assert browser.faint_texts() == []
            browser.look(dark=dark, width=390, height=844)
            assert browser.too_wide() == 0
        assert browser.nameless() == []
        # Not by colour alone.
        lines = browser.run(
            "return ['del', 'ins'].map(e => getComputedStyle(document.querySelector(e)).textDecorationLine)"
        )
        assert lines == ["line-through", "underline"]
        assert browser.complaints() == []

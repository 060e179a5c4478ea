"""The report of a store in a real browser: sorting, filters, colours, a phone, and hostile sites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cleancrawl import open_store
from cleancrawl.lab.planted_store import plant
from cleancrawl.report.harvest_report import write_report
from cleancrawl.report.site_tally import SiteTally
from tests.accessibility import barriers
from tests.browser import Browser, open_browser
from tests.extras import needs

BAIT = (
    '"><img src="https://evil.example/i.png" onerror="window.caught = 1"><script>window.caught = 1</script>'
    "</style></title></script><iframe src=https://evil.example/></iframe><meta http-equiv=refresh content='0;url=https:"
    "//evil.example/'>' onfocus='window.caught = 1' autofocus tabindex=0 x='{{ 7 * 7 }}"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    needs("jinja2", "report")
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve sites, eight in trouble; and one that has the bait wherever a site has a say."""
    store, path = open_store("memory:"), tmp_path_factory.mktemp("report") / "report.html"
    plant(store, sites=12, articles=1200, runs=12)
    tally = SiteTally()
    for _ in range(30):
        tally.add_page(1.0, {"removed": {BAIT: 3}}, None)
        tally.add_article({"language": BAIT, "text": f"{BAIT} and some more words."}, 1.0)
    for url in (f"javascript:{BAIT}", f"https://evil.example/{BAIT}"):
        tally.dropped.add(BAIT, url)
        tally.errors.add(BAIT, url)
    store.record_run(BAIT, 1.0, {"": {"name": BAIT, "ended": BAIT}, f"evil.example{BAIT}": tally.to_counts()})
    write_report(store, path, name=BAIT)
    return path


@pytest.fixture
def shown(browser: Browser, report: Path) -> Browser:
    browser.look()
    browser.open(report)
    return browser


def sites(browser: Browser) -> list[str]:
    """The names in the table of sites that one sees."""
    found: list[str] = browser.run(
        "return [...document.querySelectorAll('#sites-table tbody tr')].filter(row => row.offsetHeight)"
        ".map(row => row.cells[0].textContent)"
    )
    return found


def type_into(browser: Browser, field: str, value: str) -> None:
    browser.run(
        "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
        "field.dispatchEvent(new Event('input'))",
        field,
        value,
    )


def test_hostile_sites_run_and_load_nothing(shown: Browser, report: Path) -> None:
    assert shown.run("return window.caught") is None
    assert shown.requests() == [report.as_uri()]
    assert shown.complaints() == []
    assert shown.run("return document.images.length + document.querySelectorAll('iframe').length") == 0
    assert shown.run("return document.scripts.length") == 1
    assert BAIT in shown.run("return document.body.textContent")


def test_what_is_added_later_does_not_run_either(shown: Browser) -> None:
    shown.run(
        "document.body.insertAdjacentHTML('beforeend', '<img src=\"https://evil.example/\" onerror=\"caught = 1\">')"
    )
    shown.run(
        "const s = document.createElement('script'); s.textContent = 'window.caught = 2'; document.body.append(s)"
    )
    assert shown.run("return window.caught") is None
    assert [url for url in shown.requests() if "evil" in url] == []
    assert shown.complaints() != []


def test_tables_sort_by_every_column(shown: Browser) -> None:
    before = sites(shown)
    press = "document.querySelectorAll('#sites-table thead button')[arguments[0]].click()"
    shown.run(press, 0)
    assert sites(shown) == sorted(before)
    shown.run(press, 0)
    assert sites(shown) == sorted(before, reverse=True)
    shown.run(press, 2)
    counts = shown.run(
        "return [...document.querySelectorAll('#sites-table tbody tr')].map(r => +r.cells[2].textContent)"
    )
    assert counts == sorted(counts, reverse=True)
    assert shown.run("return document.querySelector('#sites-table [aria-sort]').textContent") == "articles"


def test_lists_filter(shown: Browser) -> None:
    assert len(sites(shown)) == 13
    type_into(shown, "input[type=search][data-filters=sites-table]", "UNDATED")
    assert sites(shown) == ["undated.example"]
    assert shown.run("return document.querySelector('.filter output').textContent") == "1 of 13"
    type_into(shown, "input[type=search][data-filters=sites-table]", "")
    shown.run("document.querySelector('input[value=trouble]').click()")
    assert "undated.example" in sites(shown)
    assert not [name for name in sites(shown) if name.startswith("site-")]


def test_a_link_to_a_site_unfolds_it(shown: Browser) -> None:
    shown.run("[...document.querySelectorAll('.finding a')].find(a => a.textContent === 'leaks.example').click()")
    opened = "return [...document.querySelectorAll('details.site[open] summary b')].map(b => b.textContent)"
    for _ in range(100):  # the event comes a little later
        if shown.run(opened):
            break
    assert shown.run(opened) == ["leaks.example"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "phone"])
def test_everybody_can_read_it(shown: Browser, dark: bool, width: int) -> None:
    shown.look(dark=dark, width=width)
    assert shown.too_wide() == 0
    assert shown.faint_texts() == []
    assert shown.nameless() == []
    ground = shown.run("return getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(20, 23, 27)" if dark else "rgb(246, 246, 243)")
    if width == 390:
        assert barriers(shown) == []

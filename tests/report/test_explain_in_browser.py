"""Explanations in a real browser: what a hostile page can do (nothing), filters, keys, colours, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cleancrawl import clean
from cleancrawl.core.document import Document
from cleancrawl.report.page_report import explain
from tests.browser import Browser, open_browser
from tests.extras import needs

BAIT = (
    "<script>window.caught = 1</script>",
    '"><img src="https://evil.example/i.png" onerror="window.caught = 1">',
    "</style></title></script><script>window.caught = 1</script>",
    "<style>@import 'https://evil.example/s.css'; body { background: url(https://evil.example/b.png) }</style>",
    '<iframe src="https://evil.example/"></iframe><link rel=prefetch href="https://evil.example/p">',
    "<meta http-equiv=refresh content='0;url=https://evil.example/'><base href='https://evil.example/'>",
    "' onfocus='window.caught = 1' autofocus tabindex=0 x='",
    "{{ 7 * 7 }} {% raw %} <!-- --> ]]>",
)
STORY = "".join(
    f"<p>The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, as"
    f" the harbour master said on Monday, but the ferries stayed in port for {number} hours.</p>"
    for number in range(3, 9)
)
MENU = "<ul>" + "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(12)) + "</ul>"
PAGE = f"<title>A storm</title><nav>{MENU}</nav><main><h1>A storm</h1>{STORY}</main><footer>{MENU}</footer>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _jinja() -> None:
    needs("jinja2", "report")


def shown(browser: Browser, folder: Path, *documents: Document) -> None:
    path = folder / "report.html"
    path.write_text(explain(*documents), encoding="utf-8")
    browser.look()
    browser.open(path)


def hostile() -> Document:
    """Bait in every place that a page or a store has a say in, at a length that folds it, too."""
    quoted = [bait.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;") for bait in BAIT]
    body = "".join(f"<p>{line} {STORY}</p><p>{line * 30}</p>{MENU}" for line in quoted)
    head = f"<title>{''.join(quoted)}</title><meta name=author content='{quoted[1]}'>"
    document = clean(head + body, f"javascript:{BAIT[1]}")
    document.recipe = BAIT[0] + BAIT[1]
    for number, block in enumerate(document.blocks):
        bait = BAIT[number % len(BAIT)]
        block.removed = None
        if number % 3:
            block.remove(bait, bait, bait)
        block.tag = bait
        block.text += bait
        document.page.notes[block.index] = bait
    return document


@pytest.mark.parametrize("columns", [1, 2])
def test_a_hostile_page_runs_nothing_and_loads_nothing(browser: Browser, tmp_path: Path, columns: int) -> None:
    shown(browser, tmp_path, *[hostile()] * columns)
    browser.run("document.querySelectorAll('details').forEach(e => { e.open = true })")
    browser.run("document.querySelectorAll('[tabindex], a').forEach(e => e.focus())")
    choose(browser, "rule", BAIT[4])
    assert visible(browser) > 0
    assert browser.run("return window.caught") is None
    text = browser.run("return document.body.textContent")
    assert all(text.count(bait) > 4 for bait in BAIT)
    assert browser.requests() == [(tmp_path / "report.html").as_uri()]
    assert browser.complaints() == []
    assert browser.run("return document.querySelectorAll('img, iframe, base, body link, body meta').length") == 0


def test_were_markup_to_slip_through_the_policy_would_stop_it(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    slipped = '<script>window.caught = 1</script><img src="https://evil.example/i.png" onerror="window.caught = 2">'
    path.write_text(explain(clean(PAGE)).replace("<header>", f"<header>{slipped}", 1), encoding="utf-8")
    browser.open(path)
    assert browser.run("return window.caught") is None
    assert browser.requests() == [path.as_uri()]
    assert any("Content Security Policy" in said for said in browser.complaints())


def visible(browser: Browser) -> int:
    count: int = browser.run("return [...document.querySelectorAll('.block')].filter(e => e.checkVisibility()).length")
    return count


def choose(browser: Browser, name: str, value: str) -> None:
    browser.run(
        "const field = document.forms.filters.elements[arguments[0]]; field.value = arguments[1];"
        "field.dispatchEvent(new Event('input', { bubbles: true }))",
        name,
        value,
    )


def test_filters_show_what_is_asked_for(browser: Browser, tmp_path: Path) -> None:
    document = clean(PAGE)
    kept, removed = len(document.page.kept), len(document.blocks) - len(document.page.kept)
    shown(browser, tmp_path, document)
    # Menus are folded: the article is on the first screen.
    assert visible(browser) < len(document.blocks) - 20
    assert browser.run("return document.querySelector('.block.kept').getBoundingClientRect().top") < 900
    choose(browser, "verdict", "kept")
    assert visible(browser) == kept
    assert browser.run("return document.getElementById('count').value") == f"{kept} of {kept + removed} blocks"
    choose(browser, "verdict", "removed")
    choose(browser, "rule", "learned")
    learned = sum(block.removed is not None and block.removed.rule == "learned" for block in document.blocks)
    assert visible(browser) == learned
    browser.run("document.forms.filters.reset()")
    choose(browser, "text", "HILL 5")
    assert visible(browser) == 1
    choose(browser, "text", "section 11")
    assert visible(browser) == 2  # in both menus, which open for it
    choose(browser, "text", "")
    choose(browser, "stage", "kept")
    assert visible(browser) == kept
    assert browser.complaints() == []


def test_all_of_it_works_without_a_mouse(browser: Browser, tmp_path: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    def press(keys: str) -> str:
        ActionChains(browser.driver).send_keys(keys).perform()
        return str(browser.run("return document.activeElement.id || document.activeElement.name"))

    document = clean(PAGE)
    first, second = (block.index for block in document.page.kept[:2])
    shown(browser, tmp_path, document)
    assert press("n") == f"b{first}"
    assert press("j") == f"b{first + 1}" == f"b{second}"
    assert press("p") == f"b{first}"
    headline = next(block.index for block in document.blocks if block.tag == "h1")
    assert press("k") == f"b{headline}"
    before = visible(browser)
    press("o")
    assert visible(browser) == len(document.blocks) > before
    assert press("k") == f"b{headline - 1}"
    assert press("/") == "text"
    assert press("jj") == "text"
    assert browser.run("return document.activeElement.value") == "jj"
    # A link to a block in a folded menu opens it.
    shown(browser, tmp_path, document)
    browser.run("location.hash = '#b3'")
    assert browser.run("return document.getElementById('b3').closest('details').open")


@pytest.mark.parametrize("recipes", [["default"], ["default", "core-content", "line-block"]])
def test_it_can_be_read_in_light_and_dark_and_on_a_phone(browser: Browser, tmp_path: Path, recipes: list[str]) -> None:
    if "core-content" in recipes:
        needs("Stemmer", "stemming")
    documents = [clean(PAGE + f"<p>{'unbroken' * 90}", "https://a.example/storm", name) for name in recipes]
    shown(browser, tmp_path, *documents)
    browser.run("document.querySelectorAll('details').forEach(e => { e.open = true })")
    for dark in (False, True):
        browser.look(dark=dark)
        assert browser.faint_texts() == []
    grounds = []
    for dark in (False, True):
        browser.look(dark=dark, width=390, height=844)
        assert browser.too_wide() == 0
        grounds.append(browser.run("return getComputedStyle(document.body).backgroundColor"))
    assert len(set(grounds)) == 2
    assert browser.nameless() == []
    assert browser.complaints() == []

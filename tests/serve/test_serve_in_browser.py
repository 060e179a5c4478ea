"""The pages of ``cleancrawl serve`` in a real browser: search, diff, colours, a phone, and hostile articles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser import Browser, open_browser
from tests.extras import needs

for package, extra in (("jinja2", "report"), ("starlette", "serve"), ("uvicorn", "serve"), ("tantivy", "search")):
    needs(package, extra)

from tests.accessibility import barriers  # noqa: E402
from tests.serve.serving import SITE, STORY, Served, article, served_harvest  # noqa: E402

BAIT = (
    '"><img src="https://evil.example/i.png" onerror="window.caught = 1"><script>window.caught = 1</script>'
    "</style></title></script><iframe src=https://evil.example/></iframe><meta http-equiv=refresh content='0;url=https:"
    "//evil.example/'>' onfocus='window.caught = 1' autofocus tabindex=0 x='{{ 7 * 7 }}<base href=//evil.example>"
)
ICE = quote(f"https://{SITE}/ice", safe="")


def hostile() -> list[dict[str, Any]]:
    """The bait in every field, in two versions."""
    fields = {"authors": [BAIT], "section": BAIT, "recipe": BAIT, "removed": {BAIT: 1}, "published": BAIT, "html": BAIT}
    fields |= {"duplicate_of": f"javascript:{BAIT}", "language": BAIT, "modified": BAIT, "blocks_total": 1}
    url = f"javascript:window.caught=1//{BAIT}"
    return [article(1, f"{BAIT} {part}", [f"{BAIT} baited {part}", BAIT], **{**fields, "url": url}) for part in "ab"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_harvest(tmp_path_factory.mktemp("serve"), hostile()) as running:
        yield running


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture
def browser(window: Browser) -> Browser:
    window.look()
    return window


def heads(browser: Browser) -> list[str]:
    found: list[str] = browser.run("return [...document.querySelectorAll('.hits h3')].map(h => h.textContent)")
    return found


def submit(browser: Browser, **values: str) -> None:
    """Type into the fields of the form, and press its button."""
    for name, value in values.items():
        field = browser.driver.find_element("css selector", f"form [name={name}]")
        field.clear()
        field.send_keys(value)
    browser.follow(browser.driver.find_element("css selector", "form button"))


def test_a_reader_searches_filters_and_reads(browser: Browser, pages: Served) -> None:
    browser.open(pages.url)
    submit(browser, q="ice cream")
    assert {"Ice cream stays cheap", "Ice cream, again"} <= set(heads(browser))
    submit(browser, site="other.example")
    assert heads(browser) == ["Ice cream, again"]
    browser.follow(browser.driver.find_element("css selector", ".hits h3 a"))
    assert browser.run("return document.querySelector('.body p').textContent") == STORY[0]
    browser.follow(browser.driver.find_element("link text", f"https://{SITE}/ice"))
    browser.follow(browser.driver.find_element("link text", "what changed"))
    changes = "return [...document.querySelectorAll('main del')].map(each => each.textContent.trim())"
    assert "Monday" in browser.run(changes)
    submit(browser)
    assert "Monday" in browser.run(changes)
    asked = browser.requests()
    assert asked
    assert all(url.startswith(pages.url) for url in asked)
    assert browser.complaints() == []


def test_hits_are_leafed_through(browser: Browser, pages: Served) -> None:
    browser.open(f"{pages.url}/?q=seagrass")
    seen = heads(browser)
    while found := browser.driver.find_elements("link text", "Next page"):
        browser.follow(found[0])
        seen += heads(browser)
    assert len(seen) == len(set(seen)) == 45


@pytest.mark.parametrize("page", ["/?q=baited", "/", "/article?url={}", "/versions?url={}", "/why?url={}", "/report"])
def test_hostile_articles_run_and_load_nothing(browser: Browser, pages: Served, page: str) -> None:
    url = pages.url + page.format(quote(hostile()[0]["url"], safe=""))
    browser.open(url)
    assert "evil.example" in browser.run("return document.body.textContent")
    assert browser.run("return window.caught") is None
    assert browser.requests() == [url]
    assert browser.complaints() == []
    links = browser.run("return [...document.links].map(link => link.protocol)")
    assert set(links) <= {"http:", "https:"}
    assert browser.run("return document.images.length + document.querySelectorAll('iframe, base').length") == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", ["/?q=ice", "/", f"/article?url={ICE}", f"/versions?url={ICE}", "/nothing"])
def test_everybody_can_read_it(browser: Browser, pages: Served, page: str, dark: bool) -> None:
    browser.look(dark=dark, width=390)
    browser.open(pages.url + page)
    assert browser.too_wide() == 0
    assert browser.faint_texts() == []
    assert barriers(browser) == []

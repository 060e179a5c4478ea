from __future__ import annotations

from urllib.request import urlopen

import pytest

from cleancrawl import clean
from cleancrawl.core.app_shells import MOST_WORDS, is_shell
from cleancrawl.core.page_kind import decide
from tests.growth import about_linear
from tests.site.manifest import pages
from tests.site.server import SampleSite

SCRIPT = '<script defer src="/static/main.js"></script>'
NAVIGATION = (
    "<header><nav>"
    + "".join(f'<a href="/{word}">{word}</a> ' for word in "home world sport".split())
    + "</nav></header>"
)
SHELLS = {
    "react": f'<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>{SCRIPT}',
    "vue": '<div id="app"></div><script type="module" crossorigin src="/assets/index.js"></script>',
    "next": f'<div id="__next"><div>{NAVIGATION}<main><div class="spinner"></div></main></div></div>{SCRIPT}',
    "nuxt": f'<div id="__nuxt"><div class="loader">Loading…</div></div>{SCRIPT}',
    "angular": f"<app-root>Loading, please wait</app-root>{SCRIPT}",
    "own name": f'<noscript>Bitte aktivieren Sie JavaScript.</noscript><div class="frame"></div>{SCRIPT}',
    "with a footer": f'{NAVIGATION}<div id="root"></div><footer>© 2026 The Courier. Imprint.</footer>{SCRIPT}',
}
SENTENCES = "<p>The storm came over the hill at night, and the harbour was closed until the morning.</p>" * 4
PAGES = {
    "text in the mount": f'<div id="root">{SENTENCES}</div>{SCRIPT}',
    "text beside it": f'<div id="root"></div><main>{SENTENCES}</main>{SCRIPT}',
    "headlines alone": '<div id="__next">'
    + '<h2><a href="/a">The harbour is closed until the morning</a></h2>' * 9
    + f"</div>{SCRIPT}",
    "text in an unclosed header": f'<header><div id="root"></div>{SENTENCES}{SENTENCES}{SCRIPT}',
    "text in a form": f'<noscript>JavaScript!</noscript><div></div><form id="aspnet">{SENTENCES}</form>{SCRIPT}',
    "text for those without scripts": f'<noscript>{SENTENCES * 2} JavaScript</noscript><div id="root"></div>{SCRIPT}',
    "Chinese": f'<div id="root"><p>{"暴风雨在夜间越过山丘" * 9}</p></div>{SCRIPT}',
    "no scripts": '<div id="root"></div>',
    "a short note": f"<p>Nothing was found.</p>{SCRIPT}",
    "no body": "<frameset><frame src=a></frameset>",
}


@pytest.mark.parametrize("name", SHELLS)
def test_shells_of_common_frameworks_are_told(name: str) -> None:
    html = f"<!doctype html><title>The Courier</title><body>{SHELLS[name]}"
    assert is_shell(html)
    for url in ("https://a.example/2026/a-storm-hits-the-coast", "https://a.example/"):
        document = clean(html, url)
        assert decide(document.page, document.metadata).reason == "needs-browser"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_with_text_of_its_own_is_none(name: str) -> None:
    html = f"<!doctype html><title>The Courier</title><body>{PAGES[name]}"
    assert not is_shell(html)
    document = clean(html, "https://a.example/2026/a-storm-hits-the-coast")
    assert decide(document.page, document.metadata).reason != "needs-browser"


def test_no_page_of_the_sample_site_is_a_shell(sample_site: SampleSite) -> None:
    for entry in pages():
        if entry.status == 200 and entry.kind in ("article", "listing", "video", "empty", "static", "search", "login"):
            with urlopen((sample_site.a if entry.portal == "a" else sample_site.b) + entry.path) as answer:
                assert not is_shell(answer.read().decode("utf-8", "replace")), entry


def test_it_stops_reading_where_the_words_are_too_many() -> None:
    assert is_shell(f'<div id="root"></div>{"word " * MOST_WORDS}{SCRIPT}')
    assert not is_shell(f'<div id="root"></div>{"word " * (MOST_WORDS + 1)}{SCRIPT}')


@pytest.mark.parametrize(
    "piece", ["<noscript>", "<div>", "<header>", "<my-app>", "<div id=root></div>", "<a-b>", "<nav>x"]
)
def test_work_grows_about_as_the_page_does(piece: str) -> None:
    assert about_linear(is_shell, lambda size: SCRIPT + "<body>" + piece * size, 40_000 // len(piece))

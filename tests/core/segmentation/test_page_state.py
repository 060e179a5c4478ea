"""Articles in the state that frameworks embed: taken where there is no doubt, read as JSON, never run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cleancrawl import clean
from cleancrawl.core.page_kind import decide
from cleancrawl.core.segmentation.page_state import Stated, stated_article
from tests.growth import about_linear

TITLE = "A storm hits the northern coast"
URL = "https://courier.example/news/a-storm-hits-the-northern-coast"
LINES = [
    f"The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, as the"
    f" harbour master said on Monday, but the ferries stayed in port for {number} hours."
    for number in range(3, 11)
]
BODY = "".join(f"<p>{line}</p>" for line in LINES)
ARTICLE = {"id": 7, "headline": TITLE, "slug": "a-storm-hits-the-northern-coast", "body": BODY}
OTHER = {
    "id": 8,
    "headline": "The library opens again",
    "slug": "the-library-opens-again",
    "body": BODY.replace("storm", "library"),
}


def page(script: str, title: str = f"{TITLE} | The Courier") -> str:
    return f'<title>{title}</title><body><div id="root"></div>{script}<script src="/main.js"></script>'


def as_json(value: Any, attributes: str = 'id="__NEXT_DATA__"') -> str:
    return f'<script {attributes} type="application/json">{json.dumps(value)}</script>'


def flat(article: dict[str, Any]) -> list[Any]:
    """As Nuxt 3 writes it: members by their number, some of them wrapped."""
    values: list[Any] = [["ShallowReactive", 1], {"data": 2}, {"story": 3}, {}]
    for key, value in article.items():
        values[3][key] = len(values)
        values.append(value)
    return values


RICH = [
    {"_type": "block", "children": [{"_type": "span", "text": line[:40]}, {"_type": "span", "text": line[40:]}]}
    for line in LINES
] + [{"_type": "newsletter", "text": "Sign up for our newsletter today."}]
DOCUMENT = {
    "nodeType": "document",
    "content": [{"nodeType": "paragraph", "content": [{"nodeType": "text", "value": line}]} for line in LINES],
}
STATES = {
    "Next.js": as_json({"props": {"pageProps": {"article": ARTICLE, "more": [OTHER]}}}),
    "Nuxt 3": as_json(flat(ARTICLE), 'id="__NUXT_DATA__" data-nuxt-data="nuxt-app"'),
    "Nuxt 2, as JSON": f"<script>window.__NUXT__={json.dumps({'data': [ARTICLE]})};</script>",
    "Apollo": f"<script>window.__APOLLO_STATE__ = {json.dumps({'Article:7': ARTICLE, 'Article:8': OTHER})};</script>",
    "Redux": f"<script>window.__PRELOADED_STATE__ = {json.dumps({'story': ARTICLE})}</script>",
    "Remix": f"<script>window.__remixContext = {json.dumps({'state': {'loaderData': ARTICLE}})};</script>",
    "JSON in a string": f"<script>window.__DATA__ = JSON.parse({json.dumps(json.dumps({'a': ARTICLE}))})</script>",
    "WordPress": as_json({"post": {"title": {"rendered": TITLE}, "content": {"rendered": BODY}}}),
    "Arc": as_json(
        {"headlines": {"basic": TITLE}, "content_elements": [{"type": "text", "content": line} for line in LINES]}
    ),
    "Sanity": as_json({"post": {**ARTICLE, "body": RICH}}),
    "Contentful": as_json({"post": {"title": TITLE, "body": {"json": DOCUMENT}}}),
    "plain lines": as_json({"post": {"title": TITLE, "text": "\n".join(LINES)}}),
    "twice": as_json({"a": ARTICLE, "b": ARTICLE}),
}
FUNCTION = json.dumps({"data": [ARTICLE]})
DOUBTS = {
    "another story": as_json({"stories": [OTHER]}),
    "two that claim to be it": as_json([ARTICLE, {**ARTICLE, "body": OTHER["body"]}]),
    "a summary": as_json({**ARTICLE, "body": LINES[0]}),
    "no sentences": as_json({**ARTICLE, "body": "a{b:c} " * 200}),
    "a script that would have to be run": f"<script>window.__NUXT__=(function(a){{return {FUNCTION}}})(1)</script>",
    "broken": f"<script>window.__APOLLO_STATE__ = {json.dumps(ARTICLE)[:-9]}</script>",
    "undefined": f"<script>window.__STATE__ = {{a:undefined,b:{json.dumps(ARTICLE)}}}</script>",
}


@pytest.mark.parametrize("name", STATES)
def test_an_article_that_is_in_the_state_alone_is_read(name: str) -> None:
    document = clean(page(STATES[name]), URL)
    assert document.text.split("\n")[-len(LINES) :] == LINES
    assert decide(document.page, document.metadata).reason is None


def test_an_address_is_as_good_as_a_headline() -> None:
    document = clean(page(STATES["Apollo"], "The Courier"), URL)
    assert document.text.split("\n")[-len(LINES) :] == LINES
    assert document.title == TITLE
    assert clean(page(STATES["WordPress"], "The Courier"), URL).text == ""


@pytest.mark.parametrize("name", DOUBTS)
def test_where_there_is_doubt_nothing_is(name: str) -> None:
    document = clean(page(DOUBTS[name]), URL)
    assert document.text == ""
    assert decide(document.page, document.metadata).reason == "needs-browser"


def test_a_page_that_shows_its_article_stays_as_it_is() -> None:
    shown = f"<title>{TITLE}</title><body><article>{BODY}</article>{STATES['Next.js']}"
    document = clean(shown, URL)
    assert document.text.split("\n") == LINES
    assert document.page.html == shown


HOSTILE = {
    "many articles": lambda size: as_json([ARTICLE] * size),
    "one text referred to again and again": lambda size: as_json(
        [{"title": size + 1, "body": size + 2}] * size + [[], TITLE, BODY * size], 'id="__NUXT_DATA__"'
    ),
    "a list of one text": lambda size: as_json(
        [{"title": 1, "body": 2}, TITLE, [3] * size, "word. " * size], 'id="__NUXT_DATA__"'
    ),
    "circles": lambda size: as_json([{"title": 1, "body": 2}, TITLE, [2] * size], 'id="__NUXT_DATA__"'),
    "deep": lambda size: '<script type="application/json">' + "[" * size + "</script>",
    "assignments": lambda size: "<script>" + "window.__a={" * size + "</script>",
    "open scripts": lambda size: "<script>" * size,
    "unclosed": lambda size: "<script " * size,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_bounded(name: str) -> None:
    def work(html: str) -> Stated | None:
        return stated_article(html, URL, (TITLE.lower(),))

    assert about_linear(work, HOSTILE[name], 2_000)


@pytest.mark.parametrize(
    "value", [None, 7, [], {}, "text", [[[]]], {"title": 7, "body": {"content": 7}}, [1, {"title": -1}]]
)
def test_any_value_will_do(value: Any) -> None:
    for attributes in ('id="__NEXT_DATA__"', 'id="__NUXT_DATA__"'):
        assert stated_article(as_json(value, attributes), "http://[", ("",)) is None

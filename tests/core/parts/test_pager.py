from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.parts.pager import MOST_PLACES, MOST_TAGS, Pager, find_pager

STORY = "https://a.example/news/storm-hits-the-coast"


def found(url: str, html: str, number: int | None = None) -> Pager | None:
    return find_pager(Page(html, url), url, number)


@pytest.mark.parametrize(
    ("url", "html", "parts"),
    [
        (STORY, '<link rel="next" href="?page=2">', {2: STORY + "?page=2"}),
        (STORY, f"<a href='{STORY}/2'>Next</a>", {2: STORY + "/2"}),
        (STORY + "/", f"<a href='{STORY}/page/2/'>2</a>", {2: STORY + "/page/2/"}),
        (STORY, "<a href=https://www.a.example/news/storm-hits-the-coast/seite-2>weiter</a>", None),
        (STORY + ".html", "<a href='storm-hits-the-coast-2.html'>2</a>", {2: STORY + "-2.html"}),
        (STORY + "-1.html", "<a href='storm-hits-the-coast-2.html'>2</a>", {2: STORY + "-2.html"}),
        (STORY + "?id=7", "<a href='?id=7&amp;page=2#top'>2</a>", {2: STORY + "?id=7&page=2"}),
        (STORY, f"<option value='{STORY}/2'>Page 2: the night</option>", {2: STORY + "/2"}),
        # A tag right behind text that has the article's name.
        (STORY, f"storm-hits-the-coast, page <a href='{STORY}/2'>2</a>", {2: STORY + "/2"}),
        (STORY, "storm-hits-the-coast " * MOST_PLACES + f"<a href='{STORY}/2'>2</a>", {2: STORY + "/2"}),
        # Counted from 0.
        (STORY, "<a href='?page=1'>2</a><a href='?page=2'>3</a>", {2: STORY + "?page=1", 3: STORY + "?page=2"}),
    ],
)
def test_addresses_that_differ_in_a_number_are_parts(url: str, html: str, parts: dict[int, str] | None) -> None:
    pager = found(url, html)
    assert pager is not None
    assert pager.number == 1
    assert parts is None or pager.parts == parts


@pytest.mark.parametrize(
    "html",
    [
        '<link rel="next" href="/news/another-story">',
        '<a href="/news?page=2">2</a>',
        '<a href="https://b.example/news/storm-hits-the-coast?page=2">2</a>',
        '<a href="/news/storm-hits-the-coast-2.html">Storm hits the coast again</a>',
        '<a href="/news/storm-hits-the-coast-2">2</a>',
        '<a href="?page=7">7</a>',
        '<a href="?comment=2">2</a>',
        '<a href="https://share.example/?u=https://a.example/news/storm-hits-the-coast?page=2">2</a>',
        '<select><option value="2">Sport</option></select>',
        '<a href="http://[storm-hits-the-coast?page=2">2</a>',
        "<a href='/news/storm-hits-the-coast/print'>Print</a>",
    ],
)
def test_other_links_are_none(html: str) -> None:
    assert found(STORY, html) is None


def test_a_further_part_is_known_by_its_link_to_the_first() -> None:
    first = f"<a href='{STORY}'>« Previous</a>"
    pager = found(STORY + "?page=2", first + "<a href='?page=3'>Next</a>")
    assert pager == Pager(2, {1: STORY, 3: STORY + "?page=3"})
    assert found(STORY + "?page=2", f"<a href='{STORY}'>The storm</a>") is None
    assert found("https://a.example/news/12", "<a href='/news'>News</a><a href='/news/13'>13</a>") is None
    assert found(STORY + "?page=2", "<a href='?page=3'>Next</a>", 2) == Pager(2, {3: STORY + "?page=3"})


def test_versions_on_one_page_are_found_beside_a_pager() -> None:
    pager = found(STORY, "<a href='?page=2'>2</a><a href='?page=all'>Single page</a>")
    assert pager is not None
    assert pager.whole == (STORY + "?page=all",)


def test_a_page_of_nothing_but_such_links_is_read_in_part() -> None:
    html = "<a href='?page=2'>2</a>" + "<a href='?page=3" * 200_000 + "<a href='?page=4'>4</a>"
    assert found(STORY, html) is not None
    # What costs time are places that have the article's name, in what may be tags or not.
    assert found(STORY, "<storm-hits-the-coast " * MOST_PLACES + f"<a href='{STORY}/2'>2</a>") is None
    many = "".join(f"<a href='?page={number}'>{number}</a>" for number in range(2, 2 * MOST_TAGS))
    pager = found(STORY, many)
    assert pager is not None
    assert pager.total == 200

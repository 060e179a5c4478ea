from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import clean
from cleancrawl.core.block import Block
from cleancrawl.core.metadata import dates, headline_dates

PARAGRAPH = (
    "<p>"
    + "The storm reached the coast in the night and the harbour was closed for all ships until noon. " * 3
    + "</p>"
)


def published(stated: str, shown: str, url: str = "https://herald.example/storm", language: str = "en") -> str | None:
    head = f'<meta property="article:published_time" content="{stated}">' if stated else ""
    body = f"<h1>Storm hits the coast</h1>{shown}{PARAGRAPH}{PARAGRAPH}"
    page = f"<html lang={language}><head><title>Storm hits the coast</title>{head}</head><body>{body}</body></html>"
    return clean(page, url).metadata.published


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12. listopada 2024.", "2024-11-12"),
        ("12 грудня 2023", "2023-12-12"),
        ("3 d’abril de 2024", "2024-04-03"),
        ("2024. május 3.", "2024-05-03"),
        ("2024 m. gegužės 3 d.", "2024-05-03"),
        ("2024년 5월 3일", "2024-05-03"),
        ("2024. 05. 03. 10:20", "2024-05-03"),
        ("3 tháng 5, 2024", "2024-05-03"),
        ("٣ مايو ٢٠٢٤", "2024-05-03"),
        ("3 मई 2024", "2024-05-03"),
        ("1er mars 2024", "2024-03-01"),
        ("Dec. 09, 2024 5:00 am", "2024-12-09"),
        ("26/10/13, 03:48 pm", "2013-10-26"),
        ("2024-11-0314 min read", "2024-11-03"),
    ],
)
def test_dates_as_people_write_them(text: str, day: str) -> None:
    assert (dates.written_date(text) or "")[:10] == day


def test_a_month_that_means_another_in_one_language() -> None:
    assert dates.written_date("12. listopada 2024.", dates.Order("hr")) == "2024-10-12"


@pytest.mark.parametrize(
    "text",
    [
        "Season 2021/22",
        "28.01. - 05.02. 10% off",
        "2024-25",
        "10.11.12.13",
        "call 555-12-2024-77",
        "31.02.2024",
        "May 2024",
        "on page 12",
    ],
)
def test_figures_that_are_no_date(text: str) -> None:
    assert dates.find(text) == []


def test_the_day_beside_the_headline_is_the_readers() -> None:
    assert published("2024-05-04T01:00:00Z", "<p>By Jane Doe | May 3, 2024, 9 pm</p>") == "2024-05-03"
    assert published("2024-05-04T01:00:00Z", "<p>May 4, 2024</p>") == "2024-05-04T01:00:00+00:00"
    assert published("2024-05-04T01:00:00Z", "<p>April 2, 2020</p>") == "2020-04-02"


def test_an_update_or_an_event_is_no_publication() -> None:
    stated = "2024-05-04T01:00:00+00:00"
    assert published(stated, "<p>Updated on</p><p>June 9, 2024</p>") == stated
    assert published(stated, "<p>Zuletzt aktualisiert: 9. Juni 2024</p>") == stated
    assert published(stated, "<p>Deadline: June 9, 2024</p>") == stated
    assert published(stated, "<p>9-23 June 2023</p>") == stated
    assert published(stated, "<p>We opened the new harbour with many guests on June 9, 2023.</p>") == stated
    assert published(stated, "<p>14 replies, last post by Jane June 9, 2023</p>") == stated
    assert published(stated, "<p>As Jane (@jane) said on June 9, 2023</p>") == stated
    assert published("", "<p>Updated: June 9, 2024</p>") == "2024-06-09"


def test_the_last_change_is_no_publication_unless_it_is_stated_as_one() -> None:
    dated = "<p>June 9, 2024</p>"
    json_ld = '{"@type": "Article", "datePublished": "2024-05-04", "dateModified": "2024-06-09T10:00:00Z"}'
    head = f'<title>Storm</title><script type="application/ld+json">{json_ld}</script>'
    page = f"<h1>Storm hits the coast</h1>{dated}{PARAGRAPH}{PARAGRAPH}"
    assert clean(head + page).metadata.published == "2024-05-04"
    again = '<meta property="article:published_time" content="2024-06-09T08:00:00Z">'
    assert clean(head + again + page).metadata.published == "2024-06-09T08:00:00+00:00"


def test_todays_date_on_an_older_page_is_the_sites() -> None:
    today = datetime.now(UTC)
    assert published("2024-05-03", f"<p>{today.date().isoformat()}</p>") == "2024-05-03"
    assert published("", f"<p>{today.date().isoformat()}</p>") == today.date().isoformat()
    yesterday = (today - timedelta(days=1)).date().isoformat()
    assert published(today.date().isoformat(), f"<p>{yesterday}</p>") == yesterday


def test_the_url_confirms_what_is_stated() -> None:
    stated = "2024-05-03T10:00:00+00:00"
    assert published(stated, "<p>April 2, 2020</p>", url="https://herald.example/2024/05/03/storm") == stated
    assert published(stated, "", url="https://herald.example/2024/may/02/storm") == "2024-05-02"


def test_order_of_day_and_month() -> None:
    assert published("", "<p>05/03/2024</p>") == "2024-05-03"
    assert published("", "<p>05/03/2024</p>", url="https://herald.co.uk/storm") == "2024-03-05"
    assert published("", "<p>05/03/2024</p>", language="fr") == "2024-03-05"
    assert published("05/03/2024", "<p>3 May 2024</p>", language="fr") == "2024-05-03"


def test_a_paragraph_may_open_with_the_date() -> None:
    opening = (
        "<p>Hamburg, 3 May 2024 – "
        + "the storm reached the coast in the night and the harbour was closed. " * 3
        + "</p>"
    )
    assert published("", opening) == "2024-05-03"


def test_the_headline_is_found_below_the_name_of_the_site() -> None:
    texts = [("h1", "The Herald"), ("h2", "Storm hits"), ("h1", "Storm hits"), ("p", "x")]
    blocks = [Block(text, 2, 0, tag, index=index) for index, (tag, text) in enumerate(texts)]
    assert headline_dates.headline(blocks, "Storm Hits") == 2
    assert headline_dates.headline(blocks[:2], "Storm hits") == 1
    assert headline_dates.headline(blocks, "Another") == 0
    assert headline_dates.headline(blocks[3:], "x") is None


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="0123456789 .-/:,TZ+MayJune年月日", max_size=120), st.booleans())
def test_what_is_found_is_a_day_that_has_come(text: str, month_first: bool) -> None:
    latest = (datetime.now(UTC) + timedelta(hours=15)).date()
    for found in dates.find(text, dates.Order("en", month_first)):
        assert 0 <= found.start < found.end <= len(text)
        assert all(date(1990, 1, 1) <= date.fromisoformat(day[:10]) <= latest for day in found.readings)


@given(st.text(st.sampled_from("0129٠۰०০-./ May年月日")))
def test_lines_that_are_passed_over_have_no_date(text: str) -> None:
    assert dates.find(text) == list(dates._found(text[:400], dates.ANYWHERE))

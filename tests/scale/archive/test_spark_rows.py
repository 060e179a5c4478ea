"""What Spark's tasks do in Python, without Spark: a row that fails is a row that says so."""

from __future__ import annotations

import io
from contextlib import closing
from dataclasses import replace
from typing import Any

import pyarrow as arrow

from cleancrawl.scale.archive import spark_rows as rows
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.part_work import DIED
from cleancrawl.scale.archive.worker_pool import Survivor
from tests.scale.archive.deadly_recipes import FAILS, FAILS_LATER, KILLS, KILLS_LATER, trapped
from tests.scale.archive.warc_files import story_pages, warc

OPTIONS = BulkOptions(recipe=f"{trapped.__module__}.trapped")
NAMES = [each.split()[0] for each in rows.PAGE_SCHEMA.split(", ")]


def first(*bodies: bytes) -> list[dict[str, Any]]:
    files = [(f"{number}.warc", io.BytesIO(body)) for number, body in enumerate(bodies)]
    numbers = {name: number for number, (name, _) in enumerate(files)}
    return [dict(zip(NAMES, row, strict=True)) for row in rows.first_rows(files, OPTIONS, numbers)]


def test_what_fails_in_the_first_pass_is_told() -> None:
    pages = story_pages("a.example", 4)
    pages[1] = replace(pages[1], body=pages[1].body.replace(b"<title>", f"<title>{FAILS} ".encode()))
    pages[2].status = 500
    found = first(warc(pages[:3], packed=False) + warc(pages[3:], packed=False)[:-200])
    kinds = [(row["kind"], row["record"], row["reason"]) for row in found[:3]]
    assert kinds == [
        (rows.PAGE, 0, None),
        (rows.FAILED, 1, "RuntimeError: a stage of mine failed"),
        (rows.SKIPPED, 2, "http-500"),
    ]
    assert found[3]["kind"] == rows.TROUBLE
    assert "0.warc breaks off" in found[3]["reason"]
    assert len(found) == 4


def test_what_fails_in_the_second_pass_is_told() -> None:
    pages = story_pages("a.example", 3)
    pages[1] = replace(pages[1], body=pages[1].body.replace(b"<title>", f"<title>{FAILS_LATER} ".encode()))
    pages[2] = replace(pages[2], body=b"<html><title>Nothing</title><p>Too short.")
    facts = [{**row, "distinct": row["number"], "distinct_article": True} for row in first(warc(pages))]
    batch = arrow.RecordBatch.from_pylist([{**row, "blocks": None, "notes": None} for row in facts])
    (made,) = rows.second_rows([batch], OPTIONS)
    article, failed, dropped = made.to_pylist()
    assert (article["kind"], article["title"]) == (rows.ARTICLE, "Story 0 of a.example")
    assert (failed["kind"], failed["reason"]) == (rows.FAILED, "RuntimeError: a stage of mine failed")
    assert (dropped["kind"], dropped["reason"]) == (rows.DROPPED, "empty")


def test_a_page_that_kills_its_process_costs_its_own_row() -> None:
    pages = story_pages("a.example", 3)
    for number, word in ((0, KILLS), (1, KILLS_LATER)):
        pages[number] = replace(pages[number], body=pages[number].body.replace(b"<title>", f"<title>{word} ".encode()))
    with closing(Survivor()) as survivor:
        found = [
            dict(zip(NAMES, row, strict=True))
            for row in rows.first_rows([("0.warc", io.BytesIO(warc(pages)))], OPTIONS, {"0.warc": 0}, survivor.call)
        ]
        assert [(row["kind"], row["reason"]) for row in found] == [
            (rows.FAILED, DIED),
            (rows.PAGE, None),
            (rows.PAGE, None),
        ]
        facts = [{**row, "distinct": row["number"], "distinct_article": True} for row in found[1:]]
        batch = arrow.RecordBatch.from_pylist([{**row, "blocks": None, "notes": None} for row in facts])
        (made,) = rows.second_rows([batch], OPTIONS, survivor.call)
    failed, article = made.to_pylist()
    assert (failed["kind"], failed["url"], failed["reason"]) == (rows.FAILED, pages[1].url, DIED)
    assert (article["kind"], article["title"]) == (rows.ARTICLE, "Story 2 of a.example")

"""METHODS C6 in a crawl: templates are learned from a site's first pages and kept in its store."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cleancrawl import Cleaner, open_store
from cleancrawl.cli import main
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.methods.site_template.samples import LEARN_AT, MOST_PATHS, NOTE, Samples
from cleancrawl.stores.protocol import Store
from tests.stores.pages import record_of, story

PAGES = [html for _, html in sample_site(40, 1, missing=0)]


def test_notes_by_site_and_name(store: Store) -> None:
    assert store.note("a.org", "x") is None
    store.set_note("a.org", "x", "één")
    store.set_note("a.org", "x", "two")
    store.set_note("a.org", "y", "three")
    store.set_note("b.org", "x", "four")
    assert [store.note("a.org", "x"), store.note("a.org", "y"), store.note("b.org", "x")] == ["two", "three", "four"]
    other = open_store("memory:")
    other.load(list(store.dump()))
    assert other.note("b.org", "x") == "four"
    store.forget("a.org")
    assert [store.note("a.org", "x"), store.note("b.org", "x")] == [None, "four"]


def test_notes_survive_a_dump_into_any_store(store: Store) -> None:
    other = open_store("memory:")
    other.set_note("a.org", "x", "one")
    store.load(list(other.dump()))
    assert store.note("a.org", "x") == "one"


def test_templates_are_learned_from_the_first_pages_and_applied_to_the_next(store: Store) -> None:
    with Cleaner("site-template", store) as cleaner:
        documents = [
            cleaner.clean(html, f"https://example.org/{number}") for number, html in enumerate(PAGES[: LEARN_AT[0]])
        ]
        rules = [{block.removed.rule for block in document.blocks if block.removed} for document in documents]
        assert rules == [set()] * (LEARN_AT[0] - 1) + [{"template"}]
        assert {block.tag for block in cleaner.clean(PAGES[20], "https://example.org/20").page.kept} <= {
            "h1",
            "p",
            "li",
        }
        # The same page again is no new sample, nor is it under another address.
        before = store.note("example.org", NOTE)
        cleaner.clean(PAGES[20], "https://example.org/20")
        cleaner.clean(PAGES[20], "https://example.org/copy")
        assert store.note("example.org", NOTE) == before
        # Other sites and other recipes know nothing of it.
        assert all(block.kept for block in cleaner.clean(PAGES[0], "https://example.com/0").blocks)


def test_samples_are_dropped_after_the_last_learning() -> None:
    store = open_store("memory:")
    with Cleaner("site-template", store) as cleaner:
        for number, html in enumerate(PAGES):
            cleaner.clean(html, f"https://example.org/{number}")
    samples = Samples.from_text(store.note("example.org", NOTE))
    assert (samples.complete, samples.pages) == (True, {})
    assert samples.templates is not None
    assert sum(template.size for template in samples.templates.templates) == LEARN_AT[-1]


@pytest.mark.parametrize(
    "text", [None, "", "{", "[]", '{"format": 9}', '{"format": 1}', '{"format": 1, "pages": {"u": "x"}}']
)
def test_a_note_of_another_kind_is_started_afresh(text: str | None) -> None:
    samples = Samples.from_text(text)
    assert (samples.pages, samples.templates, samples.complete) == ({}, None, False)


def test_huge_pages_are_no_samples() -> None:
    samples = Samples()
    assert not samples.add("https://example.org/", np.arange(MOST_PATHS + 1, dtype=np.uint64))
    assert samples.add("https://example.org/", np.arange(MOST_PATHS, dtype=np.uint64))


def test_recipes_without_paths_leave_no_note() -> None:
    store = open_store("memory:")
    with Cleaner("line-block", store) as cleaner:
        cleaner.clean(PAGES[0], "https://example.org/")
    assert store.note("example.org", NOTE) is None


def test_the_command_shows_what_a_crawl_has_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    with Cleaner("site-template", url) as cleaner:
        for number, html in enumerate(PAGES[:5]):
            cleaner.clean(html, f"https://example.org/{number}")
    assert main(["templates", url, "-o", str(tmp_path / "templates.json")]) == 0
    head, columns, line = capsys.readouterr().out.splitlines()
    assert head == "example.org: 1 clusters, learned in the crawl"
    assert columns.split() == ["pages", "template", "paths", "share", "bytes", "examples"]
    assert line.split()[0] == "4"
    assert line.endswith("https://example.org/0, https://example.org/1, https://example.org/2")
    assert "example.org" in (tmp_path / "templates.json").read_text("utf-8")


def test_the_command_clusters_the_pages_that_a_crawl_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    store = open_store(url)
    for number, (_, html) in enumerate(sample_site(6, 2)):
        kept = {"title": "T", "html": html}
        store.record(record_of(f"https://example.org/{number}", *story(number), site="example.org", article=kept))
    store.close()
    assert main(["templates", url, "--method", "minhash", "-o", str(tmp_path / "templates.json")]) == 0
    head, _, first, _ = capsys.readouterr().out.splitlines()
    assert head == "example.org: 6 pages, 2 clusters (minhash)"
    assert first.endswith("https://example.org/0, https://example.org/2, https://example.org/4")
    assert len(json.loads((tmp_path / "templates.json").read_text("utf-8"))["example.org"]["clusters"]) == 2


def test_a_store_without_pages_and_one_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    open_store(url).close()
    assert main(["templates", url]) == 0
    assert "no pages and no templates" in capsys.readouterr().out
    assert main(["templates", f"{url}.none"]) == 1
    assert "no store at" in capsys.readouterr().err

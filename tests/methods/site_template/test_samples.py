"""METHODS C6 in a crawl: templates are learned from a site's first pages and kept in its store."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cleancrawl import Cleaner, open_store
from cleancrawl.cli import main
from cleancrawl.crawl.config import Config
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.methods.site_template.paths import Paths
from cleancrawl.methods.site_template.samples import (
    LEARN_AT,
    MOST_PATHS,
    NOTE,
    SAMPLES,
    STRAYS,
    WINDOW_NOTE,
    Samples,
    Window,
    read_window,
    write_window,
)
from cleancrawl.stores.protocol import Store
from tests.stores.pages import record_of, story

PAGES = [html for _, html in sample_site(40, 1, missing=0)]
WARM_UP = Config().warmup_pages
REDESIGNED = [html for _, html in sample_site(40, 1, missing=0, seed=7)]


def design(seed: int, pages: int) -> list[Paths]:
    """Pages of one template of 60 paths, each with 20 of its own."""
    numbers = np.random.default_rng(seed)
    frame = numbers.integers(0, 1 << 62, 60, dtype=np.uint64)
    return [np.unique([*frame, *numbers.integers(0, 1 << 62, 20, dtype=np.uint64)]) for _ in range(pages)]


class Site:
    """What a store would keep, fed with paths."""

    def __init__(self) -> None:
        self.samples = Samples()
        self.window: Window = {}
        self.pages = 0

    def meet(self, paths: Paths, url: str | None = None) -> bool:
        """Whether the page has a template once it has been met."""
        self.pages += 1
        if self.samples.wants(paths):
            self.samples.add(self.window, url or f"/{self.pages}", paths)
        return self.knows(paths)

    def knows(self, paths: Paths) -> bool:
        return self.samples.templates is not None and self.samples.templates.match(paths) is not None

    def first_known(self, pages: list[Paths]) -> int:
        """How many pages it takes."""
        return 1 + [self.meet(paths) for paths in pages].index(True)


def test_a_new_design_is_known_as_fast_as_a_new_site() -> None:
    site = Site()
    for paths in design(1, 60):
        site.meet(paths)
    assert site.first_known(design(2, 10)) == LEARN_AT[0] < WARM_UP
    assert site.knows(design(1, 1)[0]), "pages that have kept the old design are still met"


@pytest.mark.parametrize("before", [5, 9, 13, 17, 31, 33])
def test_a_new_design_is_known_however_little_was_known_of_the_old_one(before: int) -> None:
    site = Site()
    for paths in design(1, before):
        site.meet(paths)
    assert site.first_known(design(2, 10)) <= WARM_UP


def test_an_old_design_is_forgotten() -> None:
    site = Site()
    old = design(1, 100)
    for paths in old:
        site.meet(paths)
    new = design(2, 400)
    for paths in new[:20]:
        site.meet(paths)
    assert site.knows(old[0])
    for paths in new[20:]:
        site.meet(paths)
    assert not site.knows(old[0])
    assert len(site.samples.followed) == 1


def test_a_rare_template_is_not_forgotten() -> None:
    site = Site()
    rare = design(2, 40)
    for number, paths in enumerate(design(1, 600)):
        site.meet(paths)
        if number % 40 == 0:
            known = site.meet(rare[number // 40])
            assert known or number < 40 * STRAYS


def test_pages_fetched_again_in_a_new_design_are_samples_again() -> None:
    site = Site()
    for number, paths in enumerate(design(1, 12)):
        site.meet(paths, f"/{number}")
    again = [site.meet(paths, f"/{number}") for number, paths in enumerate(design(2, 12))]
    assert again.index(True) < LEARN_AT[0]
    assert len(site.window) == 12


def test_a_line_that_joins_the_frame_is_learned_in_time() -> None:
    site = Site()
    for paths in design(1, 100):
        site.meet(paths)
    line = np.uint64(12345)
    changed = [np.unique([*paths, line]) for paths in design(1, 1000)]
    for paths in changed:
        site.meet(paths)
    templates = site.samples.templates
    template = templates.match(changed[0]) if templates else None
    assert template is not None
    assert line in template.paths


def test_an_unchanged_site_is_asked_less_and_less_and_stays_known() -> None:
    site = Site()
    pages = design(1, 600)
    assert all([site.meet(paths) for paths in pages][LEARN_AT[0] - 1 :])
    first = site.samples.taken
    for paths in design(1, 900)[600:]:
        site.meet(paths)
    assert site.samples.taken - first < 300 // 8
    assert len(site.window) == SAMPLES


def test_pages_that_have_nothing_in_common_are_asked_less_and_less() -> None:
    site = Site()
    for seed in range(200):
        site.meet(design(seed, 1)[0])
    taken = site.samples.taken
    assert taken < 200 // 2
    assert len(site.window) == SAMPLES
    # ... and neither do designs that last for four pages only cost a learning each.
    for seed in range(50):
        for paths in design(1000 + seed, 4):
            site.meet(paths)
    assert site.samples.taken - taken < 200 // 2
    assert len(site.samples.followed) <= SAMPLES


def test_a_redesign_in_every_store(store: Store) -> None:
    with Cleaner("site-template", store) as cleaner:
        removed = []
        for number, html in enumerate([*PAGES, *REDESIGNED[:6]]):
            document = cleaner.clean(html, f"https://example.org/{number}")
            removed.append(sum(block.removed is not None for block in document.blocks))
    with Cleaner("site-template") as fresh:
        alone = [fresh.clean(html, f"https://example.org/{n}").blocks for n, html in enumerate(REDESIGNED[:6])]
    assert removed[len(PAGES) :] == [sum(block.removed is not None for block in blocks) for blocks in alone]
    assert removed[-1] > 20


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


def test_the_newest_samples_stay_and_are_seldom_read_once_the_site_is_known() -> None:
    store = open_store("memory:")
    with Cleaner("site-template", store) as cleaner:
        for number, html in enumerate(PAGES):
            cleaner.clean(html, f"https://example.org/{number}")
    samples = Samples.from_text(store.note("example.org", NOTE))
    assert SAMPLES <= samples.taken < len(PAGES)
    assert len(read_window(store.note("example.org", WINDOW_NOTE))) == SAMPLES
    assert samples.templates is not None
    assert sum(template.size for template in samples.templates.templates) == SAMPLES


@pytest.mark.parametrize(
    "text", [None, "", "{", "[]", '{"format": 9}', '{"format": 1, "pages": {}}', '{"format": 2, "counts": [1]}']
)
def test_a_note_of_another_kind_is_started_afresh(text: str | None) -> None:
    assert Samples.from_text(text) == Samples()
    assert read_window(text) == {}


def test_notes_are_read_as_they_were_written() -> None:
    samples, window = Samples(), Window()
    for number, paths in enumerate(design(1, 9)):
        samples.add(window, f"/{number}", paths)
    read = Samples.from_text(samples.to_text())
    assert read.to_text() == samples.to_text() != Samples().to_text()
    assert write_window(read_window(write_window(window))) == write_window(window)


def test_huge_pages_are_no_samples() -> None:
    samples = Samples()
    huge = np.arange(MOST_PATHS + 1, dtype=np.uint64)
    assert not samples.wants(huge)
    assert not samples.add({}, "https://example.org/", huge)
    assert samples.add({}, "https://example.org/", huge[1:])


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

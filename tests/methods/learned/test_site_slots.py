"""Which places of a site's template hold content."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl import Cleaner
from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import site_slots
from cleancrawl.methods.learned.learned_score import SCORES, SLOTS, LearnedScore
from cleancrawl.methods.learned.model import load_model
from cleancrawl.methods.learned.site_slots import (
    MISFITS,
    MOST_SLOTS,
    NOTE,
    SAMPLES,
    SlotSamples,
    SlotWeights,
    log_odds,
    slot_evidence,
    slot_record,
    with_slots,
)
from cleancrawl.stores.opening import open_store
from tests.twins import twins

_look_ups, _weighs = (
    [one.values[0] for one in twins(getattr(site_slots, f"{name}_in_python"), "slots", name)]
    for name in ("looked_up", "with_slots")
)
PARAGRAPH = "The council met in {} and decided that the bridge over the river will be repaired before the winter comes."
TEASER = "Also of interest: a story about {} that other readers of this paper liked to read last week."


def page_of(name: str, body: str = "story", scores: tuple[float, float] = (0.95, 0.1)) -> Page:
    """Six paragraphs in one place and a box in another, with the scores that the model would give both."""
    text = "".join(f"<p>{PARAGRAPH.format(f'{name}{number}')}</p>" for number in range(6))
    html = f"<body class='page-{name}'><div class='{body}'>{text}</div><div class='box-{len(name)} x'><p>"
    page = Page(f"{html}{TEASER.format(name)}</p></div>", f"https://news.example/{name}")
    TextBlocks()(page)
    page.memo[SCORES] = (load_model(None), np.array([scores[0]] * 6 + [scores[1]], dtype=np.float32))
    return page


def judge(pages: list[Page], stage: LearnedScore | None = None) -> list[Block]:
    """The blocks of the last page after all were looked up in one store."""
    stage, store = stage or LearnedScore(), open_store("memory:")
    for page in pages:
        stage.learn_site(page, store, "news.example", page.url or "")
    stage(pages[-1])
    return pages[-1].blocks


def test_a_slot_that_is_noise_on_other_pages_is_noise_here() -> None:
    doubtful = page_of("d", scores=(0.95, 0.6))
    assert all(block.kept for block in judge([doubtful]))
    *text, box = judge([page_of("a"), page_of("b"), page_of("c"), page_of("d", scores=(0.95, 0.6))])
    assert all(block.kept for block in text)
    assert str(box.removed) == "score: site-slot (0.60, its place on 3 other pages)"
    assert box.score is not None
    assert box.score < 0.3


def test_a_slot_that_holds_content_gets_the_benefit_of_the_doubt() -> None:
    weak = page_of("d")
    weak.memo[SCORES][1][2] = 0.3
    assert [block.kept for block in judge([weak])] == [True, True, False, True, True, True, False]
    weak = page_of("d")
    weak.memo[SCORES][1][2] = 0.3
    known = judge([page_of("a"), page_of("b"), page_of("c"), weak])
    assert [block.kept for block in known] == [True] * 6 + [False]


def test_a_sure_block_is_not_overruled() -> None:
    assert judge([page_of("a"), page_of("b"), page_of("c"), page_of("d", scores=(0.95, 0.99))])[-1].kept


def test_one_page_is_no_template() -> None:
    assert judge([page_of("a"), page_of("b", scores=(0.95, 0.6))])[-1].kept


def test_another_kind_of_page_is_judged_alone() -> None:
    assert judge([*map(page_of, "abc"), page_of("d", "live", scores=(0.95, 0.6))])[-1].kept


def test_without_weights_nothing_is_asked_or_kept() -> None:
    store = open_store("memory:")
    LearnedScore(slots=None).learn_site(page_of("a"), store, "news.example", "https://news.example/a")
    assert store.note("news.example", NOTE) is None


def test_after_a_redesign_new_pages_are_judged_alone_and_then_by_each_other() -> None:
    store, stage = open_store("memory:"), LearnedScore()
    for number in range(SAMPLES + 3):
        stage.learn_site(page_of(f"old{number}"), store, "news.example", f"/old/{number}")
    for number in range(MISFITS + 4):
        page = page_of(f"new{number}", "fresh", (0.95, 0.6))
        stage.learn_site(page, store, "news.example", f"/new/{number}")
        stage(page)
        # The first of the new ones are judged alone, and none ever loses its text.
        assert all(block.kept for block in page.blocks[: 6 if number else 7])
    assert isinstance(page.memo[SLOTS], site_slots.SlotEvidence)
    assert page.memo[SLOTS].fits


def test_samples_of_a_template_that_is_gone_go_too() -> None:
    samples = SlotSamples({f"{number:08d}": bytes(9) for number in range(SAMPLES)})
    for number in range(MISFITS):
        assert len(samples.pages) == SAMPLES
        samples.add(f"/{number}", bytes(18), fits=False)
    assert list(samples.pages.values()) == [bytes(18)]
    assert samples.misfits == 0


def test_the_order_of_pages_does_not_matter() -> None:
    pages = [(f"/{number}", bytes(9)) for number in range(40)]
    notes = []
    for order in (pages, pages[::-1]):
        samples = SlotSamples()
        for url, record in order:
            samples.add(url, record, fits=True)
        notes.append(samples.to_text())
    assert notes[0] == notes[1]
    assert len(json.loads(notes[0])["pages"]) == SAMPLES


def test_a_page_is_no_evidence_on_itself_and_twice_is_once() -> None:
    samples = SlotSamples()
    assert samples.add("/a", bytes(9), fits=True)
    assert not samples.add("/a", bytes(9), fits=True)
    assert samples.others("/a") == []
    assert samples.others("/b") == [bytes(9)]


def test_a_note_is_bounded() -> None:
    slots = np.arange(5_000, dtype=np.uint64)
    samples = SlotSamples()
    for number in range(100):
        samples.add(f"/{number}", slot_record(slots, np.zeros(5_000), np.ones(5_000)), fits=True)
    assert len(samples.to_text()) < 48_000
    assert all(len(record) == 9 * MOST_SLOTS for record in samples.pages.values())


@pytest.mark.parametrize("text", [None, "", "[]", "nothing", '{"format": 1}', '{"format": 1, "pages": {"a": "AA"}}'])
def test_a_note_of_something_else_starts_afresh(text: str | None) -> None:
    assert SlotSamples.from_text(text) == SlotSamples()


def test_log_odds_are_kept_to_a_twentieth() -> None:
    slots = np.array([7, 7, 9], dtype=np.uint64)
    odds, words = np.array([2.0, 4.0, -9.0]), np.array([10.0, 30.0, 5.0])
    found = slot_evidence(slots, odds, words, [slot_record(slots, odds, words)])
    assert found is not None
    assert found.odds.tolist() == pytest.approx([3.5, 3.5, -5.0])
    assert (found.pages.tolist(), found.fit) == ([1, 1, 1], 1.0)
    assert slot_evidence(slots, odds, words, []) is None
    assert slot_evidence(slots, odds, words, [b""]) is None


def test_where_nothing_is_likely_nothing_fits() -> None:
    odds, slots = log_odds(np.array([0.1, 0.2], dtype=np.float32)), np.array([7, 9], dtype=np.uint64)
    evidence = slot_evidence(slots, odds, np.ones(2), 3 * [slot_record(slots, odds + 3, np.ones(2))])
    assert evidence is not None
    assert (evidence.alike, evidence.samples, evidence.fits) == (0, 3, False)
    assert (with_slots(odds, evidence, SlotWeights()) == odds).all()


_COUNTS = st.lists(st.tuples(*[st.integers(0, 9)] * 3), max_size=12)


@pytest.mark.parametrize("find", twins(site_slots.block_slots_in_python, "slots", "block_slots"))
def test_links_have_slots_of_their_own(find: Callable[..., Any]) -> None:
    columns = (np.array(column, np.int64) for column in ([1, 1, 0, 1], [8, 7, 0, 1], [10, 10, 5, 0], [40, 50]))
    assert find(*columns, 0.8).tolist() == [101, 100, 80, 101]


@given(_COUNTS, st.lists(st.tuples(st.integers(0, 9), st.integers(1, 12), st.integers(-9, 9)), max_size=9))
def test_both_ways_to_look_slots_up_and_to_weigh_them_agree(
    blocks: list[tuple[int, int, int]], table: list[tuple[int, int, int]]
) -> None:
    slots, odds, words = (np.array([block[i] for block in blocks], np.int64) for i in range(3))
    known = sorted({slot: (pages, mean) for slot, pages, mean in [*table, (4, 2, 3)]}.items())
    columns = [
        slots.astype(np.uint64),
        (odds - 4) / 3,
        words.astype(float),
        np.array([slot for slot, _ in known], "u8"),
    ]
    columns += [np.array([pages for _, (pages, _) in known]), np.array([mean / 3 for _, (_, mean) in known])]
    results = []
    for number, (look_up, weigh) in enumerate(zip(_look_ups, _weighs, strict=True)):
        if look_up is None:
            continue
        pages, mean, fit, alike = look_up(*columns)
        weights = SlotWeights()
        bounds = weights.down, weights.up, weights.elsewhere, weights.content, weights.most
        changed = weigh(columns[1], pages, mean, fit, 2 / 3, *bounds)
        results.append((pages.tolist(), mean.tolist(), fit, alike, changed.tolist()))
        assert results[number] == results[0]


def test_a_cleaner_knows_its_sites_slots() -> None:
    with Cleaner() as cleaner:
        for name in "abcd":
            cleaner.clean(page_of(name).source, f"https://news.example/{name}")
        assert len(SlotSamples.from_text(cleaner.store.note("news.example", NOTE)).pages) == 4


def test_a_note_that_did_not_change_is_not_read_again() -> None:
    written = SlotSamples()
    written.add("/a", bytes(9), fits=True)
    text = written.to_text()
    one, other = SlotSamples.from_text(text), SlotSamples.from_text(str(text.encode(), "ascii"))
    assert one == other == written
    assert next(iter(one.pages.values())) is next(iter(other.pages.values()))
    one.add("/b", bytes(18), fits=True)
    assert SlotSamples.from_text(text) == other == written
    assert SlotSamples.from_text(one.to_text()) == one != other


def test_what_stays_read_is_bounded() -> None:
    for number in range(100):
        samples = SlotSamples()
        samples.add("/a", bytes([number] * 9), fits=True)
        records = SlotSamples.from_text(samples.to_text()).others("/b")
        site_slots.slot_table(tuple(records))
        SlotSamples.from_text(f'{{"format": 1, "pages": {{}}, "misfits": {number}}}')
    assert len(site_slots._notes._found) <= 32
    assert site_slots.slot_table.cache_info().currsize <= 32


def test_what_was_written_is_read_without_taking_it_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    written = SlotSamples()
    written.add("/written", bytes(9), fits=True)
    text = written.to_text()
    monkeypatch.delattr(site_slots, "_read_note")
    assert SlotSamples.from_text(text) == written

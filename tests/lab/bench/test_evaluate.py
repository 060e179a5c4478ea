from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.evaluate import evaluate, score_page


def test_gold_texts_score_one_and_lost_pages_count(data: Path) -> None:
    (texts,) = load_sets(data, ["texts"])
    gold = {page.key: page.text or "" for page in texts.pages}
    perfect = evaluate(gold, texts.pages, lcs=True)
    assert perfect.word.f1 == perfect.shingle.f1 == perfect.lcs.f1 == perfect.right == perfect.found == 1.0
    assert perfect.avoided == 1.0
    assert (perfect.pages, perfect.wanted, perfect.unwanted) == (3, 3, 6)
    gold.pop("texts/0003")
    partial = evaluate(gold, texts.pages)
    assert partial.word.f1 == partial.right == pytest.approx(2 / 3)
    assert partial.word_spread > 0
    assert partial.shingle.precision == 1.0
    assert partial.shingle.recall == partial.shingle_mean == pytest.approx(2 / 3)
    assert partial.shingle_spread > 0


def test_a_set_of_snippets_has_no_text_measures(data: Path) -> None:
    (snippets,) = load_sets(data, ["snippets"])
    score = score_page("they rebuild the bridge. Sport", snippets.pages[0])
    assert (score.word, score.found, score.wanted, score.avoided, score.unwanted) == (None, 1, 1, 1, 2)
    summary = evaluate({}, snippets.pages)
    assert (summary.pages, summary.texts, summary.word.f1, summary.found, summary.avoided) == (3, 0, 0.0, 0.0, 1.0)

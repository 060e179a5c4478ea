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


def test_optional_lines_count_neither_way(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "1.html").write_text("<p>")
    line = '{"id": "1", "text": "One two three.", "optional": ["Credit of  the agency."]}'
    (tmp_path / "truth.jsonl").write_text(line)
    (dataset,) = load_sets(tmp_path)
    (page,) = dataset.pages
    for text in ("One two three.", "One two three.\nCredit of the agency."):
        assert evaluate({page.key: text}, [page]).word.f1 == 1.0
    assert evaluate({page.key: "One two three. Credit of something."}, [page]).word.f1 < 1.0

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.lab.bench.metrics import (
    Shingles,
    corpus_shingle_score,
    lcs_length,
    lcs_score,
    overlap_score,
    shingle_score,
    shingle_shares,
    snippets_found,
    spread,
    tokens,
    word_score,
)

WORDS = st.lists(st.sampled_from("abcde"), max_size=30)


def test_methods_e5_worked_example() -> None:
    score = lcs_score(tokens("Title Copyright Some text in"), tokens("Title Some text in the body"))
    assert score.recall == float(Fraction(4, 6))
    assert score.precision == float(Fraction(4, 5))
    assert score.f1 == pytest.approx(float(Fraction(8, 11)))


def plain_lcs(first: list[str], second: list[str]) -> int:
    row = [0] * (len(second) + 1)
    for a in first:
        before = row[:]
        for place, b in enumerate(second, start=1):
            row[place] = before[place - 1] + 1 if a == b else max(before[place], row[place - 1])
    return row[-1]


@settings(deadline=None, max_examples=150)
@given(WORDS, WORDS)
def test_bit_parallel_lcs_is_the_textbook_lcs(first: list[str], second: list[str]) -> None:
    assert lcs_length(first, second) == plain_lcs(first, second) == lcs_length(second, first)


@settings(deadline=None, max_examples=80)
@given(WORDS, WORDS)
def test_scores_stay_in_range_and_equal_texts_are_right(got: list[str], gold: list[str]) -> None:
    for score in (word_score(got, gold), lcs_score(got, gold), shingle_score(shingle_shares(got, gold))):
        assert all(0 <= part <= 1 for part in score)
    for score in (word_score(got, got), lcs_score(got, got), shingle_score(shingle_shares(got, got))):
        assert score.f1 == 1.0
    assert lcs_score(got, gold).f1 <= word_score(got, gold).f1 + 1e-9


def test_shingles_of_a_page_are_counted_as_a_multiset() -> None:
    shares = shingle_shares(["a", "b", "c", "d", "a", "b", "c", "d"], ["a", "b", "c", "d"])
    assert shares == Shingles(0.2, 0.8, 0.0)


def test_empty_extractions_leave_the_corpus_precision_alone() -> None:
    """article-extraction-benchmark averages precision over pages with an extraction, recall over pages with gold."""
    score = corpus_shingle_score([shingle_shares([], ["a"]), shingle_shares(["b"], ["b"]), shingle_shares(["c"], [])])
    assert (score.precision, score.recall) == (0.5, 0.5)
    assert corpus_shingle_score([]).f1 == 0.0


def test_an_empty_gold_text_punishes_any_extraction() -> None:
    assert overlap_score(0, 0, 5) == (0.0, 0.0, 0.0)
    assert word_score(["a"], []).f1 == 0.0
    assert shingle_score(shingle_shares([], [])).f1 == 1.0


def test_snippets_are_compared_without_regard_to_white_space() -> None:
    assert snippets_found("a\u00a0b\n\nc d", ["b c", "a  b", "x", "C d"]) == 2


def test_the_spread_is_the_same_on_every_run_and_narrows_with_pages() -> None:
    few, many = [[0.0], [1.0]] * 10, [[0.0], [1.0]] * 100
    assert spread(few) == spread(few)
    assert spread(many) < spread(few)
    assert spread([[0.5]]) == 0.0

"""METHODS B6."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Page
from cleancrawl.methods.shallow_features import cosine_duplicates
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.cosine_duplicates import CosineDuplicates, cosine_pairs

STORY = "Engineers found cracks in the piers of the harbour bridge and closed it within a day"


def cosine(a: Counter[str], b: Counter[str]) -> float:
    dot = sum(a[term] * b[term] for term in a)
    return dot / sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))


def test_b6_the_later_of_two_similar_blocks_goes() -> None:
    page = Page(f"<html lang=en><p>{STORY}.</p><p>Something else altogether, for once.</p><p>{STORY}!</p><p>… –</p>")
    AtomicBlocks()(page)
    CosineDuplicates()(page)
    assert [block.kept for block in page.blocks][:3] == [True, True, False]
    assert str(page.blocks[2].removed) == "secondary: cosine-duplicate (1.00 with block 0)"


def test_b6_threshold() -> None:
    html = f"<html lang=en><p>{STORY}</p><p>{STORY} after winter</p>"
    for threshold, kept in ((0.9, 1), (0.99, 2)):
        page = Page(html)
        AtomicBlocks()(page)
        CosineDuplicates(threshold)(page)
        assert len(page.kept) == kept


@given(st.lists(st.text(alphabet="abcd", min_size=1, max_size=6), max_size=12), st.sampled_from([0.5, 0.8, 0.9, 1.0]))
@settings(deadline=None, max_examples=150)
def test_the_index_finds_what_comparing_all_finds(texts: list[str], threshold: float) -> None:
    vectors = [Counter(text) for text in texts]
    kept: list[int] = []
    expected = []
    for index, vector in enumerate(vectors):
        if any(cosine(vector, vectors[other]) >= threshold - 1e-12 for other in kept):
            expected.append(index)
        else:
            kept.append(index)
    assert [later for later, _, _ in cosine_pairs(vectors, threshold)] == expected


def test_blocks_that_share_their_keywords_are_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    dot = cosine_duplicates._dot

    def counted(first: Counter[str], second: Counter[str]) -> int:
        nonlocal compared
        compared += 1
        return dot(first, second)

    monkeypatch.setattr(cosine_duplicates, "_dot", counted)
    monkeypatch.setattr(cosine_duplicates, "_MAX_POSTINGS", 4)
    # So close to each other (.86) that the keyword they share has to be looked up, and not close enough.
    vectors = [Counter({"common": 5, f"x{number}": 2}) for number in range(1000)]
    assert list(cosine_pairs(vectors, 0.9)) == []
    assert 1000 < compared <= 1000 * 4

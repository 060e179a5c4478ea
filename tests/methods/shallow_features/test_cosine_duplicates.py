"""METHODS B6."""

from __future__ import annotations

from collections import Counter
from math import sqrt

from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Page
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


def test_thousands_of_blocks_that_share_their_keywords_pass() -> None:
    vectors = [Counter({"common": 1, "words": 1, str(number % 50): 1, f"x{number}": 2}) for number in range(20_000)]
    assert sum(1 for _ in cosine_pairs(vectors, 0.9)) == 0

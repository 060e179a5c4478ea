"""METHODS D3–D4."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.methods.key_pattern.repetitions import cut, key_patterns, virtual_nodes
from tests.growth import about_linear

PAPER = "h2 p p ul p p h2 p p p p p p div".split()
SEQUENCES = st.text(alphabet="abc", max_size=14)


def found(tags: Sequence[str], *, overlap: bool = False) -> list[tuple[str, ...]]:
    patterns = key_patterns(tags, overlap=overlap)
    return [tuple(tags[p.positions[0] : p.positions[0] + p.length]) for p in patterns]


def by_definition(tags: str) -> set[str]:
    """D3 word for word, in cubic time."""
    places: dict[str, list[int]] = {}
    for length in range(2, len(tags) // 2 + 1):
        for start in range(len(tags) - length + 1):
            places.setdefault(tags[start : start + length], []).append(start)
    repeated = {text for text, starts in places.items() if len(starts) > 1 and not _overlaps_only(text, starts)}
    return {text for text in repeated if not any(text in other and text != other for other in repeated)}


def _overlaps_only(text: str, starts: list[int]) -> bool:
    return len(set(text)) == 1 and starts[-1] - starts[0] < len(text)


def test_d3_key_patterns_of_the_paper() -> None:
    assert sorted(found(PAPER)) == [("h2", "p", "p"), ("p", "p", "p")]
    assert found("A B C A B D".split()) == [("A", "B")]


def test_d3_one_repeated_tag_may_not_overlap_itself() -> None:
    (pattern,) = key_patterns(list("aaaa"))
    assert (pattern.length, pattern.frequency) == (2, 2)
    assert key_patterns(list("aaa")) == []


def test_d4_virtual_nodes_of_the_paper() -> None:
    nodes = [" ".join(PAPER[start:end]) for start, end in virtual_nodes(PAPER)]
    assert nodes == ["h2 p p ul p p", "h2 p p p p p p div", "p p p p p p"]


def test_d4_what_lies_before_the_first_match_is_a_piece_of_its_own() -> None:
    assert cut(["h1", *PAPER]) == [(0, 1), (1, 7), (7, 15)]


def test_patterns_of_several_tags_are_cut_to_their_period_unless_they_may_overlap() -> None:
    pairs = ["dt", "dd"] * 4
    assert found(pairs) == [("dt", "dd"), ("dd", "dt")]
    assert found(pairs, overlap=True) == [("dt", "dd", "dt", "dd"), ("dd", "dt", "dd", "dt")]
    assert cut(pairs) == [(0, 2), (2, 4), (4, 6), (6, 8)]


@given(SEQUENCES)
@settings(deadline=None, max_examples=200)
def test_the_search_finds_what_the_definition_says(tags: str) -> None:
    assert {"".join(pattern) for pattern in found(tags, overlap=True)} == by_definition(tags)


@given(SEQUENCES, st.booleans())
@settings(deadline=None, max_examples=200)
def test_pieces_cover_the_sequence_and_nodes_nest(tags: str, overlap: bool) -> None:
    pieces = cut(tags, overlap=overlap)
    assert [tag for start, end in pieces for tag in tags[start:end]] == list(tags)
    nodes = virtual_nodes(tags, overlap=overlap)
    assert all(b[0] >= a[1] or b[1] <= a[1] for a in nodes for b in nodes if b[0] > a[0])


@pytest.mark.parametrize("row", ["a", "ab", "aab", "abcdefgh"])
def test_a_list_of_ten_thousand_rows_is_an_ordinary_page(row: str) -> None:
    assert about_linear(virtual_nodes, lambda size: list(row * size), 10_000)
    tags = list(row * 10_000)
    pieces = cut(tags)
    assert len(pieces) in (1, 10_000)
    assert pieces[-1][1] == len(tags)


def test_a_thousand_different_patterns_are_found_in_about_linear_time() -> None:
    def squares(size: int) -> list[str]:
        return [str(number * number % 1009) for number in range(size)] * 4

    assert about_linear(virtual_nodes, squares, 8_000)
    assert len(cut(squares(5_000))) >= 4

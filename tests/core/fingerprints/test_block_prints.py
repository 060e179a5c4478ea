"""METHODS A4, A5, A6: terms, proximity weights, fingerprints."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Block, Page
from cleancrawl.core.fingerprints import simhash
from cleancrawl.core.fingerprints.block_prints import (
    content_print,
    exact_keys,
    near_prints,
    page_prints,
    print_columns,
    stored_prints,
)
from cleancrawl.core.fingerprints.simhash import fingerprints, first_near, hamming, hash_term, proximity_weights

B2 = "10110101 00011101 11000001 10101100 11011011 10101110 11000011 00000111"
B3 = "10111010 10010101 11001100 10011001 11100010 10110101 00101010 11011011"
B7 = "10110101 10011101 11000001 10101100 11011011 10001110 11000011 10000111"
B11 = "10101101 10001011 00101010 10110010 11001110 00011101 10101100 01010011"


def bits(printed: str) -> int:
    return int(printed.replace(" ", ""), 2)


def walked_weights(terms: list[str], window: int | None = None) -> dict[str, Fraction]:
    """The pointer walk of A5, word for word."""
    positions: dict[str, list[int]] = {}
    for position, term in enumerate(terms, start=1):
        positions.setdefault(term, []).append(position)
    weights = {}
    for ti, first in positions.items():
        total = Fraction(len(first))
        for tj, second in positions.items():
            if ti == tj:
                continue
            i = j = 0
            while i < len(first) and j < len(second):
                if first[i] > second[j]:
                    j += 1
                elif i + 1 < len(first) and first[i + 1] < second[j]:
                    i += 1
                else:
                    if window is None or second[j] - first[i] <= window:
                        total += Fraction(1, second[j] - first[i])
                    i, j = i + 1, j + 1
        weights[ti] = total / len(positions)
    return weights


def slow_fingerprint(weights: dict[str, Fraction]) -> int:
    value = 0
    for bit in range(64):
        value |= (sum(w if hash_term(t) >> bit & 1 else -w for t, w in weights.items()) > 0) << bit
    return value


EXAMPLE = list("abcdabacabd")
EXPECTED = {"a": Fraction(7, 3), "b": Fraction(11, 6), "c": Fraction(17, 12), "d": Fraction(15, 16)}


def test_a5_worked_example() -> None:
    assert walked_weights(EXAMPLE) == EXPECTED
    found = proximity_weights([EXAMPLE]).of(0)
    assert {term: Fraction(weight).limit_denominator(1000) for term, weight in found.items()} == EXPECTED
    assert found == pytest.approx({term: float(weight) for term, weight in EXPECTED.items()}, abs=1e-12)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=30), max_size=5),
    st.none() | st.integers(min_value=0, max_value=12),
)
def test_a5_the_batch_equals_the_walk_of_each_block(blocks: list[list[str]], window: int | None) -> None:
    weights = proximity_weights(blocks, window)
    for index, terms in enumerate(blocks):
        expected = {term: float(weight) for term, weight in walked_weights(terms, window).items()}
        assert weights.of(index) == pytest.approx(expected, rel=1e-9)


def test_a5_a_window_of_zero_leaves_the_frequencies() -> None:
    found = proximity_weights([EXAMPLE], window=0).of(0)
    assert found == {term: count / 4 for term, count in Counter(EXAMPLE).items()}


def test_a5_a_huge_block_shrinks_its_window_to_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [str(number) for number in range(400)]
    exact = proximity_weights([terms]).of(0)
    monkeypatch.setattr(simhash, "PAIR_BUDGET", 4000)
    assert proximity_weights([terms]).of(0) == proximity_weights([terms], window=10).of(0) != exact


def test_a6_worked_distances() -> None:
    assert hamming(bits(B2), bits(B7)) == 3
    assert hamming(bits(B3), bits(B2)) == 31
    assert hamming(bits(B11), bits(B7)) == 32
    assert first_near([bits(B2), bits(B3), bits(B7), bits(B11)]) == [None, None, 0, None]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from(["news", "core", "block", "page", "ü", "新"]), max_size=20), max_size=4))
def test_a6_fingerprints_follow_the_letter(blocks: list[list[str]]) -> None:
    for terms, value in zip(blocks, fingerprints(blocks), strict=True):
        weights = walked_weights(terms)
        sums = [abs(sum(w if hash_term(t) >> bit & 1 else -w for t, w in weights.items())) for bit in range(64)]
        clear = sum((total > Fraction(1, 10**6)) << bit for bit, total in enumerate(sums))
        assert value & clear == slow_fingerprint(weights) & clear


def test_a6_a_block_keeps_its_fingerprint_whatever_stands_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [[f"t{i * j % 37}" for j in range(60)] for i in range(1, 12)]
    alone = [fingerprints([terms])[0] for terms in blocks]
    monkeypatch.setattr(simhash, "_CHUNK", 7)
    assert fingerprints(blocks) == alone


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.integers(min_value=0, max_value=2**64 - 1), max_size=12),
    st.integers(min_value=0, max_value=7),
    st.data(),
)
def test_a6_bands_find_what_comparing_all_pairs_finds(values: list[int], distance: int, data: st.DataObject) -> None:
    for value in list(values):
        flips = data.draw(st.lists(st.integers(min_value=0, max_value=63), max_size=distance + 2))
        for bit in flips:
            value ^= 1 << bit
        values.append(value)
    firsts: list[int] = []
    expected: list[int | None] = []
    for index, value in enumerate(values):
        match = next((first for first in firsts if hamming(values[first], value) <= distance), None)
        expected.append(match)
        if match is None:
            firsts.append(index)
    assert first_near(values, distance) == expected


def test_a_crowded_band_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    # All share the upper band and none is near another: each meets a bounded number of candidates.
    compared = 0

    def counted(a: int, b: int) -> int:
        nonlocal compared
        compared += 1
        return hamming(a, b)

    monkeypatch.setattr(simhash, "hamming", counted)
    monkeypatch.setattr(simhash, "_BUCKET", 4)
    draw = Random(20261116).getrandbits
    assert first_near([draw(48) for _ in range(1000)], 3) == [None] * 1000
    assert 1000 < compared <= 1000 * 4 * 4


def test_short_texts_have_no_fingerprint() -> None:
    long = "Nine whole words make a block with enough terms"
    assert [value is None for value in near_prints(["too short", long, "", long])] == [True, False, True, False]
    assert near_prints([long])[0] == near_prints(["x", long.upper()])[1]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from(["News,", "core", "(block)", "page\0", "ü“", "新闻", "\ud800"]), max_size=24)))
def test_stored_fingerprints_do_not_depend_on_what_stands_beside(lists: list[list[str]]) -> None:
    texts = [" ".join(words) for words in lists]
    assert stored_prints(texts) == [stored_prints([text])[0] for text in texts]


def test_stored_fingerprints_weigh_near_pairs_of_plain_words() -> None:
    text = "The council met. The council, it said, would meet again: in spring, or in summer, or never"
    words = "the council met the council it said would meet again in spring or in summer or never".split()
    assert stored_prints(["Home", text]) == [None, fingerprints([words], 16)[0]]
    assert stored_prints(["北京市的新的地铁线路将于明年春天开通", "北京"])[0] is not None


def kept_page(*texts: str) -> Page:
    page = Page("")
    page.blocks = [Block(text, len(text.split()), 0, "p", index=i) for i, text in enumerate(texts)]
    return page


def test_the_fingerprint_of_a_content_moves_with_the_share_that_changed() -> None:
    lines = [f"Line {n} tells of harbour {n * 7} and of the ship number {n * 13} that left it" for n in range(30)]
    whole, shorter = content_print(kept_page(*lines)), content_print(kept_page(*lines[2:]))
    other = content_print(kept_page("Quite another story about gardens, bees and what they do when winter comes"))
    assert hamming(whole, shorter) <= 8 < hamming(whole, other)
    assert content_print(kept_page(*reversed(lines))) == whole
    assert content_print(kept_page()) == 0 != content_print(kept_page("Short"))


def test_exact_keys_mask_counters_but_not_numbers_alone_nor_long_texts() -> None:
    long = "In the year {} the council of the town spent the most on its bridges and roads"
    keys = exact_keys(["Updated 12:45", "Updated 9:03", "12", "13", long.format(2019), long.format(2020)])
    assert keys[0] == keys[1]
    assert len(set(keys[1:])) == 5


def test_page_prints_cover_every_block_and_fingerprint_on_demand() -> None:
    page = Page("")
    texts = [
        "Home",
        "A sentence that is long enough, by some words more than are needed, to have a fingerprint of its own.",
        "",
    ]
    page.blocks = [Block(text, len(text.split()), 0, "div", index=i) for i, text in enumerate(texts)]
    prints = page_prints(page)
    assert list(prints.exact) == exact_keys(texts)
    assert prints.samples == texts
    assert prints.near([1, 0])[1] is None
    assert prints.near([1]) == stored_prints([texts[1]])
    assert prints.near([]) == []


@pytest.mark.parametrize("url", [None, "https://site.com/sport/a", "https://blogs.site.com/sport/a"])
def test_all_blocks_at_once_have_the_prints_of_each(url: str | None) -> None:
    page = Page("", url)
    text = "A sentence that is long enough, by some words more than are needed, to have a fingerprint of its own."
    texts = ["Home", text, "", text + " Read on", "Größe"]
    page.blocks = [
        Block(each, len(each.split()), links, "p") for each, links in zip(texts, (1, 0, 0, 19, 0), strict=True)
    ]
    prints, columns = page_prints(page), print_columns(page)
    near = prints.near(range(len(texts)))
    assert columns.exact.tolist() == list(prints.exact)
    assert columns.near.tolist() == [value or 0 for value in near]
    assert columns.long.tolist() == [value is not None for value in near]
    assert columns.sections.tolist() == list(prints.sections)


def test_lone_surrogates_are_hashed_too() -> None:
    assert hash_term("\ud800") != hash_term("a")

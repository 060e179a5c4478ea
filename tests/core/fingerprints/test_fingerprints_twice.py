"""Fingerprints are made in Python and compiled: both give the same numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.fingerprints import simhash
from cleancrawl.core.fingerprints.article_signature import _parameters, signed_in_python
from cleancrawl.core.fingerprints.block_prints import exact_key, exact_keys, stored_prints, stored_prints_in_python
from cleancrawl.core.fingerprints.simhash import (
    digests_of,
    frequency_print_in_python,
    hash_term,
    numbered,
    proximity_prints_in_python,
    weigh,
    word_digests,
    word_digests_in_python,
)
from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.text.words import BYTE_EDGES, TYPOGRAPHIC, byte_text
from tests.twins import twins

part, signing_part = compiled("fingerprints"), compiled("page_digests")
built = pytest.mark.skipif(part is None, reason=f"compiled part fingerprints: {why_not('fingerprints')}")
WESTERN = st.text(st.sampled_from([*map(chr, range(0xA0, 0x100)), *map(chr, range(0x2008, 0x2030)), *"€−aB 1'"]))
EDGES = (BYTE_EDGES, TYPOGRAPHIC, byte_text)
ODD_WORDS = [
    "One",
    "two,",
    "größe",
    "ΣΑΣ",
    "“six”",
    "北京",
    "\0",
    "a\nb",
    "—",
    "it’s",
    "ÉTÉ",
    "«OUI»",
    "10€",
    "×",
    "½",
    "e…g",
]
WORDS = st.lists(st.sampled_from([*"abcdefgh", "word", "größe", "北"]), max_size=60)


@built
@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.text(st.characters(max_codepoint=127), max_size=60),
            WESTERN,
            st.lists(st.sampled_from(["12", "Comments", " ", "\n", "0", "-", "\x1f", "é"])).map("".join),
        )
    )
)
def test_exact_keys_agree(texts: list[str]) -> None:
    assert exact_keys(texts) == list(map(exact_key, texts))


@built
@settings(deadline=None)
@given(
    st.one_of(st.text(max_size=200), WESTERN, WORDS.map(" ".join), st.lists(st.sampled_from(ODD_WORDS)).map(" ".join))
)
def test_words_are_numbered_alike(text: str) -> None:
    numbers, digests = part.word_digests(text, *EDGES)  # type: ignore[union-attr]
    expected, expected_digests = word_digests_in_python(text)
    assert digests == expected_digests
    assert numbers.tolist() == expected.tolist()


@built
@pytest.mark.parametrize("size", range(100))
def test_words_of_all_lengths_have_the_digests_of_xxhash(size: int) -> None:
    word = "".join(chr(97 + (size + place * 7) % 26) for place in range(size))
    found = part.word_digests(word, *EDGES)  # type: ignore[union-attr]
    assert found[1] == digests_of([word.encode()] if word else [])


def slot(word: bytes, capacity: int) -> int:
    """Of a word of at most eight bytes."""
    value = ((0xCBF29CE484222325 ^ int.from_bytes(word)) * 0x9E3779B97F4A7C15) & (2**64 - 1)
    return (value ^ value >> 32) & (capacity - 1)


@built
def test_words_that_meet_in_one_place_of_the_table_cost_no_square() -> None:
    capacity, chosen = 2048, []
    for number in count():
        word = b"%06d" % number
        if slot(word, capacity) == 7:
            chosen.append(word)
            if len(chosen) == 200:
                break
    text = b" ".join(chosen).decode()
    assert part.word_digests(text, *EDGES) is None  # type: ignore[union-attr]
    numbers, digests = word_digests(text)
    assert (digests, numbers.tolist()) == (digests_of(chosen), list(range(200)))
    texts = ["Home", text]
    assert stored_prints(texts) == stored_prints_in_python(texts)


@built
@settings(deadline=None)
@given(st.lists(WORDS.filter(bool), min_size=1, max_size=5), st.integers(1, 20))
def test_simhashes_agree(blocks: list[list[str]], window: int) -> None:
    vocabulary, term = numbered([word.encode() for words in blocks for word in words])
    sizes, digests = np.array([len(words) for words in blocks]), digests_of(vocabulary)
    found = part.proximity_prints(term, sizes, digests, window)  # type: ignore[union-attr]
    assert found == proximity_prints_in_python(term, sizes, digests, window)
    counts = np.bincount(term)
    assert part.frequency_print(counts, digests) == frequency_print_in_python(counts, digests)  # type: ignore[union-attr]
    for hashes, bands, rows in ((64, 12, 3), (7, 0, 1)):
        parameters = (*(values[:hashes] for values in _parameters()), bands, rows, 2 << 32)
        for shingle in range(1, min(4, len(term)) + 1):
            found = signing_part.signed(term, digests, shingle, *parameters)  # type: ignore[union-attr]
            assert found == signed_in_python(term, digests, shingle, *parameters)


SENTENCES = st.lists(st.sampled_from(ODD_WORDS), max_size=40)


@built
@settings(deadline=None)
@given(st.lists(st.one_of(st.text(max_size=60), SENTENCES.map(" ".join)), max_size=6))
def test_fingerprints_of_texts_agree(texts: list[str]) -> None:
    assert stored_prints(texts) == stored_prints_in_python(texts)


@built
def test_beyond_the_budget_texts_are_left_to_python() -> None:
    text = "one two three four five six"
    found = [
        part.stored_prints([text], 6, bytes(range(256)), "", str.encode, 16, most) for most in (6 * 16, 6 * 16 - 1)
    ]  # type: ignore[union-attr]
    assert [each is None for each in found] == [False, True]


@pytest.mark.parametrize("frequency_print", twins(frequency_print_in_python, "fingerprints", "frequency_print"))
def test_a_bit_is_set_where_its_words_outweigh_the_others(frequency_print: Callable[..., int]) -> None:
    digests = digests_of([b"one", b"two", b"six"])
    assert frequency_print(np.array([3, 1, 1]), digests) == hash_term("one")
    one, two, six = map(hash_term, ("one", "two", "six"))
    assert frequency_print(np.array([1, 1, 1]), digests) == one & two | one & six | two & six


@built
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("proximity_prints", (np.array([1]), np.array([1]), bytes(8), 16)),
        ("proximity_prints", (np.array([0]), np.array([2]), bytes(8), 16)),
        ("proximity_prints", (np.array([0]), np.array([2, -1]), bytes(8), 16)),
        ("frequency_print", (np.array([1, 1]), bytes(8))),
        ("stored_prints", (["text"], 1, bytes(8), "", str.encode, 16, 100)),
        ("word_digests", ("text", bytes(8), "", str.encode)),
        ("signed", (np.array([-1]), bytes(8), 1, *_parameters(), 12, 3, 0)),
        ("signed", (np.array([0]), bytes(8), 1, _parameters()[0], _parameters()[1][1:], 12, 3, 0)),
        ("signed", (np.array([0]), bytes(8), 1, *_parameters(), 22, 3, 0)),
        ("signed", (np.array([0]), bytes(8), 2, *_parameters(), 12, 3, 0)),
    ],
)
def test_numbers_that_fit_nothing_are_refused(name: str, arguments: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=r"digest|differ|no terms|no run|256"):
        getattr(signing_part if name == "signed" else part, name)(*arguments)


def test_beyond_the_budget_the_window_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary, term = numbered([word.encode() for word in "a b c d e f g h a c e g".split()])
    sizes, digests = np.array([len(term)]), digests_of(vocabulary)
    shrunk = simhash.simhashes(1, *weigh(term, sizes, len(vocabulary), 1), simhash.term_bits(digests))
    monkeypatch.setattr(simhash, "PAIR_BUDGET", len(term))
    assert simhash.proximity_prints(term, sizes, digests, 16) == shrunk

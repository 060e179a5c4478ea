"""What a word is: the same for text that is counted by itself, for all texts of a page at once, and compiled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.segmentation.text_layout import measure
from cleancrawl.core.text.characters import BASIC, KINDS, SPACE, SYMBOL, UNSPACED, character_kinds, kind_table
from cleancrawl.core.text.words import UNSPACED_RANGES, byte_text, count_words, is_unspaced, words

RARE = {
    "𠮷": 1,  # U+20BB7
    "𠮷野家": 3,
    "The 𠮷野家 shop": 5,
    "𰻝𰻝面": 3,  # U+30EDD
    "\U00020000\U0003ffff": 2,
    "a𠮷b": 3,
    "𠮷。": 2,
    "😀 𝐀𝐁 x": 3,
}
# What carries a letter (tones, vowels, dots) and digits of such scripts count as part of a word in blocks.
letters = st.characters(exclude_categories=("Cs",)).filter(
    lambda sign: not is_unspaced(sign) or character_kinds(sign)[0] == UNSPACED
)


@pytest.mark.parametrize(("text", "count"), RARE.items())
def test_rare_characters_are_words_everywhere(text: str, count: int) -> None:
    assert count_words(text) == count
    assert measure([text, text]).words.tolist() == [count, count]


@pytest.mark.parametrize("text", [text for text in RARE if len(text) > 2])
def test_blocks_and_their_links_count_alike(text: str) -> None:
    page = Page(f"<p>{text}</p><p><a href=/x>{text}</a></p>")
    TextBlocks()(page)
    assert [(block.words, block.link_words) for block in page.blocks] == [
        (count_words(text), 0),
        (count_words(text), count_words(text)),
    ]


@given(st.text(letters, min_size=1))
def test_texts_count_as_many_words_together_as_alone(text: str) -> None:
    assert measure([text]).words.tolist() == [count_words(text)]


def test_the_table_follows_the_ranges() -> None:
    table = kind_table()
    for first, last in UNSPACED_RANGES:
        if first >= BASIC:
            # One kind for a whole plane.
            assert (first % BASIC, last % BASIC) == (0, BASIC - 1)
        assert character_kinds(chr(first) + chr(last)).tolist() == [
            *(table[code if code < BASIC else BASIC + code // BASIC] for code in (first, last))
        ]
    assert {KINDS[kind] for kind in table[BASIC:]} == {KINDS[SYMBOL], KINDS[UNSPACED]}
    assert table[ord(" ")] == SPACE


def test_words_for_search_and_fingerprints_part_rare_characters_too() -> None:
    assert words("𠮷野 a") == ["𠮷", "野", "a"]
    assert len(byte_text("𠮷野家").split()) == 3

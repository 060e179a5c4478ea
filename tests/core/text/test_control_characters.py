"""What a page sends to a terminal reaches neither the text nor what is said about it."""

from __future__ import annotations

import unicodedata

import pytest

from cleancrawl import clean
from cleancrawl.core.text.control_characters import is_clean, shown, without_controls
from cleancrawl.recipes import RECIPES

CONTROLS = "".join(map(chr, (*range(32), *range(0x7F, 0xA0)))).replace("\t", "").replace("\n", "")
EVIL = "\x1b]52;c;eA==\x07\x1b[2J\x9b31m\x7f"
SENTENCE = "The council said on day {} that the old{} bridge, which had been closed, would open again."


def test_all_control_characters_are_known() -> None:
    assert set(CONTROLS) == {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Cc"} - {
        *"\t\n"
    }
    assert not any(map(is_clean, CONTROLS))
    assert without_controls(f"a{CONTROLS}\ud800b\t\nc").split()[-1] == "c"
    assert is_clean(without_controls(f"a{CONTROLS}\ud800b"))
    assert without_controls("New York\x97Union Square, \x93so\x94\x81") == "New York—Union Square, “so”"
    assert without_controls("é\t\n\u200d\u200eb") == "é\t\n\u200d\u200eb"


def test_what_is_shown_keeps_its_length() -> None:
    assert len(shown(EVIL)) == len(EVIL)
    assert is_clean(shown(EVIL))
    assert "\u202e" not in shown("a\u202eb\u2066c")


@pytest.mark.parametrize("letter", ["", "é"])
@pytest.mark.parametrize("recipe", RECIPES)
def test_no_recipe_lets_them_through(recipe: str, letter: str) -> None:
    """Compiled parts read texts in ASCII themselves, and leave others to Python."""
    paragraphs = "".join(f"<p>{SENTENCE.format(day, letter + EVIL)}</p>" for day in range(8))
    html = (
        f"<html><head><title>The bridge{EVIL} opens &#27;[2J</title><meta name=author content='Jane{EVIL} Doe'>"
        f"<meta name=description content='A{EVIL}B'></head><body><article><h1>The bridge{EVIL} opens</h1>{paragraphs}"
        f"<p>One{EVIL}<br>two{EVIL}</p><pre>a{EVIL}\n  b &#155;31m</pre><a href='/x{EVIL}'>More{EVIL}</a></article>"
    )
    document = clean(html, url="https://news.example/a", recipe=recipe)
    found = document.metadata
    for text in (document.text, document.markdown, document.html, found.title, found.description or "", *found.authors):
        assert is_clean(text)
    assert all(is_clean(block.text) for block in document.blocks)
    if document.text:
        assert f"on day 0 that the old{letter}]52;c;eA==[2J›31m bridge" in document.text
    assert found.authors in (("Jane]52;c;eA==[2J›31m Doe",), ())

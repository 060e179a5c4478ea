"""METHODS A as a whole: the recipe core-content."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import clean
from tests.growth import about_linear
from tests.soundness import flaws

PAGE = """<html lang=en><head><title>Evaluation of mining</title></head><body>
<div id=top><a href="https://www.facebook.com/x">Facebook</a> <a href="https://twitter.com/x">Twitter</a></div>
<div>Patterns are judged by support, and rules by their confidence.</div>
<div>Selected reading for everybody who wants to learn more about our courses here</div>
<div>Partner <img src="b.png" width="468" height="60"></div>
<div>Objective measures count; subjective ones rest on belief, surprise and use.</div>
<div>Patterns are judged by support, and rules by their confidence.</div>
<div class="bottomgooglead">Learn faster, pay less.</div>
<div>A rule that holds too often is trivial, one that never holds is noise.</div>
<div>Copyright 2026 <a href="/privacy">Privacy Policy</a> <a href="/contact">Contact</a></div>
</body></html>"""


def test_core_content_follows_the_paper_on_its_kind_of_page() -> None:
    document = clean(PAGE, url="https://www.example.com/mining", recipe="core-content")
    assert [str(block.removed).partition(" (")[0] for block in document.blocks] == [
        "primary: social-links",
        "None",
        "primary: no-punctuation",
        "primary: iab-size",
        "None",
        "secondary: duplicate",
        "primary: ad-keyword",
        "None",
        "primary: utility-links",
    ]
    assert len(document.text.splitlines()) == 3


@pytest.mark.parametrize(
    "html", ["", "<", "\x00", "<frameset>", "<div", "plain text", "<table><td>" * 3000, "<p>" * 5000]
)
def test_core_content_takes_any_page(html: str) -> None:
    assert flaws(clean(html, recipe="core-content")) == []


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="<>/divtdap =\"'ads.,&#;\n", max_size=200))
def test_core_content_never_raises(html: str) -> None:
    assert flaws(clean(html, url="https://example.com/", recipe="core-content")) == []


@pytest.mark.parametrize(
    ("make", "size"),
    [
        (lambda size: f"<div>{' '.join(f'word{number}' for number in range(size))}.</div>", 60_000),
        (lambda size: "<div>a, b" * size, 20_000),
        (lambda size: "<div>x, y.</div>" * size, 30_000),
        (lambda size: "<td><a href=/a>,</a>" * size, 20_000),
    ],
    ids=["words", "nested blocks", "equal blocks", "unclosed cells"],
)
def test_core_content_stays_about_linear_on_hostile_pages(make: Callable[[int], str], size: int) -> None:
    assert about_linear(lambda html: clean(html, url="https://example.com/", recipe="core-content"), make, size)

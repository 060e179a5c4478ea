"""METHODS B1–B2."""

from __future__ import annotations

import numpy as np
import pytest

from cleancrawl import Page
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.block_features import NAMES, column, shallow_features, text_density

HTML = """<html lang=en><body><style>x</style><div>Home | <a href=/>News</a></div>
<h1>TOP News Today</h1><p>On 3 January 2024, the council met at 10:30. Was it late? No; it was not.</p>
<li><a href=/x>Read more</a></li><div>© 2024 Someone</div></body>"""


@pytest.fixture
def page() -> Page:
    page = Page(HTML)
    AtomicBlocks()(page)
    return page


def values(page: Page, index: int, *names: str) -> list[float]:
    row = shallow_features(page)[index]
    return [round(float(row[column(name)]), 4) for name in names]


def test_b1_blocks_and_the_copyright_sign(page: Page) -> None:
    assert [block.tag for block in page.blocks] == ["div", "h1", "p", "li", "div"]
    assert str(page.blocks[4].removed) == "segment: copyright-sign (©)"
    assert len(page.kept) == 4


def test_b1_two_line_breaks_separate_and_an_anchor_does_not() -> None:
    page = Page("<div>a <a href=x>b</a> c<br>d<br><br>e</div>")
    AtomicBlocks()(page)
    assert [block.text for block in page.blocks] == ["a b c\nd", "e"]


def test_b2_features_of_a_block(page: Page) -> None:
    assert values(page, 2, "words", "link density", "sentence length", "dates", "tag p") == [16, 0, 4, 3, 1]
    assert values(page, 2, "capitalised", "capitalised share", "capitals") == [4, 0.25, 0]
    assert values(page, 2, "full stop share", "text density", "bars") == [0.125, 16, 0]
    assert values(page, 1, "capitals", "capitals share", "word length", "tag h1") == [1, 0.3333, 4, 1]
    assert values(page, 3, "tag a", "link density") == [1, 1]
    assert values(page, 0, "bars", "words", "link density") == [1, 2, 0.3333]


def test_b2_positions_neighbours_and_quotients(page: Page) -> None:
    assert values(page, 2, "position", "relative position", "previous words", "next words") == [2, 0.4, 3, 2]
    assert values(page, 2, "words quotient", "next words quotient") == [5.3333, 0.125]
    assert values(page, 0, "previous words", "previous text density", "words quotient") == [0, 0, 2]
    assert values(page, 4, "next words", "next text density") == [0, 0]


def test_b2_stop_word_density(page: Page) -> None:
    assert values(page, 2, "stop word density")[0] > 0.4
    assert values(page, 1, "stop word density") == [0]


def test_b2_text_density_wraps_at_80_columns() -> None:
    assert text_density(["x" * 79, "y"]) == 1
    assert text_density(["x" * 200]) == 1
    assert text_density(["ab"] * 28) == 27
    assert text_density(["ab"] * 27) == 27


def test_a_page_without_blocks_has_no_rows() -> None:
    assert shallow_features(Page("")).shape == (0, len(NAMES))
    assert np.isfinite(shallow_features(Page(""))).all()


def test_one_block_of_a_million_words() -> None:
    page = Page("<p>" + "word " * 1_000_000)
    AtomicBlocks()(page)
    assert values(page, 0, "words", "text density") == [1_000_000, 16]

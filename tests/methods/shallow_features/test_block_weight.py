"""METHODS B7."""

from __future__ import annotations

from collections import Counter

import pytest

from cleancrawl import Page
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.block_weight import BlockWeight, keyword_frequency, title_relevancy

HTML = """<html lang=en><title>Harbour bridge</title><body>
<div id=main><p>harbour bridge opens</p><p>bridge bridge harbour</p><p>engineers repaired piers</p></div>
<div id=side><p>weather</p></div>"""


def test_b7_title_relevancy() -> None:
    assert title_relevancy(Counter(a=1, b=1), {"a", "b"}) == 0.5
    assert title_relevancy(Counter(), {"a"}) == 0
    assert title_relevancy(Counter(a=1), set()) == 0


def test_b7_keyword_frequency_takes_the_blocks_top_ten() -> None:
    assert keyword_frequency(Counter({str(n): 2 for n in range(15)}), 100) == 0.2


def test_b7_weights() -> None:
    page = Page(HTML)
    AtomicBlocks()(page)
    BlockWeight(title=0.5, keywords=0.25, position=0.25, threshold=0.2)(page)
    # m = 2 title keywords: Tk = 1/2, 3/5, 0, 0. N = 10 words: Kf = .3, .3, .3, .1. T = 9/10 for main, 1/10 for side.
    sub_blocks = [0.5 * 0.5 + 0.25 * 0.3 + 0.25, 0.5 * 0.6 + 0.25 * 0.3 + 0.25, 0.25 * 0.3 + 0.25]
    side = 0.5 * (0.25 * 0.1) / (0.5 * sum(sub_blocks))
    assert [block.score for block in page.blocks] == [1, 1, 1, pytest.approx(side)]
    assert [block.kept for block in page.blocks] == [True, True, True, False]
    assert str(page.blocks[3].removed) == "score: block-weight (0.013, 2% of the heaviest)"


def test_a_page_without_blocks() -> None:
    page = Page("")
    AtomicBlocks()(page)
    BlockWeight()(page)
    assert page.kept == []

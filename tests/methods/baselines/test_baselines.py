"""METHODS A8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cleancrawl import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.baselines import duplicate_detectors
from cleancrawl.methods.baselines.block_scores import KeywordRedundancy, LinkWords, TitleWords
from cleancrawl.methods.baselines.content_nodes import CoreEx, Econ
from cleancrawl.methods.baselines.duplicate_detectors import Detector, Jaccard, MinHash, Simhash, SimilarBlocks

STORY = "Engineers found cracks in two piers last winter, closed the harbour bridge and sent all traffic round the bay"
PAGE = f"""<html lang=en><title>Harbour bridge</title><body>
<div id=menu><a href=/>Home</a> <a href=/n>News</a></div>
<div id=story><h1>Harbour bridge reopens</h1><p>{STORY}, said the mayor.</p>
<p>It cost eleven million, less than planned.</p></div>
<div id=foot><p>Imprint</p></div>"""
DETECTORS: dict[str, Detector] = {
    "jaccard": Jaccard(),
    "minhash": MinHash(),
    "simhash": Simhash(),
    "proximity": Simhash(window=None),
}


def kept(stage: Stage, html: str = PAGE) -> list[str]:
    page = Page(html)
    TextBlocks()(page)
    stage(page)
    return [block.text.split(",")[0] for block in page.kept]


def test_a8_coreex_keeps_the_best_node_and_prefers_large_ones_without_links() -> None:
    assert kept(CoreEx()) == ["Harbour bridge reopens", STORY.split(",")[0], "It cost eleven million"]
    page = Page("<body><div><p>a b c d</p></div><div><p>e <a href=x>f</a></p></div>")
    TextBlocks()(page)
    CoreEx()(page)
    # .99 · 4/4 + .01 · 4/6
    assert str(page.blocks[1].removed) == "primary: coreex (outside the best node (0.997))"


def test_a8_econ_climbs_from_punctuation_and_prunes_what_has_none() -> None:
    assert kept(Econ()) == [STORY.split(",")[0], "It cost eleven million"]
    assert kept(Econ(share=1.0), "<p>a, b.</p><div><p>c, d</p></div>") == ["a", "c"]


@pytest.mark.parametrize("stage", [CoreEx(), Econ(), KeywordRedundancy(), LinkWords(), TitleWords()])
def test_a8_pages_without_blocks(stage: Stage) -> None:
    assert kept(stage, "") == []


def test_a8_single_measures() -> None:
    assert kept(LinkWords()) == ["Harbour bridge reopens", STORY.split(",")[0], "It cost eleven million", "Imprint"]
    assert kept(TitleWords()) == ["Harbour bridge reopens", STORY.split(",")[0]]
    assert kept(KeywordRedundancy(0.3), "<p>to be or not to be</p><p>all words differ here</p>") == [
        "to be or not to be"
    ]


class CountingDetector:
    """Counts what it is asked for."""

    def __init__(self, detector: Detector) -> None:
        self.detector, self.compared, self.keyed = detector, 0, 0

    def sketches(self, texts: Sequence[Sequence[str]]) -> Sequence[Any]:
        return self.detector.sketches(texts)

    def similarity(self, first: Any, second: Any) -> float:
        self.compared += 1
        return self.detector.similarity(first, second)

    def keys(self, sketch: Any) -> Sequence[tuple[int, int]]:
        keys = self.detector.keys(sketch)
        self.keyed += len(keys)
        return keys


@pytest.mark.parametrize("name", DETECTORS)
class TestDetectors:
    def test_a8_equal_texts_are_wholly_similar_and_others_are_not(self, name: str) -> None:
        detector = DETECTORS[name]
        same, again, other = detector.sketches([STORY.split(), STORY.split(), [f"w{n}" for n in range(20)]])
        assert detector.similarity(same, again) == 1
        assert detector.similarity(same, other) < 0.8
        assert set(detector.keys(same)) == set(detector.keys(again))

    def test_a8_the_later_of_two_near_duplicates_goes(self, name: str) -> None:
        story = " ".join(f"word{number}" for number in range(100))
        html = f"<html lang=en><p>{story}</p><p>Short one</p><p>{story} today</p><p>Short one</p>"
        assert kept(SimilarBlocks(DETECTORS[name], 0.85), html) == [story, "Short one", "Short one"]

    def test_many_similar_blocks_are_compared_with_few_others(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        detector = CountingDetector(DETECTORS[name])
        monkeypatch.setattr(duplicate_detectors, "_BUCKET", 4)
        html = "".join(f"<p>{STORY} {number} {number * 7} {number * 11}</p>" for number in range(1000))
        assert len(kept(SimilarBlocks(detector, 1.0), html)) > 500
        assert 1000 < detector.compared <= 4 * detector.keyed

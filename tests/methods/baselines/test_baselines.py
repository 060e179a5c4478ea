"""METHODS A8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cleancrawl import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.baselines import duplicate_detectors
from cleancrawl.methods.baselines.block_scores import BlockImportance, KeywordRedundancy, LinkWords, TitleWords
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


def test_a8_coreex_keeps_the_children_of_the_best_node_that_are_hardly_links() -> None:
    assert kept(CoreEx()) == ["Harbour bridge reopens", STORY.split(",")[0], "It cost eleven million", "Imprint"]
    page = Page("<body><div><p>a b c d</p></div><div><p>e <a href=x>f</a></p></div>")
    TextBlocks()(page)
    CoreEx(part="node", count="words")(page)
    # .99 · 4/4 + .01 · 4/6
    assert str(page.blocks[1].removed) == "primary: coreex (outside the best node (0.997))"
    page.start_over()
    CoreEx()(page)
    # The body's part is its first child: as good as the first child itself, and it comes first.
    assert str(page.blocks[1].removed) == "primary: coreex (mostly links)"


def test_a8_coreex_counts_a_link_as_one_word() -> None:
    words = " ".join(f"w{number}" for number in range(20))
    linked = f"<p>{words} <a href=x>one link of seven words, no more</a></p>"
    html = f"<body><p>First of all {words}</p>{linked}<p><a href=y>Menu</a></p>"
    assert [text.split()[0] for text in kept(CoreEx(size=0.05), html)] == ["First", "w0"]
    # 20 of 27 words are no words of links: at most .9, so the child goes.
    assert [text.split()[0] for text in kept(CoreEx(size=0.05, count="words"), html)] == ["First"]


def test_a8_coreex_takes_a_nodes_own_text_and_never_its_own_links() -> None:
    html = "<body><div>one two three<br><br><a href=x>link</a><br><br>four five<p>six seven</p></div>"
    assert kept(CoreEx(), html) == ["one two three", "four five", "six seven"]


def test_a8_coreex_with_more_weight_on_size_keeps_an_article_with_links() -> None:
    plain = "<p>" + " ".join(f"w{number}" for number in range(30)) + "</p>"
    html = f"<body><div>{plain}{plain.replace('w1 ', '<a href=x>w1</a> ')}{plain}</div><div><p>Quite alone</p></div>"
    assert len(kept(CoreEx(size=0.05), html)) == 4
    assert len(kept(CoreEx(size=0.0), html)) < 4


def test_a8_econ_climbs_from_punctuation_and_prunes_what_has_none() -> None:
    assert kept(Econ()) == [STORY.split(",")[0], "It cost eleven million"]
    assert kept(Econ(share=1.0), "<p>a, b.</p><div><p>c, d</p></div>") == ["a", "c"]


@pytest.mark.parametrize("stage", [CoreEx(), Econ(), KeywordRedundancy(), LinkWords(), TitleWords(), BlockImportance()])
def test_a8_pages_without_blocks(stage: Stage) -> None:
    assert kept(stage, "") == []


def test_a8_single_measures() -> None:
    assert kept(LinkWords()) == ["Harbour bridge reopens", STORY.split(",")[0], "It cost eleven million", "Imprint"]
    assert kept(TitleWords()) == ["Harbour bridge reopens", STORY.split(",")[0]]
    assert kept(KeywordRedundancy(0.3), "<p>to be or not to be</p><p>all words differ here</p>") == [
        "to be or not to be"
    ]


def test_a8_importance_is_the_mean_of_all_three() -> None:
    page = Page("<title>Harbour bridge</title><p>bridge bridge river river</p><p><a href=x>harbour</a> now</p>")
    TextBlocks()(page)
    BlockImportance()(page)
    # Redundancy 1/2, no links, Tk = 1 − 2/(2 + 2); redundancy 0, half links, Tk = 1 − 2/(2 + 1).
    assert [round(block.score or 0, 4) for block in page.blocks] == [round(2 / 3, 4), round((1 / 2 + 1 / 3) / 3, 4)]
    assert str(page.blocks[1].removed) == "score: block-importance (0.28)"


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

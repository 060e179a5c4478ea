"""Rulings as fields: each stage's other value gives the letter of its paper, or the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.other_readings import READINGS, Reading, read_otherwise, report
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.lab.bench.template_cost import main as template_cost
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.core_content.weighted_score import WeightedScore
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks
from cleancrawl.methods.line_block.line_blocks import LineBlocks
from cleancrawl.methods.line_block.line_ratios import LineRatios
from cleancrawl.methods.shallow_features.block_weight import BlockWeight
from cleancrawl.methods.site_template.essential import essential_paths
from cleancrawl.methods.site_template.mdl import ClusterRulings
from cleancrawl.methods.site_template.paths import read_paths
from cleancrawl.methods.site_template.site_templates import find_templates
from cleancrawl.recipes import get_recipe


def run(html: str, *stages: Stage) -> Page:
    page = Page(html)
    for stage in stages:
        stage(page)
    return page


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def test_a1_by_the_letter_text_outside_of_divs_is_lost() -> None:
    html = "<body>Loose words<p>in the body</p><div>Inside</div></body>"
    assert texts(run(html, DivTdBlocks())) == ["Loose words\nin the body", "Inside"]
    assert texts(run(html, DivTdBlocks(loose_text=False))) == ["Inside"]


def test_a7_all_blocks_are_those_with_text_or_every_div_and_td() -> None:
    html = "<body><div><div><div>river bridge</div></div></div><div></div>"
    words = " ".join(f"word{number}" for number in range(12))
    page = f"<div>{words} {words}</div>{html}"

    def threshold(stage: WeightedScore) -> list[str]:
        return [str(block.removed) for block in run(page, DivTdBlocks(), stage).blocks]

    # 2 of 2 blocks: no score is above 1. 2 of 5 elements: the short block's is.
    assert [reason.split("threshold ")[1] for reason in threshold(WeightedScore())] == ["1.000)", "1.000)"]
    first, second = threshold(WeightedScore(all_blocks="elements"))
    assert first.endswith("threshold 0.400)")
    assert second == "None"


def test_a7_words_below_the_line_are_those_of_what_remains_or_of_the_page() -> None:
    html = "<div>alpha beta</div><div>gamma delta epsilon zeta eta theta</div><div></div>"

    def score(stage: WeightedScore) -> float:
        page = run(html, DivTdBlocks())
        page.blocks[1].remove("primary", "test")
        stage(page)
        return round(page.blocks[0].score or 0, 3)

    assert score(WeightedScore()) == round(1 - 0.4 * 2 / 2, 3)
    assert score(WeightedScore(words_of="page")) == round(1 - 0.4 * 2 / 8, 3)


def test_b7_the_formula_prefers_small_regions() -> None:
    html = "<div><p>one two three four</p><p>five six seven eight</p></div><div><p>nine ten</p></div>"

    def best(stage: BlockWeight) -> str:
        page = run(html, TextBlocks(), stage)
        return max(page.blocks, key=lambda block: block.score or 0).text

    assert best(BlockWeight(title=1, keywords=0)) == "one two three four"
    assert best(BlockWeight(title=1, keywords=0, inequality="formula")) == "nine ten"


def test_c2_by_the_letter_a_mode_of_one_makes_every_path_essential() -> None:
    pages = [read_paths("<p>" + "<br>".join(f"{word} {n}" for word in "abcdefg")) for n in range(3)]
    assert essential_paths(pages, least=1).sizes.tolist() == [len(page) for page in pages]
    # Without the seven texts, each of which is on one page only.
    assert essential_paths(pages).sizes.tolist() == [len(page) - 7 for page in pages]


@pytest.mark.parametrize("rulings", [ClusterRulings(difference=False), ClusterRulings(stop="one-cluster")])
def test_c3_c4_by_the_letter_one_big_cluster_wins(rulings: ClusterRulings) -> None:
    pages = [read_paths(html) for _, html in sample_site(12)]
    assert len(find_templates(pages, "mdl").templates) == 4
    assert [template.size for template in find_templates(pages, "mdl", rulings=rulings).templates] == [12]


def test_c5_estimates_know_no_other_rulings() -> None:
    with pytest.raises(ConfigError, match="'lsh' knows no other rulings"):
        find_templates([], "lsh", rulings=ClusterRulings(difference=False))


def test_c_readings_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert template_cost(["--pages", "8", "--readings"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-2] for line in lines[1:]] == ["4", "4", "1", "1", "1"]


def test_d1_by_the_letter_loose_text_is_no_child() -> None:
    html = "<body>Loose <h2>A</h2><p>a</p><h2>B</h2><p>b</p></body>"
    assert texts(run(html, KeyPatternBlocks())) == ["Loose", "A\na", "B\nb"]
    assert texts(run(html, KeyPatternBlocks(loose_text=False))) == ["A\na", "B\nb"]


def test_e3_by_the_letter_stop_words_are_title_keywords() -> None:
    html = "<html lang=en><title>The end of the bridge</title><div><b>All of the others, the last</b></div>"
    ruled, letter = (
        run(html, LineBlocks(), LineRatios(text_to_tag=1000, title_stop_words=stops)) for stops in (False, True)
    )
    assert str(ruled.blocks[0].removed).endswith("TKD 0)")
    assert letter.blocks[0].removed is None


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: f"{reading.section} {reading.shown}")
def test_each_reading_changes_its_recipe(reading: Reading) -> None:
    recipe = get_recipe(reading.recipe)
    assert read_otherwise(recipe, reading.stage, reading.other) != recipe


def test_readings_are_measured_side_by_side(tmp_path: Path) -> None:
    pages = []
    for number, (_, html) in enumerate(sample_site(2, 2)):
        path = tmp_path / f"{number}.html"
        path.write_text(html, encoding="utf-8")
        pages.append(GoldPage("sample", str(number), path, f"https://example.org/{number}", "article", text="A title"))
    printed = report(pages, "default")
    assert printed.startswith("### Readings, 2 pages")
    assert len(printed.splitlines()) == 4 + len(READINGS)
    assert '`BlockWeight(inequality="formula", threshold=0.1)`' in printed

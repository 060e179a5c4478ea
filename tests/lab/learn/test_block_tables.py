"""METHODS B: the paper's table of classifiers, by block and by words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cleancrawl import Page
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.learn.block_tables import ROWS, figures, most_frequent, one_rule, report, tree
from cleancrawl.lab.learn.tree_training import Labelled
from cleancrawl.methods.shallow_features.block_features import NAMES, column

TEXT = "The council agreed to rebuild the bridge over the stream, and the road stays open for all of the winter. "


def labelled(name: str, values: list[float], content: list[bool], words: list[float]) -> Labelled:
    table = np.zeros((len(values), len(NAMES)))
    table[:, column(name)] = values
    gold = GoldPage("set", "1", Path("1.html"), "https://a.example/")
    return Labelled(gold, Page(""), table, np.array(content), np.array(words))


def gold_pages(directory: Path, domains: int) -> list[GoldPage]:
    found = []
    for number in range(8):
        path = directory / f"{number}.html"
        text = TEXT * (3 + number)
        menu = "".join(f"<li><a href=/{place}>Menu {place} of {number}</a>" for place in range(6))
        path.write_text(f"<ul>{menu}</ul><p>{text}</p><p>{text}</p><p>© 2026 Aldbury</p>", encoding="utf-8")
        url = f"https://site{number % domains}.com/{number}"
        found.append(GoldPage("sample", str(number), path, url, "article", text=f"{text}\n{text}"))
    return found


def test_zero_r_gives_the_papers_own_figures_for_its_share_of_words() -> None:
    # 63.8 % of the paper's words are of one class: that explains all three of its figures, and how it averages.
    found = figures(np.zeros(2, bool), np.array([False, True]), np.array([63.8, 36.2]))
    assert [round(value, 3) for value in found[:3]] == [0.407, 0.638, 0.497]
    paper = ROWS["ZeroR"].paper
    assert paper is not None
    assert list(paper) == [0.407, 0.638, 0.497]


def test_zero_r_is_decided_by_words_not_by_blocks() -> None:
    page = labelled("words", [1, 1, 90], [False, False, True], [1, 1, 90])
    assert most_frequent([page])(page).tolist() == [True, True, True]


@pytest.mark.parametrize(
    ("values", "content", "guessed"),
    [
        ([0.0, 0.1, 0.6, 0.9], [True, True, False, False], [True, True, False, False]),
        ([0.0, 0.1, 0.6, 0.9], [False, False, False, True], [False, False, False, True]),
        # The heavy block is worth the light one.
        ([0.0, 0.1, 0.2], [False, True, False], [True, True, False]),
        ([0.5, 0.5, 0.5], [True, False, False], [False, False, False]),
    ],
)
def test_one_rule_finds_the_threshold_with_the_least_error(
    values: list[float], content: list[bool], guessed: list[bool]
) -> None:
    words = [1.0, 9.0, 5.0, 5.0][: len(values)]
    page = labelled("link density", values, content, words)
    assert one_rule("link density")([page])(page).tolist() == guessed


def test_a_tree_asks_about_the_named_features_only() -> None:
    page = labelled("link density", [0.0, 0.0, 1.0, 1.0], [True, True, False, False], [5000.0] * 4)
    assert tree("link density")([page])(page).tolist() == [True, True, False, False]
    assert tree("words")([page])(page).tolist() in ([True] * 4, [False] * 4)


def test_the_table_has_our_figures_and_the_papers(tmp_path: Path) -> None:
    printed = report(gold_pages(tmp_path, 8), "default")
    lines = {line.split(" | ")[0].removeprefix("| ").strip(): line for line in printed.splitlines()}
    # Six items and two paragraphs a page; the block with the copyright sign is gone before.
    assert printed.startswith("### Blocks of 8 pages of 8 domains: 64 blocks,")
    assert list(ROWS) == [name for name in lines if name in ROWS]
    assert [cell.strip() for cell in lines["1R, link density"].split("|")[2:10]] == ["1.000"] * 8
    assert [cell.strip() for cell in lines["tree, all features"].split("|")[-4:-1]] == [".951", ".950", ".951"]
    zero = [float(cell) for cell in lines["ZeroR"].split("|")[2:10]]
    assert zero[1] > 0.9  # by words nearly all is content
    assert zero[4] == 0.25  # by block a quarter is


def test_pages_of_one_site_are_not_enough(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="of different sites"):
        report(gold_pages(tmp_path, 1), "default")

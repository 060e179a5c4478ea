from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.evaluate import score_page
from cleancrawl.lab.bench.metrics import tokens
from cleancrawl.lab.bench.optional_lines import without_optional
from cleancrawl.lab.learn.examples import Weighting, make_example
from cleancrawl.methods.learned import recipe
from tests.lab.bench.conftest import PAGES, write_html

GOLD = "The mill burnt down on Monday night.\nNobody was hurt in the fire at the mill."
STANDFIRST = "An old mill is lost, and with it the last of the town's bread"
LINES = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=6).map(" ".join)
TEXTS = st.lists(LINES, max_size=5).map("\n".join)


def test_a_line_that_may_be_there_costs_nothing() -> None:
    assert tokens(without_optional(f"{STANDFIRST}\n{GOLD}", GOLD, [STANDFIRST])) == tokens(GOLD)
    assert without_optional(GOLD, GOLD, [STANDFIRST]) == GOLD


def test_what_the_gold_has_too_is_cut_only_where_it_stands_twice() -> None:
    gold = f"{STANDFIRST}\n{GOLD}"
    assert without_optional(gold, gold, [STANDFIRST]) == gold
    assert tokens(without_optional(f"{STANDFIRST}\n{gold}", gold, [STANDFIRST])) == tokens(gold)


def test_part_of_the_line_is_forgiven_and_other_false_text_is_not() -> None:
    text = f"An old mill is lost\n{GOLD}\nSubscribe to the last of the town's newsletters"
    rest = without_optional(text, GOLD, [STANDFIRST])
    assert rest.split("\n")[0] == ""
    assert "Subscribe to" in rest
    assert "newsletters" in rest


def test_words_that_the_article_has_too_stay() -> None:
    line = "Nobody was hurt in the fire, says the fire service"
    assert tokens(without_optional(f"{GOLD}\n{line}", GOLD, [line])) == tokens(GOLD)
    assert without_optional(GOLD, GOLD, [line]) == GOLD


def test_a_short_line_is_cut_only_as_a_line() -> None:
    assert without_optional("The mill.\nmill", "The mill.", ["Mill"]) == "The mill.\n"
    assert without_optional("The mill.", "The mill.", ["Mill", "", "–"]) == "The mill."


@given(TEXTS, TEXTS, st.lists(LINES, max_size=3))
def test_only_words_of_optional_lines_are_cut(text: str, gold: str, optional: list[str]) -> None:
    cut = list(tokens(text))
    for word in tokens(without_optional(text, gold, optional)):
        cut.remove(word)
    assert set(cut) <= set(tokens(" ".join(optional)))
    assert without_optional(text, gold, []) == text
    assert without_optional(gold, gold, optional) == gold


def test_optional_lines_are_read_scored_and_not_learned_from(tmp_path: Path) -> None:
    write_html(tmp_path / "set")
    _, gold = PAGES["0001"]
    first, *others = gold.splitlines()
    record = {"id": "0001", "text": "\n".join(others), "optional": [first]}
    (tmp_path / "set" / "truth.jsonl").write_text(json.dumps(record), encoding="utf-8")
    ((page,),) = (found.pages for found in load_sets(tmp_path))
    assert page.optional == (first,)
    for text in (gold, "\n".join(others)):
        score = score_page(text, page)
        assert score.word is not None
        assert score.shingles is not None
        assert (score.word.f1, score.shingles.both) == (1.0, 1.0)
    example = make_example(page, recipe().segment, Weighting())
    assert example is not None
    unknown = [block.text for block, weight in zip(example.page.blocks, example.weights, strict=True) if not weight]
    assert unknown == [first]

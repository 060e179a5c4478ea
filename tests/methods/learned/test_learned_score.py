from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.errors import ModelError
from cleancrawl.methods.learned.features.page_features import AGAIN, FIRST_OPINION, NAMES, feature_sheet
from cleancrawl.methods.learned.learned_score import BARS, LEAST, LearnedScore, best_share_in_python, page_threshold
from cleancrawl.methods.learned.model import HOPELESS, Model, load_model
from cleancrawl.methods.learned.perceptron import Perceptron
from tests.twins import twins


def segment(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def perceptron(features: tuple[str, ...] = ("one", "two"), bias: float = -1.0) -> Perceptron:
    wide = len(features)
    return Perceptron(
        features=features,
        mean=np.zeros(wide, dtype=np.float32),
        scale=np.ones(wide, dtype=np.float32),
        hidden=np.eye(wide, 2, dtype=np.float32),
        hidden_bias=np.zeros(2, dtype=np.float32),
        output=np.array([2, -1], dtype=np.float32),
        output_bias=bias,
    )


def tiny(features: tuple[str, ...] = ("one", "two")) -> Model:
    second = perceptron((*features, FIRST_OPINION), bias=-2.0)
    return Model(perceptron(features), second, threshold=0.25, provenance={"made": "by hand"})


def constant(features: tuple[str, ...], bias: float) -> Perceptron:
    """The same opinion of every block."""
    nothing = np.zeros(len(features), dtype=np.float32)
    return Perceptron(features, nothing, nothing + 1, nothing[:, None], nothing[:1], nothing[:1], bias)


def test_probabilities_by_hand() -> None:
    got = perceptron().probabilities(np.array([[1, 0, 100], [0, 3, -4]], dtype=np.float32))
    assert got == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.exp(4)), 1 / (1 + np.exp(-9))])


@pytest.mark.parametrize("look", ["first", "second"])
def test_a_look_is_its_two_layers(look: str) -> None:
    model = getattr(load_model(), look)
    blocks = np.random.default_rng(1).normal(size=(len(model.features), 101)).astype(np.float32)
    standard = np.clip((blocks.T.astype(np.float64) - model.mean) * model.scale, -5, 5)
    output = np.maximum(standard @ model.hidden + model.hidden_bias, 0) @ model.output + model.output_bias
    assert model.probabilities(blocks) == pytest.approx(1 / (1 + np.exp(-np.clip(output, -30, 30))), abs=1e-5)


def test_the_second_look_decides_on_what_the_first_one_leaves() -> None:
    page = segment("<p>one two three</p><p>four</p>")
    sure, no = constant(AGAIN, 3.0), constant(NAMES, -5.0)
    hopeful, hopeless = Model(constant(NAMES, 0.0), sure), Model(no, sure)
    assert hopeful.probabilities(feature_sheet(page)) == pytest.approx([1 / (1 + np.exp(-3))] * 2)
    assert hopeless.probabilities(feature_sheet(page)) == pytest.approx([1 / (1 + np.exp(5))] * 2)
    assert 1 / (1 + np.exp(5)) < HOPELESS


TWO_ARTICLES = (
    "<div class=a><p>The bridge was closed, as the council said on Monday, for repairs.</p></div>"
    "<div class=b><p>Another story, of other people, was told here in many more words than the first one had.</p></div>"
)


def test_the_second_look_measures_the_page_by_the_first_opinion() -> None:
    sheet = feature_sheet(segment(TWO_ARTICLES))
    share = sheet.names.index("good share of level 1")
    before = sheet.rows[share].copy()
    assert before[0] < before[1]
    both = np.arange(2)
    again = sheet.look_again(np.array([0.9, 0.1], dtype=np.float32), both).rows
    assert again[share, 0] > 0.8 > 0.2 > again[share, 1]
    assert again[-1] == pytest.approx([np.log(9), -np.log(9)])
    assert np.isfinite(sheet.look_again(np.array([1.0, 0.0], dtype=np.float32), both).rows).all()
    assert np.isfinite(sheet.look_again(np.zeros(2, dtype=np.float32), both).rows).all()


def test_file_round_trip() -> None:
    model = tiny()
    again = Model.from_json(model.to_json())
    assert again.features == model.features
    assert again.second.features == (*model.features, FIRST_OPINION)
    assert (again.first.hidden == model.first.hidden).all()
    assert (again.threshold, again.provenance) == (0.25, {"made": "by hand"})
    assert again.to_json() == model.to_json()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "is not a model"),
        ({"version": 99}, "version 99"),
        ({"second": None}, "damaged"),
        ({"first": {"hidden": "AAAA"}}, "damaged"),
        ({"first": {"hidden": "ä"}}, "damaged"),
        ({"second": {"mean": None}}, "damaged"),
        ({"second": {"units": "many"}}, "damaged"),
        ({"second": {"output": "AHwAfA=="}}, "not finite"),
    ],
)
def test_a_foreign_or_damaged_file_is_one_clear_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path, record = tmp_path / "model.json", json.loads(tiny().to_json())
    for name, value in change.items():
        record[name] = {**record[name], **value} if isinstance(value, dict) else value
    path.write_text(json.dumps(record), "utf-8")
    with pytest.raises(ModelError, match=message) as caught:
        load_model(str(path))
    assert "\n" not in str(caught.value)


def test_no_file_no_json_other_features(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read"):
        load_model(str(tmp_path / "none.json"))
    (tmp_path / "text.json").write_text("[1]", "utf-8")
    with pytest.raises(ModelError, match="damaged"):
        load_model(str(tmp_path / "text.json"))
    (tmp_path / "other.json").write_text(tiny().to_json(), "utf-8")
    with pytest.raises(ModelError, match="other features"):
        LearnedScore(str(tmp_path / "other.json"))(segment("<p>text"))


def test_own_model_file(tmp_path: Path) -> None:
    page = segment("<p>one two three</p><p>four</p>")
    path = tmp_path / "own.json"
    path.write_text(tiny(NAMES).to_json(), "utf-8")
    LearnedScore(str(path), threshold=2.0)(page)
    assert [block.removed and block.removed.rule for block in page.blocks] == ["learned", "learned"]
    assert all(block.score is not None for block in page.blocks)


def test_shipped_model_fits_the_features() -> None:
    model = load_model()
    assert model.features == tuple(feature_sheet(segment("<p>text")).names)
    assert model.provenance["sets"]
    assert Model.from_json(model.to_json()).to_json() == model.to_json()


def test_the_bar_is_a_share_of_the_best_expected_f1() -> None:
    page = segment("<p>one two three four</p><p>five six</p><p>seven eight nine ten</p>")
    sure = np.array([1, 1, 0], dtype=np.float32)
    assert page_threshold(page, sure, 0.5) == pytest.approx(0.5)
    # Keeping the first block: 2·2.4 / (4 + 4.2); both: 2·3.4 / (6 + 4.2); all: 2·4.2 / (10 + 4.2).
    unsure = np.array([0.6, 0.5, 0.2], dtype=np.float32)
    assert page_threshold(page, unsure, 0.5) == pytest.approx(3.4 / 10.2)


both_shares = pytest.mark.parametrize("best_share", twins(best_share_in_python, "perceptron", "best_share"))


@both_shares
@given(blocks=st.lists(st.tuples(st.integers(0, 500), st.floats(0, 1, width=32)), min_size=1, max_size=9))
def test_no_choice_of_blocks_promises_more(best_share: Callable[..., float], blocks: list[tuple[int, float]]) -> None:
    words, probabilities = np.array([words for words, _ in blocks], dtype=np.float64), [each for _, each in blocks]
    wanted = words * probabilities
    choices = (np.array(list(product([0, 1], repeat=len(blocks))))[:, :, None] * np.stack((words, wanted), 1)).sum(1)
    best = (2 * choices[:, 1] / np.maximum(choices[:, 0] + wanted.sum(), 1e-9)).max()
    assert best_share(words, np.array(probabilities, dtype=np.float32)) == pytest.approx(best, rel=1e-6, abs=1e-9)


def test_on_a_page_without_content_the_bar_does_not_sink_to_nothing() -> None:
    page = segment("<p>one two three</p><p>four</p>")
    assert page_threshold(page, np.array([0.01, 0.0], dtype=np.float32), 0.5) == 0.2
    assert page_threshold(page, np.array([0.0, 0.0], dtype=np.float32), 0.5) == 0.2


def test_what_is_favoured_moves_the_bar() -> None:
    page = segment("<p>One two three four five six</p><p>seven eight</p><p>nine ten</p>")
    probabilities = np.array([0.95, 0.5, 0.3], dtype=np.float32)
    shares = (LearnedScore(favour="recall"), LearnedScore(), LearnedScore(favour="precision"))
    bars = [stage.bar(page, probabilities, 0.5) for stage in shares]
    assert bars == sorted(set(bars))
    unsure = np.array([0.05, 0.02, 0.01], dtype=np.float32)
    floors = [stage.bar(page, unsure, 0.5) for stage in shares]
    assert floors == [BARS["recall"].floor, LEAST, BARS["precision"].floor]
    # The shares that training may choose lie between the two.
    assert BARS["recall"].share < 0.5
    assert BARS["precision"].share > 0.7

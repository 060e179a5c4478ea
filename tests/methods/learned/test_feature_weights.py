from __future__ import annotations

import numpy as np
import pytest

from cleancrawl import clean
from cleancrawl.methods.learned.feature_weights import contributions, feature_weights, in_words
from cleancrawl.methods.learned.features.page_features import NAMES, feature_sheet
from cleancrawl.methods.learned.model import load_model

STORY = "".join(
    f"<p>The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, as"
    f" the harbour master said on Monday, but the ferries stayed in port for {number} hours.</p>"
    for number in range(3, 9)
)
MENU = "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(20))
PAGE = (
    f"<title>A storm</title><nav><ul>{MENU}</ul></nav><main><h1>A storm</h1><article>{STORY}</article></main>"
    f"<footer><p>Sign up for our newsletter</p><ul>{MENU}</ul><p>Cookie policy</p></footer>"
)


def test_the_amounts_of_all_features_add_up_to_the_log_odds() -> None:
    """Exact: so much do a block's log-odds differ from those of a block whose features are all average."""
    look = load_model().first
    rows = feature_sheet(clean(PAGE).page).rows
    average = look.mean[:, None].astype(np.float32)
    odds = [np.log(p / (1 - p)) for p in (look.probabilities(rows).astype(float), look.probabilities(average))]
    sure = np.abs(odds[0]) < 12  # beyond it half the digits of a probability are gone
    assert sure.sum() > 10
    assert contributions(look, rows).sum(axis=0)[sure] == pytest.approx((odds[0] - odds[1])[sure], abs=0.02)


def test_every_feature_has_words() -> None:
    assert [name for name in NAMES if name in in_words(name)] == []


def test_what_weighs_most_is_what_a_reader_would_name() -> None:
    document = clean(PAGE)
    weights = feature_weights(document.page)
    assert weights is not None
    said = {
        block.text: [weight.words for weight in found] for block, found in zip(document.blocks, weights, strict=True)
    }
    assert all(len(words) == 3 for words in said.values())
    assert "inside <footer>" in said["Cookie policy"]
    assert "its words say “cookie”" in said["Cookie policy"]
    assert "its words say “newsletter”" in said["Sign up for our newsletter"]
    kept = [found for block, found in zip(document.blocks, weights, strict=True) if block.kept]
    assert all(sum(weight.amount for weight in found) > 0 for found in kept)
    # The weightiest comes first, and none is said twice.
    for found in weights:
        amounts = [abs(weight.amount) for weight in found]
        assert amounts == sorted(amounts, reverse=True)
        assert len({weight.words for weight in found}) == 3


def test_a_long_page_is_taken_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = feature_weights(clean(PAGE).page)
    monkeypatch.setattr("cleancrawl.methods.learned.feature_weights._AT_ONCE", 7)
    parts = feature_weights(clean(PAGE).page)
    assert whole is not None
    assert parts is not None
    assert [[weight.words for weight in found] for found in whole] == [[w.words for w in found] for found in parts]


def test_where_no_model_scored_nothing_weighed() -> None:
    assert feature_weights(clean(PAGE, recipe="core-content").page) is None
    assert feature_weights(clean("").page) is None


def test_only_some_blocks_may_be_asked_about() -> None:
    page = clean(PAGE).page
    whole, some = feature_weights(page), feature_weights(page, [5, 2])
    assert whole is not None
    assert some is not None
    assert [[weight.words for weight in found] for found in some] == [
        [weight.words for weight in whole[number]] for number in (5, 2)
    ]

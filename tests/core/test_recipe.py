"""Recipes: stages that fit together, and wishes that reach them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cleancrawl import Cleaner, clean
from cleancrawl.core.known_blocks import KnownBlocks
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Favour, Recipe, Wishes
from cleancrawl.data import read_text
from cleancrawl.errors import ConfigError, ModelError, UnfitRecipe
from cleancrawl.methods.learned.learned_score import LearnedScore
from cleancrawl.recipes import RECIPES, get_recipe

HTML = "<body><div>" + "The story, told at length. " * 20 + "</div><div>Buy, <a href=//x.ads.example/a>now</a></div>"


def rule(recipe_rules: frozenset[str]) -> str | None:
    recipe = get_recipe("core-content").tailored(Wishes(ad_domains=recipe_rules))
    removed = clean(HTML, recipe=recipe).blocks[1].removed
    return removed and removed.rule


def test_own_ad_domains_join_the_built_in_ones() -> None:
    assert rule(frozenset({"ads.example"})) == "ad-domain"
    assert rule(frozenset({"example.org"})) != "ad-domain"


def test_own_bounds_on_known_blocks() -> None:
    plain = get_recipe("core-content")
    (known,) = (
        stage
        for stage in plain.tailored(Wishes(min_pages=5, min_share=0.25)).secondary
        if isinstance(stage, KnownBlocks)
    )
    assert (known.min_pages, known.min_share) == (5, 0.25)
    assert plain.tailored(Wishes()) == plain


def nothing(page: Page) -> None:
    """A stage may be a plain function."""


def test_stages_that_are_no_dataclasses_stay() -> None:
    recipe = replace(get_recipe("core-content"), score=(nothing,))
    assert recipe.tailored(Wishes(ad_domains=frozenset({"ads.example"}))).score == (nothing,)


def test_a_model_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text(read_text("model.json"), "utf-8")
    (learned,) = (
        s for s in get_recipe("default").tailored(Wishes(model=str(own))).score if isinstance(s, LearnedScore)
    )
    assert learned.model == str(own)
    with pytest.raises(ConfigError, match="core-content uses no model"):
        get_recipe("core-content").tailored(Wishes(model=str(own)))
    own.write_text("{}")
    with pytest.raises(ModelError):
        get_recipe("default").tailored(Wishes(model=f"{tmp_path}/./own.json"))


def test_a_favour_is_a_change_of_the_recipe_or_refused() -> None:
    favoured = get_recipe("default").tailored(Wishes(favour="recall"))
    assert [stage.favour for stage in favoured.score if isinstance(stage, LearnedScore)] == ["recall"]
    assert get_recipe("default").tailored(Wishes(comments=True, favour=None)) != favoured
    for name in RECIPES:
        if name != "default":
            with pytest.raises(ConfigError, match=f"the recipe {name} can favour neither precision nor recall"):
                get_recipe(name).tailored(Wishes(favour="precision"))


def test_a_wish_without_effect_is_refused() -> None:
    ads, noise = Wishes(ad_domains=frozenset({"ads.example"})), Wishes(min_pages=4)
    takes = {name: [_refused(name, wishes) for wishes in (ads, noise, Wishes(comments=True))] for name in RECIPES}
    silent = [None, None, None]
    assert takes.pop("default") == silent
    assert takes["core-content"][:2] == silent[:2]
    assert takes["core-content"][2] == "the recipe core-content has no rule on readers' comments that could keep them"
    for name in ("key-pattern", "line-block"):
        assert takes[name][0] == f"the recipe {name} has no rules on ad domains, so lists of them do nothing"


def _refused(name: str, wishes: Wishes) -> str | None:
    try:
        get_recipe(name).tailored(wishes)
    except ConfigError as error:
        return str(error)
    return None


@dataclass(frozen=True, slots=True)
class Leaning:
    """A stage of somebody's own that a favour changes."""

    favour: Favour | None = None

    def tailored(self, wishes: Wishes) -> Leaning:
        return replace(self, favour=wishes.favour)

    def __call__(self, page: Page) -> None:
        for block in page.kept:
            if self.favour == "precision":
                block.remove("score", "leaning", self.favour)


def test_any_stage_can_lean() -> None:
    own = Recipe("own", "leans", get_recipe("default").segment, score=(Leaning(),))
    assert clean("<p>Some text", recipe=own).text == "Some text"
    assert clean("<p>Some text", recipe=own, favour="precision").text == ""


@pytest.mark.parametrize("wrong", ["Precision", "", "both", 1, True])
def test_no_other_favour_is_taken(wrong: Any) -> None:
    for use in (lambda: Wishes(favour=wrong), lambda: clean("", favour=wrong), lambda: Cleaner(favour=wrong)):
        with pytest.raises(ConfigError, match="favour must be 'precision' or 'recall', or None, not "):
            use()


def test_a_recipe_whose_stages_do_not_fit_is_refused_when_it_is_made() -> None:
    lines = get_recipe("line-block")
    with pytest.raises(UnfitRecipe, match="recipe odd: LearnedScore needs a TextLayout, but LineBlocks makes none"):
        replace(lines, name="odd", score=get_recipe("default").score)
    with pytest.raises(UnfitRecipe, match="TagCount needs a TagLayout"):
        Recipe("odd", "no segmenter", (nothing,), score=get_recipe("key-pattern").score)


def test_comments_are_a_change_of_the_recipe() -> None:
    plain = get_recipe("default")
    wanted = plain.tailored(Wishes(comments=True))
    assert wanted != plain
    assert replace(wanted, score=plain.score) == plain
    assert plain.tailored(Wishes()) is plain

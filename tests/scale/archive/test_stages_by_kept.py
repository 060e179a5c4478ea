"""Stages that look at nothing but what is kept: asked once, they say what they would say again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cleancrawl.core.block import Removal
from cleancrawl.core.page import Known, Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.recipes import get_recipe
from cleancrawl.scale.archive.stages_by_kept import BY_KEPT, ByKept, _spans, run_score

PROSE = "The harbour master said on Monday that the ferries would stay in port until the storm was over. "
DAYS = "".join(f"<td>{day}</td>" for day in range(1, 31))
COMMENT = f"<div class=comment><b>Ann</b> <i>3 May 2026</i><p>{PROSE}</p><a>Reply</a></div>"
HTML = f"""<title>Ferries stay in port</title>
<script type="application/ld+json">{{"@type": "NewsArticle", "author": {{"name": "Ruth Abara"}},
"articleBody": "{PROSE * 5}"}}</script>
<body><ul><li><a href=#w>What the master says</a><li><a href=#h>How long it lasts</a></ul>
<article><h1>Ferries stay in port</h1><h2>What the master says</h2><p>{PROSE}</p><h2>How long it lasts</h2>
{f"<p>{PROSE * 3}</p>" * 6}
<p>Read also: <a href=/b>The bridge is closed again</a>
<p><a href=/c>The council has a plan for the old harbour</a></p>
<ul><li><a href=/d>A ferry for the island of Lunn</a></ul><p>{PROSE * 2}</p></article>
<div class="related-articles"><p>{PROSE}</p></div><table><tr>{DAYS}</table>
<article><h1>Ice cream costs more</h1><p>{PROSE * 2}</p></article>
<div id=comments class=comments><h3>3 comments</h3>{COMMENT * 3}</div>
<p>Ruth Abara is a reporter who writes about ships.<h2>More</h2>"""


def cut(recipe: Recipe) -> Page:
    page = Page(HTML, "https://a.example/news/ferries")
    recipe.run_phase("segment", page)
    return page


def kept_by_chance(chance: random.Random, size: int) -> list[bool]:
    return [chance.random() < 0.8 for _ in range(size)]


def judged(recipe: Recipe, kept: list[bool], chance: random.Random) -> Page:
    """The page with these blocks kept, and all else by chance: scores, reasons, notes, what is known of its site."""
    page = cut(recipe)
    for block, stays in zip(page.blocks, kept, strict=True):
        block.score = chance.random()
        rule = chance.choice(["learned", "site-block", "hidden"])
        block.removed = None if stays else Removal(chance.choice(["score", "secondary"]), rule, f"{block.score:.2f}")
    page.known = Known([chance.randrange(5) for _ in page.blocks], 9)
    page.notes = {0: "a note"}
    return page


def trials() -> Iterator[tuple[list[bool], random.Random]]:
    chance, size = random.Random(7), len(cut(get_recipe("default")).blocks)
    yield [True] * size, chance
    for _ in range(10):
        yield kept_by_chance(chance, size), chance


def changes(page: Page, kept: list[bool]) -> list[tuple[int, Removal]]:
    return [(b.index, b.removed) for b, stays in zip(page.blocks, kept, strict=True) if stays and b.removed]


@pytest.mark.parametrize("kind", sorted(BY_KEPT, key=lambda kind: kind.__name__))
def test_scores_and_reasons_have_no_part_in_it(kind: type) -> None:
    recipe = get_recipe("default")
    (stage,) = (stage for stage in recipe.score if type(stage) is kind)
    found = []
    for kept, chance in trials():
        first, second = judged(recipe, kept, chance), judged(recipe, kept, chance)
        before = [block.removed for block in second.blocks]
        stage(first)
        stage(second)
        assert changes(first, kept) == changes(second, kept)
        assert first.comments == second.comments
        # What was removed before keeps its reason.
        assert [b.removed for b, stays in zip(second.blocks, kept, strict=True) if not stays] == [
            removal for removal, stays in zip(before, kept, strict=True) if not stays
        ]
        found += changes(first, kept)
    # The page has something for each of them.
    assert found


def test_they_are_taken_together_where_they_are_side_by_side() -> None:
    stages = get_recipe("default").score
    spans = _spans(stages)
    assert [stage for _, some in spans for stage in some] == list(stages)
    assert {type(stage) for by_kept, some in spans if by_kept for stage in some} == BY_KEPT
    assert sum(by_kept for by_kept, _ in spans) == 2
    assert not any(by_kept for by_kept, _ in _spans(get_recipe("core-content").score))


def test_where_the_same_is_kept_the_stages_are_not_asked_again() -> None:
    # Without the score before them, which leaves them little to say.
    recipe = get_recipe("default")
    first = next(some for by_kept, some in _spans(recipe.score) if by_kept)
    recipe = replace(recipe, score=first)
    page = cut(recipe)
    said = run_score(recipe, page)
    assert said[0].removed
    alone = cut(recipe)
    recipe.run_phase("score", alone)
    again, other = cut(recipe), cut(recipe)
    run_score(recipe, again, said)
    assert [b.removed for b in page.blocks] == [b.removed for b in alone.blocks] == [b.removed for b in again.blocks]
    assert page.comments == alone.comments == again.comments
    # Of a page with other blocks kept they are.
    run_score(recipe, other, [ByKept(bytes(len(other.blocks)), [], None)])
    assert [block.removed for block in other.blocks] == [block.removed for block in alone.blocks]


def test_comments_that_were_found_anew_stay() -> None:
    # Without the score before them, which leaves them little to say.
    recipe = get_recipe("default")
    _, *later = _spans(recipe.score)
    recipe = replace(recipe, score=tuple(stage for _, some in later for stage in some))
    page, again = cut(recipe), cut(recipe)
    said = run_score(recipe, page)
    assert page.comments
    run_score(recipe, again, [ByKept(bytes(len(again.blocks)), [], ()), *said[1:]])
    assert again.comments == page.comments
    other = cut(recipe)
    run_score(recipe, other, [said[0]._replace(comments=()), *said[1:]])
    assert other.comments == ()

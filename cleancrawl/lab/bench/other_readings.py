"""What each ruling on a paper is worth: the recipe as it is beside the field's other value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cleancrawl.cleaner import clean
from cleancrawl.core.recipe import PHASES, Recipe, Stage
from cleancrawl.core.rules.attributes import AttributeRules
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.evaluate import Summary, score_page, summarise
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.core_content.page_duplicates import PageDuplicates
from cleancrawl.methods.core_content.punctuation import ALL_MARKS, PunctuationPruning
from cleancrawl.methods.core_content.tag_rules import TagRules
from cleancrawl.methods.core_content.weighted_score import WeightedScore
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks
from cleancrawl.methods.line_block.line_blocks import LineBlocks
from cleancrawl.methods.line_block.line_ratios import LineRatios
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.block_weight import BlockWeight
from cleancrawl.recipes import get_recipe


@dataclass(frozen=True, slots=True)
class Reading:
    """Another value of a stage's fields; ``given`` are values that both readings have in common."""

    section: str
    recipe: str
    stage: type[Stage]
    other: Mapping[str, Any]
    shown: str
    given: Mapping[str, Any] | None = None


READINGS = (
    Reading("A1", "core-content", DivTdBlocks, {"loose_text": False}, "loose_text=False"),
    Reading("A2", "core-content", TagRules, {"scope": "element"}, 'scope="element"'),
    Reading("A2", "core-content", TagRules, {"link_share": 0.5}, "link_share=0.5"),
    Reading("A2", "core-content", TagRules, {"rules": AttributeRules(background="remove")}, 'background="remove"'),
    Reading("A3", "core-content", PunctuationPruning, {"marks": ALL_MARKS}, "marks=ALL_MARKS"),
    Reading("A6", "core-content", PageDuplicates, {"min_terms": 1}, "min_terms=1"),
    Reading("A7", "core-content", WeightedScore, {"denominator": "sum-of-blocks"}, 'denominator="sum-of-blocks"'),
    Reading("A7", "core-content", WeightedScore, {"words_of": "page"}, 'words_of="page"'),
    Reading("A7", "core-content", WeightedScore, {"all_blocks": "elements"}, 'all_blocks="elements"'),
    Reading("B1", "shallow-features", AtomicBlocks, {"copyright_sign": False}, "copyright_sign=False"),
    Reading(
        *("B7", "shallow-features", BlockWeight, {"inequality": "formula"}, 'inequality="formula"'),
        {"threshold": 0.1},
    ),
    Reading("D1", "key-pattern", KeyPatternBlocks, {"loose_text": False}, "loose_text=False"),
    Reading("D2", "key-pattern", KeyPatternBlocks, {"share": 1.0}, "share=1.0"),
    Reading("D3", "key-pattern", KeyPatternBlocks, {"overlap": True}, "overlap=True"),
    Reading("E2", "line-block", LineBlocks, {"source_lines": True}, "source_lines=True"),
    Reading("E3", "line-block", LineRatios, {"title_stop_words": True}, "title_stop_words=True"),
    Reading("E4", "line-block", LineRatios, {"title": "required"}, 'title="required"'),
    Reading("E4", "line-block", LineRatios, {"thresholds": "fixed"}, 'thresholds="fixed"'),
)


def read_otherwise(recipe: Recipe, stage: type[Stage], values: Mapping[str, Any]) -> Recipe:
    """The recipe with other values of a stage's fields."""
    changed: dict[str, Any] = {
        phase: tuple(_changed(one, values) if type(one) is stage else one for one in getattr(recipe, phase))
        for phase in PHASES
    }
    return replace(recipe, **changed)


def _changed(stage: Any, values: Mapping[str, Any]) -> Any:
    return replace(stage, **values)


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The table; ``recipe`` does not matter. Readings of site templates are in ``template_cost --readings``."""
    texts = [page for page in pages if page.text is not None]
    sources = [page.html() for page in texts]
    known: dict[str, Summary] = {}
    rows = []
    for reading in READINGS:
        given = dict(reading.given or {})
        base = read_otherwise(get_recipe(reading.recipe), reading.stage, given)
        name = f"{reading.recipe} {given}"
        if name not in known:
            known[name] = _summary(base, texts, sources)
        other = _summary(read_otherwise(base, reading.stage, reading.other), texts, sources)
        field = f"`{reading.stage.__name__}({', '.join([reading.shown, *_shown(given)])})`"
        rows.append([field, f"{reading.section}, {reading.recipe}", *_figures(known[name]), *_figures(other)])
    header = ["other value", "ruling", "as it is: words P", "R", "F1", "other: words P", "R", "F1"]
    return f"### Readings, {len(texts)} pages\n\n{markdown_table(header, rows)}"


def _shown(values: Mapping[str, Any]) -> list[str]:
    return [f"{name}={value!r}" for name, value in values.items()]


def _figures(summary: Summary) -> list[str]:
    return [share(value) for value in (summary.word.precision, summary.word.recall, summary.word.f1)]


def _summary(recipe: Recipe, pages: Sequence[GoldPage], sources: Sequence[str]) -> Summary:
    scored = zip(pages, sources, strict=True)
    return summarise(score_page(clean(html, page.url, recipe).text, page, lcs=False) for page, html in scored)

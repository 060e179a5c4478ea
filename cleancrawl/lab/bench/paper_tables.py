"""The tables of the papers on open data: primary noise, secondary noise, core content, by method.

The papers' own figures stand beside ours and are theirs: other pages, judged by hand, the share of pages wholly right.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from cleancrawl.cleaner import clean
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.rules.attributes import RULES, AttributeRules
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.evaluate import PageScore, score_page, summarise
from cleancrawl.lab.bench.near_duplicates import DETECTORS, EDITS, judge, make_pairs
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.methods.baselines.block_scores import BlockImportance, KeywordRedundancy, LinkWords, TitleWords
from cleancrawl.methods.baselines.content_nodes import CoreEx, Econ
from cleancrawl.methods.baselines.duplicate_detectors import Simhash, SimilarBlocks
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.core_content.punctuation import ALL_MARKS, PunctuationPruning
from cleancrawl.methods.core_content.tag_rules import TagRules
from cleancrawl.methods.line_block import recipe as line_block
from cleancrawl.methods.shallow_features import recipe as shallow_features
from cleancrawl.recipes import RECIPES, get_recipe

_VALUES = TagRules(scope="element", link_share=0.5, rules=AttributeRules(enabled=frozenset(RULES) - {"foreign-image"}))
"""A hit removes the values of its own element, as the paper of the tag rules has it."""
_PRUNING = PunctuationPruning(marks=ALL_MARKS, keep_headings=True)
_NODES = "P over 97, R 98 (CoreEx)"
PRIMARY: dict[str, tuple[Recipe, str]] = {
    "everything kept": (Recipe("all", "", (TextBlocks(),)), "–"),
    "CoreEx": (Recipe("coreex", "", (TextBlocks(),), (CoreEx(),)), f"83.94; {_NODES}"),
    "CoreEx, size .05": (Recipe("coreex", "", (TextBlocks(),), (CoreEx(size=0.05),)), "–"),
    "CoreEx, as the main paper tells it": (
        Recipe("coreex", "", (TextBlocks(),), (CoreEx(count="words", part="node"),)),
        "–",
    ),
    "ECON": (Recipe("econ", "", (TextBlocks(),), (Econ(),)), "89.67"),
    "tag rules alone": (Recipe("tags", "", (DivTdBlocks(),), (_VALUES,)), "91.61"),
    "tag rules alone, block around a hit": (Recipe("tags", "", (DivTdBlocks(),), (TagRules(),)), "–"),
    "tag rules + punctuation": (Recipe("primary", "", (DivTdBlocks(),), (TagRules(), PunctuationPruning())), "92.72"),
    "tag rules + punctuation, rulings": (Recipe("primary", "", (DivTdBlocks(),), (_VALUES, _PRUNING)), "–"),
}
"""Each method in its best defensible reading; where that is not the letter, the letter beside it."""
MEASURES: dict[str, Recipe] = {
    "keyword redundancy alone": Recipe("redundancy", "", (TextBlocks(),), score=(KeywordRedundancy(),)),
    "link words alone": Recipe("links", "", (TextBlocks(),), score=(LinkWords(),)),
    "title words alone": Recipe("title", "", (TextBlocks(),), score=(TitleWords(),)),
    "simhash, then all three": Recipe(
        "sketching", "", (TextBlocks(),), secondary=(SimilarBlocks(Simhash(), 1 - 3 / 64),), score=(BlockImportance(),)
    ),
}
PAPERS = {
    "simhash, then all three": "89.22 % of pages right",
    "core-content": "93.33 % of pages right",
    "shallow-features": "F 95.1 by block",
    "shallow-features, printed tree": "–",
    "shallow-features, stop words in context": "–",
    "site-template": "–",
    "key-pattern": "none (segmentation F .738)",
    "line-block": "93.3–96.7 % of pages right",
}
_HEADER = ["method", "words P", "R", "F1", "shingles F1", "wholly right", "ms/page", "the paper's figure"]


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """All tables; ``recipe`` is listed first in the last one."""
    texts = [page for page in pages if page.text is not None]
    sources = [page.html() for page in texts]
    primary = [_row(name, chosen, texts, sources, paper) for name, (chosen, paper) in PRIMARY.items()]
    recipes = {**{name: get_recipe(name) for name in dict.fromkeys([recipe, *RECIPES])}, **_variants(), **MEASURES}
    core = [_row(name, chosen, texts, sources, PAPERS.get(name, "–")) for name, chosen in recipes.items()]
    return "\n\n".join(
        [
            f"### Primary noise removal, {len(texts)} pages\n\n{markdown_table(_HEADER, primary)}",
            secondary_table(pages),
            f"### Core content, {len(texts)} pages\n\n{markdown_table(_HEADER, core)}",
            "The papers' figures are their own, on other pages.\n"
            "site-template is shown without knowledge of its sites.",
        ]
    )


def _variants() -> dict[str, Recipe]:
    """Other readings of the papers."""
    from cleancrawl.methods.line_block.line_ratios import LineRatios

    lines = line_block()
    letter = Recipe("line-block", "", lines.segment, score=(LineRatios(title="required"),))
    fixed = Recipe("line-block", "", lines.segment, score=(LineRatios(),))
    return {
        "shallow-features, printed tree": shallow_features("printed-tree"),
        "shallow-features, stop words in context": shallow_features("stopword-context"),
        "line-block, fixed thresholds": fixed,
        "line-block, title words required": letter,
    }


def _row(name: str, recipe: Recipe, pages: Sequence[GoldPage], sources: Sequence[str], paper: str) -> list[str]:
    scores: list[PageScore] = []
    elapsed = 0.0
    for page, html in zip(pages, sources, strict=True):
        started = time.process_time()
        text = clean(html, page.url, recipe).text
        elapsed += time.process_time() - started
        scores.append(score_page(text, page, lcs=False))
    summary = summarise(scores)
    word = summary.word
    figures = [share(figure) for figure in (word.precision, word.recall, word.f1, summary.shingle.f1, summary.right)]
    return [name, *figures, f"{elapsed / max(len(pages), 1) * 1000:.1f}", paper]


def secondary_table(pages: Sequence[GoldPage]) -> str:
    """Near-duplicates by detector, each at its best threshold."""
    pairs = make_pairs(pages)
    header = [
        "method",
        "best threshold",
        "P",
        "R",
        "F1",
        *(f"R at {edit:.0%}" for edit in EDITS),
        "ms/1000 pairs",
        "paper",
    ]
    rows = []
    for name, (detector, paper) in DETECTORS.items():
        verdict = judge(detector, pairs)
        figures = (verdict.threshold, verdict.precision, verdict.recall, verdict.f1, *verdict.by_edit)
        rows.append([name, *map(share, figures), f"{verdict.milliseconds:.0f}", paper])
    edited = sum(pair.edit is not None for pair in pairs)
    title = f"### Secondary noise removal: {edited} edited pairs of blocks, {len(pairs) - edited} different ones"
    return f"{title}\n\n{markdown_table(header, rows)}"

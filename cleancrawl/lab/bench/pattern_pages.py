"""Key patterns on real pages, page by page: how well the cut parts content from the rest (METHODS D).

Gold texts tell content from noise, not where a reader would cut. So a block counts as right where it holds one kind of
text alone: precision is the share of right blocks, recall the share of the gold words that lie in right ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, quantiles

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import Score, f1
from cleancrawl.lab.bench.rule_precision import gold_share
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks
from cleancrawl.methods.key_pattern.tag_count import TagCount

ONE_KIND = 0.9
"""From this share on a block's words are of one kind."""
VARIANTS: Mapping[str, Stage] = {
    "key patterns": KeyPatternBlocks(),
    "patterns may overlap": KeyPatternBlocks(overlap=True),
    "one level deep": KeyPatternBlocks(share=1.0),
    "every DIV and TD": DivTdBlocks(),
    "text blocks": TextBlocks(),
}
PAPER = ["the paper, its own pages (by hand)", ".732", ".802", ".738", "–", "–", "–"]


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The segmentation by variant, and what the most important blocks hold; means over pages, and quartiles of F."""
    labelled = [page for page in pages if page.text]
    rows = [_row(name, [cut_score(page, stage) for page in labelled]) for name, stage in VARIANTS.items()]
    header = [f"{len(labelled)} pages", "P", "R", "F", "F, lower quartile", "median", "upper quartile"]
    kept = [
        _row("blocks above the threshold", [kept_score(page) for page in labelled]),
        _row("the block with most tags", [kept_score(page, share_of_largest=1.0) for page in labelled]),
    ]
    header_kept = [f"informative blocks, {len(labelled)} pages", *header[1:]]
    return f"{markdown_table(header, [*rows, PAPER])}\n\n{markdown_table(header_kept, kept)}"


def _row(name: str, scores: Sequence[Score]) -> list[str]:
    means = [fmean(score[part] for score in scores) for part in range(3)]
    spread = quantiles([score.f1 for score in scores], n=4) if len(scores) > 1 else [means[2]] * 3
    return [name, *map(share, [*means, *spread])]


def cut_score(gold: GoldPage, stage: Stage) -> Score:
    """How well a segmentation parts content from the rest."""
    page = Page(gold.html(), gold.url)
    stage(page)
    shares = gold_share(gold.text or "", page.blocks)
    right = [part >= ONE_KIND or part <= 1 - ONE_KIND for part in shares]
    held = [block.words * part for block, part in zip(page.blocks, shares, strict=True)]
    inside = sum(words for words, part in zip(held, shares, strict=True) if part >= ONE_KIND)
    precision = sum(right) / len(right) if right else 0.0
    recall = inside / sum(held) if sum(held) else 0.0
    return Score(precision, recall, f1(precision, recall))


def kept_score(gold: GoldPage, share_of_largest: float | None = None) -> Score:
    """Words of the blocks that the number of their tags calls important, against those of the gold text."""
    page = Page(gold.html(), gold.url)
    KeyPatternBlocks()(page)
    (TagCount() if share_of_largest is None else TagCount(share=share_of_largest))(page)
    shares = gold_share(gold.text or "", page.blocks)
    words = [block.words * part for block, part in zip(page.blocks, shares, strict=True)]
    kept = sum(held for block, held in zip(page.blocks, words, strict=True) if block.kept)
    shown = sum(block.words for block in page.kept)
    precision = kept / shown if shown else 0.0
    recall = kept / sum(words) if sum(words) else 0.0
    return Score(precision, recall, f1(precision, recall))

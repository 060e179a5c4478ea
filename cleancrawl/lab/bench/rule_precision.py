"""How right each rule of a recipe is: what of the text it removed is not in the gold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.html.decode import decode
from cleancrawl.core.page import Page
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import shingles, tokens
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.recipes import get_recipe

KEPT = "kept"


@dataclass(slots=True)
class Tally:
    """What one rule removed."""

    pages: int = 0
    blocks: int = 0
    words: int = 0
    gold: float = 0.0
    """Words of it that are in the gold text."""

    @property
    def precision(self) -> float | None:
        return 1 - self.gold / self.words if self.words else None

    def add(self, words: int, gold: float, *, first: bool) -> None:
        """Count a block; ``first`` where it is the rule's first on its page."""
        self.pages += first
        self.blocks += 1
        self.words += words
        self.gold += gold


def verdict(block: Block) -> str:
    """``stage: rule`` of a block, or that it was kept."""
    return f"{block.removed.stage}: {block.removed.rule}" if block.removed else KEPT


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """A table of the rules: pages, blocks and words they removed, and the share of these words that is not gold."""
    tallies = tally_rules(pages, recipe)
    header = ["rule", "pages", "blocks", "words", "gold words", "precision"]
    rows = [
        [name, str(tally.pages), str(tally.blocks), str(tally.words), f"{tally.gold:.0f}", share(tally.precision)]
        for name, tally in sorted(tallies.items())
    ]
    return markdown_table(header, rows)


def tally_rules(pages: Iterable[GoldPage], recipe: str) -> dict[str, Tally]:
    """By ``stage: rule``, over the pages that have a full gold text; a rule is judged as it acts in the recipe."""
    chosen = get_recipe(recipe)
    tallies: dict[str, Tally] = defaultdict(Tally)
    for labelled in pages:
        if labelled.text is None:
            continue
        html, encoding = decode(labelled.read())
        page = Page(html, labelled.url, encoding)
        chosen.run(page)
        seen = set()
        for block, gold in zip(page.blocks, gold_share(labelled.text, page.blocks), strict=True):
            name, words = verdict(block), len(tokens(block.text.lower()))
            tallies[name].add(words, words * gold, first=name not in seen)
            seen.add(name)
    return dict(tallies)


def gold_share(text: str, blocks: Sequence[Block]) -> list[float]:
    """Which share of each block a gold text holds, by runs of four words; shorter blocks are a run by themselves.

    >>> gold_share("one two three four five", [Block("Two three four five", 4, 0, "p"), Block("six", 1, 0, "p")])
    [1.0, 0.0]
    """
    gold = tokens(text.lower())
    found = {size: set(shingles(gold, size)) for size in (1, 2, 3, 4)}
    shares = []
    for block in blocks:
        words = tokens(block.text.lower())
        runs, size = shingles(words), min(len(words), 4)
        inside = sum(count for run, count in runs.items() if run in found[size]) if size else 0
        shares.append(inside / max(runs.total(), 1))
    return shares

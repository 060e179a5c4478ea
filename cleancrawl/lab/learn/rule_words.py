"""What each rule of a recipe removes out of fold, and how much of it the gold text does not hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from cleancrawl.core.recipe import Recipe
from cleancrawl.core.text.words import words
from cleancrawl.lab.bench.rule_precision import Tally, verdict
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.lab.learn.crossval import clean_text
from cleancrawl.lab.learn.examples import Example
from cleancrawl.methods.learned.features.sheet import Matrix

COPIES = frozenset({"score: repeated", "score: contents"})
"""What these remove stands elsewhere on the page, too."""


def tally_removals(
    examples: Sequence[Example], found: Mapping[str, Matrix], threshold: float, recipe: Recipe
) -> dict[str, Tally]:
    """By ``stage: rule``, over articles with a full gold text, with probabilities in place of the recipe's model.

    A block is gold where at least half of it is in the gold text; a copy only where the gold text has it more
    often than what was kept.
    """
    tallies: dict[str, Tally] = defaultdict(Tally)
    for example in examples:
        if example.gold.text is None or not example.is_article:
            continue
        clean_text(example, found[example.gold.key], threshold, recipe)
        kept = Counter(block.text for block in example.page.kept)
        gold = f" {_joined(example.gold.text)} "
        seen = set()
        for block, label in zip(example.page.blocks, example.labels.tolist(), strict=True):
            name = verdict(block)
            wanted = label >= 0.5
            if name in COPIES:
                wanted = gold.count(f" {_joined(block.text)} ") > kept[block.text]
                kept[block.text] += wanted
            tallies[name].add(block.words, block.words * wanted, first=name not in seen)
            seen.add(name)
    return dict(tallies)


def removal_table(tallies: Mapping[str, Tally]) -> str:
    """A line per rule; the precision is the share of the removed words that are not gold."""
    rows = [
        [name, f"{tally.pages:,}", f"{tally.blocks:,}", f"{tally.words:,}", share(tally.precision)]
        for name, tally in sorted(tallies.items())
    ]
    return markdown_table(["rule", "pages", "blocks", "words", "precision"], rows)


def _joined(text: str) -> str:
    return " ".join(words(text.lower()))

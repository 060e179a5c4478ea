"""The table of the shallow-features paper (METHODS B), like with like: by block, weighted by words, by domain.

What is trained is cross-validated over domains. As in the paper's table, precision, recall and F are means over both
classes, weighted by what each class holds: only so does its ZeroR have a recall of 63.8 and a precision of .638².
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import f1
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.lab.learn.tree_training import MIN_LEAF, Labelled, fit, measure
from cleancrawl.methods.shallow_features.block_features import NAMES, Table, column
from cleancrawl.methods.shallow_features.printed_tree import MEASURES, printed_tree
from cleancrawl.methods.shallow_features.stopword_context import StopwordContext, in_context
from cleancrawl.methods.shallow_features.trained_tree import DecisionTree

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Guess = Callable[[Labelled], Flags]
Learner = Callable[[Sequence[Labelled]], Guess]
_CONTENT = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    """A classifier, learned from some pages, and what the paper has for it: P, R and F."""

    learn: Learner
    paper: tuple[float, float, float] | None = None


class Figures(NamedTuple):
    """Means over content and noise, weighted by what each class holds."""

    precision: float
    recall: float
    f: float
    content: float
    """F of content alone."""


def figures(guessed: Flags, content: Flags, weights: Floats) -> Figures:
    """Of guesses about blocks that weigh this much.

    >>> zero = figures(np.zeros(2, bool), np.array([True, False]), np.array([36.2, 63.8]))
    >>> [round(value, 3) for value in zero]
    [0.407, 0.638, 0.497, 0.0]
    """
    total = max(float(weights.sum()), 1e-12)
    found = []
    for wanted in (False, True):
        right = float(weights[(guessed == wanted) & (content == wanted)].sum())
        precision = right / max(float(weights[guessed == wanted].sum()), 1e-12)
        held = float(weights[content == wanted].sum())
        recall = right / max(held, 1e-12)
        found.append((held / total, precision, recall, f1(precision, recall)))
    precision, recall, f = (sum(part[0] * part[place] for part in found) for place in (1, 2, 3))
    return Figures(precision, recall, f, found[1][3])


def most_frequent(pages: Sequence[Labelled]) -> Guess:
    """ZeroR: the class with most words, whatever the block."""
    held = sum(float(page.words[page.content].sum()) for page in pages)
    answer = held * 2 > sum(float(page.words.sum()) for page in pages)
    return lambda page: np.full(len(page.table), answer)


def one_rule(name: str) -> Learner:
    """1R: one feature against the threshold with the least error."""
    place = column(name)

    def learn(pages: Sequence[Labelled]) -> Guess:
        values = np.concatenate([page.table[:, place] for page in pages])
        signed = np.concatenate([np.where(page.content, page.words, -page.words) for page in pages])
        order = np.argsort(values, kind="stable")
        values, gains = values[order], np.concatenate([[0.0], np.cumsum(signed[order])])
        # gains[i]: content less noise among the lowest i; a cut lies between different values only.
        cuts = np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1])
        balance = gains[-1] - 2 * gains[cuts]
        best = int(np.argmax(np.abs(balance)))
        threshold, above = float(values[cuts[best]]), bool(balance[best] > 0)
        return lambda page: (page.table[:, place] >= threshold) == above

    return learn


def tree(*names: str) -> Learner:
    """C4.8 on these features of a block, the one before and the one after; all features where none is named."""
    columns = [place for place, name in enumerate(NAMES) if not names or name.endswith(names)]

    def learn(pages: Sequence[Labelled]) -> Guess:
        found = DecisionTree.load(fit(pages, MIN_LEAF, columns))
        return lambda page: found.predict(page.table) >= _CONTENT

    return learn


def _printed(page: Labelled) -> Flags:
    return np.array(printed_tree(page.table[:, [column(name) for name in MEASURES]]), dtype=bool)


def _in_context(page: Labelled) -> Flags:
    stage = StopwordContext()
    rows = page.table[:, [column("link density"), column("words"), column("stop word density")]].tolist()
    return np.array([after == "good" for after, _ in in_context([stage.context_free(*row) for row in rows])])


ROWS: dict[str, Row] = {
    "ZeroR": Row(most_frequent, (0.407, 0.638, 0.497)),
    "1R, average word length": Row(one_rule("word length"), (0.802, 0.770, 0.775)),
    "1R, link density": Row(one_rule("link density"), (0.885, 0.878, 0.874)),
    "1R, text density": Row(one_rule("text density"), (0.878, 0.879, 0.879)),
    "1R, number of words": Row(one_rule("words")),
    "1R, stop-word density": Row(one_rule("stop word density")),
    "tree, link density": Row(tree("link density"), (0.911, 0.911, 0.910)),
    "tree, number of words": Row(tree("words"), (0.911, 0.908, 0.909)),
    "tree, words + link density": Row(tree("words", "link density"), (0.922, 0.922, 0.922)),
    "tree, text + link density": Row(tree("text density", "link density"), (0.939, 0.938, 0.939)),
    "printed tree": Row(lambda pages: _printed),
    "stop words in context": Row(lambda pages: _in_context),
    "tree, all features": Row(tree(), (0.951, 0.950, 0.951)),
}
"""In the order of the paper's table; it has no figures for the printed tree and for the classes in context."""
_HEADER = (
    *("method", "words P", "R", "F", "blocks P", "R", "F", "content F (words)", "mean F of domains"),
    *("the paper: words P", "R", "F"),
)


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The table; ``recipe`` does not matter. Raises ``ConfigError`` where the pages are of one domain only."""
    found = [_seen(labelled) for page in pages if page.text is not None and (labelled := measure(page)) is not None]
    if len({page.fold for page in found}) < 2:
        raise ConfigError("too few labelled pages of different sites: what is trained is tested on other sites")
    rows = [[name, *_cells(row, found)] for name, row in ROWS.items()]
    blocks, words = sum(len(page.table) for page in found), sum(float(page.words.sum()) for page in found)
    held = sum(float(page.words[page.content].sum()) for page in found)
    domains = len({page.gold.domain for page in found})
    title = f"### Blocks of {len(found)} pages of {domains} domains: {blocks} blocks, {words:.0f} words"
    return f"{title}, {held / max(words, 1):.1%} of them content\n\n{markdown_table(list(_HEADER), rows)}"


def _seen(page: Labelled) -> Labelled:
    """Without the blocks that are gone before anything is classified: those with the copyright sign."""
    kept = np.array([block.kept for block in page.page.blocks])
    return replace(page, table=page.table[kept], content=page.content[kept], words=page.words[kept])


def _cells(row: Row, pages: Sequence[Labelled]) -> Iterator[str]:
    guesses: list[tuple[Labelled, Flags]] = []
    for fold in sorted({page.fold for page in pages}):
        guess = row.learn([page for page in pages if page.fold != fold])
        guesses += [(page, guess(page)) for page in pages if page.fold == fold]
    by_words, by_blocks = _together(guesses, weighted=True), _together(guesses, weighted=False)
    domains: dict[str, list[tuple[Labelled, Flags]]] = {}
    for page, guessed in guesses:
        domains.setdefault(page.gold.domain, []).append((page, guessed))
    mean = sum(_together(group, weighted=True).f for group in domains.values()) / len(domains)
    yield from map(share, (*by_words[:3], *by_blocks[:3], by_words.content, mean))
    yield from map(share, row.paper) if row.paper else ("–", "–", "–")


def _together(guesses: Sequence[tuple[Labelled, Flags]], *, weighted: bool) -> Figures:
    guessed = np.concatenate([flags for _, flags in guesses])
    content = np.concatenate([page.content for page, _ in guesses])
    weights: Table = np.concatenate([page.words if weighted else np.ones(len(page.words)) for page, _ in guesses])
    return figures(guessed, content, weights)

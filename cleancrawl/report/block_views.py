"""The blocks of a page as a report shows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.methods.learned.feature_weights import Weight, feature_weights
from cleancrawl.report.block_runs import Run, runs
from cleancrawl.report.stages import stage_of

SHOWN_CHARACTERS, SHOWN_LINES, LEAST_FOLDED = 600, 6, 250
"""The rest of longer blocks is folded, where it is worth it."""
MOST_BLOCKS = 3_000
"""Blocks that are shown: no browser shows 20,000 in a sensible time, and nobody reads them."""
_EVIDENCE = 3
_NUMBER = re.compile(r"\d\.\d+")


@dataclass(frozen=True, slots=True)
class BlockView:
    """One block: its verdict, what it was judged by, and its text in two parts, the second one folded."""

    block: Block
    note: str
    weights: Sequence[Weight]

    @property
    def stage(self) -> str:
        return stage_of(self.block)

    @property
    def rule(self) -> str:
        return self.block.removed.rule if self.block.removed else ""

    @property
    def score(self) -> str:
        return "" if self.block.score is None else f"{self.block.score:.2f}"

    @property
    def level(self) -> float:
        """The score as a meter shows it."""
        return min(max(self.block.score or 0.0, 0.0), 1.0)

    @property
    def evidence(self) -> str:
        """What the rule saw."""
        return evidence_of(self.block)

    @property
    def linked(self) -> str:
        block = self.block
        return f"{block.link_words / block.words:.0%} linked" if block.words and block.link_words else ""

    @property
    def form(self) -> str:
        """How the article shows it: as a heading, an item of a list, or a paragraph."""
        return "heading" if self.block.tag in HEADINGS else "item" if self.block.tag == "li" else "paragraph"

    @property
    def start(self) -> str:
        text = self.block.text
        start = "\n".join(text[:SHOWN_CHARACTERS].split("\n", SHOWN_LINES)[:SHOWN_LINES])
        if len(text) - len(start) < LEAST_FOLDED:
            return text
        # Not within a word, where it has blanks.
        head, blank, tail = start.rpartition(" ")
        return head + blank if blank and len(tail) < LEAST_FOLDED // 5 and text[len(start)] != "\n" else start

    @property
    def rest(self) -> str:
        return self.block.text[len(self.start) :]


@dataclass(frozen=True, slots=True)
class RunView:
    """Blocks in a row, folded where they are a menu."""

    run: Run
    blocks: Sequence[BlockView]


@dataclass(slots=True)
class Tally:
    """The blocks that met one fate, and where they are in a bar of all words."""

    stage: str
    rule: str
    blocks: int = 0
    words: int = 0
    evidence: list[str] = field(default_factory=list)
    share: float = 0.0
    before: float = 0.0
    """The shares of all tallies in front of it."""

    def add(self, block: Block) -> None:
        self.blocks += 1
        self.words += block.words
        evidence = evidence_of(block)
        if evidence and evidence not in self.evidence and len(self.evidence) < _EVIDENCE:
            self.evidence.append(evidence)


def evidence_of(block: Block) -> str:
    """What the rule that removed a block saw; nothing where that is the score, which stands beside it.

    >>> block = Block("Home", 1, 1, "li", score=0.0678)
    >>> block.remove("score", "learned", "0.06")
    >>> evidence_of(block)
    ''
    """
    told = block.removed.evidence if block.removed else ""
    return "" if block.score is not None and _NUMBER.fullmatch(told) else told


def shown_blocks(blocks: Sequence[Block]) -> Sequence[Block]:
    """All, as a rule; of too many the kept ones, then the first of the others, in page order.

    >>> kept, removed = (Block(text, 1, 0, "p") for text in ("Text", "Menu"))
    >>> removed.remove("score", "learned")
    >>> len(shown_blocks([kept] * 9)), [block.text for block in shown_blocks([*[removed] * MOST_BLOCKS, kept])[-2:]]
    (9, ['Menu', 'Text'])
    """
    if len(blocks) <= MOST_BLOCKS:
        return blocks
    chosen = sorted(range(len(blocks)), key=lambda place: not blocks[place].kept)[:MOST_BLOCKS]
    return [blocks[place] for place in sorted(chosen)]


def run_views(document: Document) -> Iterator[RunView]:
    blocks = shown_blocks(document.blocks)
    weights = feature_weights(document.page, [block.index for block in blocks])
    by_block = dict(zip((block.index for block in blocks), weights or (), strict=False))
    for run in runs(blocks):
        views = [
            BlockView(block, document.page.notes.get(block.index, ""), by_block.get(block.index, ()))
            for block in run.blocks
        ]
        yield RunView(run, views)


def tallies(blocks: Sequence[Block]) -> list[Tally]:
    """Kept first, then the rules by words removed."""
    found: dict[tuple[str, str], Tally] = {}
    for block in blocks:
        stage, rule = stage_of(block), block.removed.rule if block.removed else ""
        found.setdefault((stage, rule), Tally(stage, rule)).add(block)
    listed = sorted(found.values(), key=lambda tally: (tally.stage != "kept", -tally.words, tally.rule))
    total, before = sum(tally.words for tally in listed) or 1, 0.0
    for tally in listed:
        tally.share, tally.before = tally.words / total, before
        before += tally.share
    return listed

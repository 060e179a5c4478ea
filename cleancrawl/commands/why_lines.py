"""Verdicts on blocks as a person at a terminal reads them: in columns, in colours, with menus folded."""

from __future__ import annotations

from collections.abc import Iterator

from cleancrawl.commands.printing import Styled
from cleancrawl.commands.terminal import Terminal, columns, fitted, padded
from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.page import LEFT_OUT
from cleancrawl.core.text.control_characters import shown
from cleancrawl.report.block_runs import Run, fate, runs
from cleancrawl.report.block_views import evidence_of
from cleancrawl.report.stages import stage_of

_WIDEST_FATE, _WIDEST_TAG, _NARROWEST_TEXT = 26, 10, 24
_GAP = "  "


def why(document: Document, terminal: Terminal, *, unfold: bool = False) -> Styled:
    """A line per block or folded run, and what they come to."""
    return Styled("\n".join(_Listing(document, terminal, unfold).lines()))


class _Listing:
    """The columns: number, sign, verdict, score, tag, then evidence and text."""

    def __init__(self, document: Document, terminal: Terminal, unfold: bool) -> None:
        blocks = document.blocks
        self.document, self.terminal = document, terminal
        self.runs = [Run(blocks, False)] if unfold else list(runs(blocks))
        listed = [block for run in self.runs if not run.folded for block in run.blocks]
        self.fates = min(_WIDEST_FATE, max((len(fate(block)) for block in listed), default=0))
        self.tags = min(_WIDEST_TAG, max((len(block.tag) for block in listed), default=0))
        self.numbers = len(str(len(blocks)))

    def lines(self) -> Iterator[str]:
        notes = self.document.page.notes
        for run in self.runs:
            if run.folded:
                yield self.folded(run)
            else:
                for block in run.blocks:
                    yield self.line(block, notes.get(block.index, ""))
        yield from self.sums()

    def line(self, block: Block, note: str) -> str:
        style = stage_of(block)
        score = "" if block.score is None else f"{block.score:.2f}"
        start = f"{block.index:>{self.numbers}} {'-' if block.removed else '+'} "
        verdict = padded(fitted(shown(fate(block)), self.fates), self.fates)
        tag = padded(fitted(shown(block.tag), self.tags), self.tags)
        aside = " · ".join(filter(None, (evidence_of(block), note)))
        room = self.terminal.width - columns(start + verdict + tag) - 4 - 3 * len(_GAP)
        aside = fitted(" ".join(shown(aside).split()), max(room // 2, _NARROWEST_TEXT)) + _GAP if aside else ""
        text = _one_line(block, max(room - columns(aside), _NARROWEST_TEXT))
        return (
            self.terminal.styled(start + verdict, style)
            + self.terminal.styled(f"{_GAP}{score:>4}{_GAP}{tag}{_GAP}{aside}", "dim")
            + (text if block.removed is None else self.terminal.styled(text, "dim"))
        )

    def folded(self, run: Run) -> str:
        first, last = run.blocks[0].index, run.blocks[-1].index
        told = ", ".join(f"{rule} {count:,}" for rule, count in run.fates())
        start = f"{first:>{self.numbers}} … "
        head = fitted(shown(f"{len(run.blocks):,} short or linked blocks to {last}{_GAP}{told}"), self.terminal.width)
        room = self.terminal.width - columns(start + head) - len(_GAP)
        sample = _GAP + fitted(shown(run.sample()), room) if room >= _NARROWEST_TEXT else ""
        return self.terminal.styled(start + head + sample, "dim")

    def sums(self) -> Iterator[str]:
        page, blocks = self.document.page, self.document.blocks
        if page.left_out:
            yield f"{page.left_out:,} more blocks {LEFT_OUT}: only the longest were looked at"
        if any(run.folded for run in self.runs):
            kept, words = len(page.kept), sum(block.words for block in page.kept)
            said = f"{kept:,} of {len(blocks):,} blocks kept, {words:,} words; --unfold lists every block"
            yield self.terminal.styled(said, "dim")


def _one_line(block: Block, width: int) -> str:
    # Cut first: a block may be as long as a page.
    return fitted(shown(" ".join(block.text[: 8 * width].split())), width)

"""Runs of removed blocks that nobody wants to read one by one: menus, lists of links, buttons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cleancrawl.core.block import Block

SHORT = 12
"""Words up to which a removed block may be an entry of a menu; with more, most of them must be links."""
LEAST = 4
"""Blocks that are worth folding."""
_SAMPLES = 4
_SAMPLE_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks one after another; a folded run is all menu."""

    blocks: Sequence[Block]
    folded: bool

    @property
    def words(self) -> int:
        return sum(block.words for block in self.blocks)

    def fates(self) -> list[tuple[str, int]]:
        """How many of the blocks which rule removed, the most frequent first."""
        return Counter(fate(block) for block in self.blocks).most_common()

    def sample(self) -> str:
        """The first words of the first blocks.

        >>> Run([Block(text, 1, 1, "li") for text in ("Home", "The weather in all of the north")], True).sample()
        'Home · The weather in all of …'
        """
        starts = [" ".join(block.text[:200].split()) for block in self.blocks[:_SAMPLES]]
        short = [text if len(text) <= _SAMPLE_CHARACTERS else text[: _SAMPLE_CHARACTERS - 2] + "…" for text in starts]
        return " · ".join(short) + (" · …" if len(self.blocks) > _SAMPLES else "")


def fate(block: Block) -> str:
    """
    >>> fate(Block("A storm.", 2, 0, "p"))
    'kept'
    """
    return f"{block.removed.stage}: {block.removed.rule}" if block.removed else "kept"


def is_menu(block: Block) -> bool:
    """Whether a removed block is an entry of a menu, a button, a teaser that is a link; a headline is none of these."""
    if block.removed is None or block.tag == "h1":
        return False
    return block.words <= SHORT or 2 * block.link_words >= block.words


def runs(blocks: Sequence[Block], least: int = LEAST) -> Iterator[Run]:
    """All blocks in their order: folded runs of at least so many, and what stands between them.

    >>> menu = [Block("Home", 1, 1, "li") for _ in range(5)]
    >>> for entry in menu: entry.remove("score", "learned")
    >>> [(len(run.blocks), run.folded) for run in runs([*menu, Block("A storm.", 2, 0, "p"), *menu[:2]])]
    [(5, True), (3, False)]
    """
    start = plain = 0
    while start < len(blocks):
        end = start
        while end < len(blocks) and is_menu(blocks[end]):
            end += 1
        if end - start >= least:
            if plain < start:
                yield Run(blocks[plain:start], False)
            yield Run(blocks[start:end], True)
            plain = end
        start = max(end, start + 1)
    if plain < len(blocks):
        yield Run(blocks[plain:], False)

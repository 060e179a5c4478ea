"""What the text segmentation learned about all blocks of a page at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.characters import SPACE, UNSPACED, character_kinds
from cleancrawl.core.primary.rules import Hit

Ints = NDArray[np.int64]

BLOCK_FACTS, CONTAINER_FACTS = 7, 8


@dataclass(slots=True, eq=False)
class Layout:
    """Arrays over blocks and over containers (block-level elements, in document order; 0 is the document).

    The blocks of a container and its descendants are ``first_block[c]:end_block[c]``, so that any sum over a
    subtree is a difference of two prefix sums.
    """

    container: Ints
    """The innermost container of each block."""
    link_words: Ints
    link_chars: Ints
    strong_chars: Ints
    links: Ints
    images: Ints
    """Images met since the block before."""
    marks: Ints
    """``time``, ``input`` and ``label`` elements met since the block before."""
    parent: Ints
    tag: Ints
    """``tags.TAG_IDS`` of each container."""
    depth: Ints
    hints: Ints
    """Bits of ``core.hints`` in the class, id, role and itemprop of each container."""
    hidden: Ints
    """The outermost hidden container around each container, or 0."""
    path: Ints
    """The same number for containers with the same tags from the root."""
    class_path: Ints
    """The same number for containers with the same tags and classes from the root."""
    first_block: Ints
    end_block: Ints
    kinds: NDArray[np.uint8]
    """The kind of each character of all blocks' texts, joined by line feeds."""
    lengths: Ints
    """Characters of each block."""
    owner: Ints
    """The block of each character; the line feed after a text is the text's."""
    hits: dict[int, Hit] = field(default_factory=dict)
    """Containers that a rule on tags and attributes hits (METHODS A2)."""
    social: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Blocks with links to social sites: the first site, and the characters in all such links."""

    @classmethod
    def of(cls, blocks: Sequence[int], containers: Sequence[int], ends: Sequence[int], texts: Sequence[str]) -> Layout:
        """From rows of block facts and container facts in the order of the fields."""
        of_blocks = np.array(blocks, dtype=np.int64).reshape(-1, BLOCK_FACTS).T.copy()
        of_containers = np.array(containers, dtype=np.int64).reshape(-1, CONTAINER_FACTS).T.copy()
        lengths = np.array(list(map(len, texts)), dtype=np.int64)
        owner = np.repeat(np.arange(len(texts)), lengths + 1)[:-1]
        kinds = character_kinds("\n".join(texts))
        columns = (*of_blocks, *of_containers, np.array(ends, dtype=np.int64), kinds, lengths, owner)
        return cls(*columns)

    def count_words(self) -> Ints:
        """``text.count_words`` of every block, all at once."""
        unspaced = self.kinds == UNSPACED
        word = (self.kinds != SPACE) & ~unspaced
        word[1:] &= ~word[:-1]
        word |= unspaced
        return np.bincount(self.owner[word], minlength=len(self.lengths))

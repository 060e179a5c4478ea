"""METHODS A3: the smallest subtree that wraps the content, and punctuation inside it."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree
from lxml.html import HtmlElement

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.methods.core_content.div_td_blocks import content_root

STAGE = "primary"
LITERAL_MARKS = ",."
ALL_MARKS = ",.;:!?…、。，．！？；：｡､،؛؟۔।॥"
"""With the Chinese, Japanese, Arabic, Urdu and Devanagari forms."""


@dataclass(frozen=True, slots=True)
class PunctuationPruning:
    """Marks blocks without punctuation; the literal values are the defaults.

    The rulings for other recipes are ``marks=ALL_MARKS`` and ``keep_headings=True``.
    """

    marks: str = LITERAL_MARKS
    small: int = 10
    """Blocks with fewer words are judged together with the next block, or the previous one where there is no next."""
    share: float = 1.0
    """How much of the page's text the smallest subtree must wrap; what lies outside is noise."""
    keep_headings: bool = False
    """Whether headings directly above a kept block survive."""

    def __call__(self, page: Page) -> None:
        blocks = page.kept
        if self.share < 1.0:
            blocks = self._inside_subtree(page, blocks)
        for group in self._groups(blocks):
            text = "".join(block.text for block in group)
            if not any(mark in text for mark in self.marks):
                for block in group:
                    block.remove(STAGE, "no-punctuation", f"{sum(block.words for block in group)} words")
        if self.keep_headings:
            _restore_headings(blocks)

    def _inside_subtree(self, page: Page, blocks: list[Block]) -> list[Block]:
        subtree = minimal_subtree(content_root(page), blocks, self.share)
        nodes = set() if subtree is None else set(subtree.iter())
        inside = []
        for block in blocks:
            if block.node is None or block.node in nodes:
                inside.append(block)
            else:
                block.remove(STAGE, "outside-content")
        return inside

    def _groups(self, blocks: list[Block]) -> list[list[Block]]:
        groups: list[list[Block]] = []
        pending: list[Block] = []
        for block in blocks:
            pending.append(block)
            if block.words >= self.small:
                groups.append(pending)
                pending = []
        if pending and groups:
            groups[-1] += pending
        elif pending:
            groups.append(pending)
        return groups


def minimal_subtree(root: HtmlElement, blocks: list[Block], share: float = 1.0) -> HtmlElement | None:
    """The deepest element that wraps at least ``share`` (more than half) of the blocks' text; None without text."""
    sizes: dict[HtmlElement, int] = {}
    for block in blocks:
        if block.node is not None:
            sizes[block.node] = sizes.get(block.node, 0) + len(block.text)
    wanted = share * sum(sizes.values())
    if not wanted:
        return None
    size = 0
    before: list[int] = []
    for event, node in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            before.append(size)
            size += sizes.get(node, 0)
        elif size - before.pop() >= wanted:
            # Elements that wrap more than half lie inside each other: the first to end is the deepest.
            return node
    return root


def _restore_headings(blocks: list[Block]) -> None:
    below_kept = False
    for block in reversed(blocks):
        if block.removed is None:
            below_kept = True
        elif block.tag in HEADINGS and block.removed.rule == "no-punctuation" and below_kept:
            block.removed = None
        else:
            below_kept = False

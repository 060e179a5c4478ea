"""METHODS A2: primary noise by tags, on pages that were cut along a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, NamedTuple, cast

from lxml import etree
from lxml.html import HtmlElement

from cleancrawl.core.block import Block
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.rules.attributes import AttributeRules, Hit
from cleancrawl.core.rules.links import LONGEST_ITEM, copyright_notice, search_box, social_link, utility_link
from cleancrawl.methods.core_content.div_td_blocks import BLOCK_TAGS, UNSEEN_TAGS, content_root

STAGE = "primary"
LINK_TAGS = frozenset({"a", "area"})
SEARCH_TAGS = frozenset({"input", "form", "search"})
ELEMENT_ONLY = frozenset({"plugin"})
"""Rules that take out their element and never the block around it."""


class Span(NamedTuple):
    """A hit element as it lies in the walk: counters when it started and when it ended."""

    start: int
    end: int
    """In elements."""
    first: int
    last: int
    """In blocks that start inside it."""
    size: int
    """Characters of text in it."""
    around: int
    """The block that the element lies in, or that it is; -1 where there is none."""
    own: int
    """Characters of text that the hit covers of that block's own."""
    hit: Hit


class _Open(NamedTuple):
    """An element that was hit, or a link, until it ends."""

    node: HtmlElement
    hit: Hit | None
    start: int
    first: int
    size: int
    around: int
    own: int


@dataclass(frozen=True, slots=True)
class TagRules:
    """Marks blocks that a rule of A2 hits; the rule's name is the reason.

    The literal values are the defaults; the rulings for other recipes are ``scope="element"``, ``link_share=0.5`` and
    rules without ``foreign-image``.
    """

    heeds: ClassVar[frozenset[str]] = frozenset({"ad_domains"})

    scope: Literal["block", "element"] = "block"
    """What a hit removes beside its subtree: the block around it, or that only where nothing else is left of it."""
    link_share: float = 0.0
    """The share of a block's text that social or utility links must carry to remove it; 0: any such link does."""
    max_share: float = 0.5
    """An element with more than this share of the page's text is never hit."""
    rules: AttributeRules = field(default_factory=AttributeRules)

    def tailored(self, wishes: Wishes) -> TagRules:
        return replace(self, rules=self.rules.with_domains(wishes.ad_domains))

    def __call__(self, page: Page) -> None:
        walk = _Walk(page, self.rules)
        walk.run(content_root(page))
        self._mark_spans(page.blocks, walk)
        walk.add_copyright_notices(page.blocks)
        self._mark_links(page.blocks, walk)

    def _mark_spans(self, blocks: list[Block], walk: _Walk) -> None:
        """Outermost hits first; what lies inside one that counted is not looked at again, so nesting costs nothing."""
        covered = [0] * len(blocks)
        reasons: dict[int, Hit] = {}
        done = 0
        for span in sorted(walk.spans):
            if span.start < done or span.size > self.max_share * walk.size:
                continue
            done = span.end
            rule, evidence = span.hit
            for position in range(span.first, span.last):
                blocks[walk.order[position]].remove(STAGE, rule, evidence)
            if span.around >= 0:
                covered[span.around] += span.own
                reasons.setdefault(span.around, span.hit)
                if self.scope == "block" and rule not in ELEMENT_ONLY:
                    blocks[span.around].remove(STAGE, rule, evidence)
        for index, (rule, evidence) in reasons.items():
            if covered[index] >= walk.own[index] > 0:
                blocks[index].remove(STAGE, rule, evidence)

    def _mark_links(self, blocks: list[Block], walk: _Walk) -> None:
        for index, found in walk.links.items():
            for rule, (evidence, size) in found.items():
                if size >= self.link_share * walk.own[index]:
                    blocks[index].remove(STAGE, rule, evidence)


class _Walk:
    """One walk over the tree: where hits lie, which blocks they cover, and what links each block has."""

    def __init__(self, page: Page, rules: AttributeRules) -> None:
        self.rules, self.site = rules, page.domain
        self.numbers: dict[HtmlElement, list[int]] = {}
        for block in page.blocks:
            if block.node is not None:
                self.numbers.setdefault(block.node, []).append(block.index)
        self.order: list[int] = []
        """Indices of the blocks in the order of the walk."""
        self.own = [0] * len(page.blocks)
        """Characters of text of each block, as the walk sees them."""
        self.size = 0
        self.spans: list[Span] = []
        self.links: dict[int, dict[str, tuple[str, int]]] = {}
        """By block, then rule: the first evidence, and the characters in all such links."""
        self._around = [-1]
        self._hits: list[_Open] = []
        self._anchors: list[_Open] = []

    def run(self, root: HtmlElement) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        count = 0
        for event, node in walk:
            if event == "start":
                count += 1
                if node.tag in UNSEEN_TAGS:
                    walk.skip_subtree()
                else:
                    self._start(node, count)
                    self._text(node.text)
            else:
                self._end(node, count)
                if node is not root:
                    self._text(node.tail)

    def _start(self, node: HtmlElement, count: int) -> None:
        tag, attributes = str(node.tag), cast("Mapping[str, str]", node.attrib)
        first, around = len(self.order), self._around[-1]
        if self._cuts(node):
            indices = self.numbers.get(node, [])
            self.order += indices
            self._around.append(indices[0] if indices else -1)
            around = -1
        hit = self.rules.hit(tag, attributes, self.site)
        if hit is not None:
            own = self.own[around] if around >= 0 else 0
            self._hits.append(_Open(node, hit, count, first, self.size, around, own))
        if tag in LINK_TAGS:
            self._anchors.append(_Open(node, None, count, first, self.size, around, 0))
        elif tag in SEARCH_TAGS and search_box(tag, attributes):
            self._add_link(self._around[-1], "utility-links", "search box", 0)

    def _end(self, node: HtmlElement, count: int) -> None:
        if self._cuts(node):
            self._around.pop()
        if self._anchors and self._anchors[-1].node is node:
            self._end_anchor(self._anchors.pop())
        if self._hits and self._hits[-1].node is node and (opened := self._hits.pop()).hit is not None:
            own = self.own[opened.around] - opened.own if opened.around >= 0 else 0
            size = self.size - opened.size
            last = len(self.order)
            self.spans.append(
                Span(opened.start, count + 1, opened.first, last, size, opened.around, own, opened.hit),
            )

    def _cuts(self, node: HtmlElement) -> bool:
        return node.tag in BLOCK_TAGS or node in self.numbers

    def _text(self, text: str | None) -> None:
        if text and (size := len(text.strip())):
            self.size += size
            if self._around[-1] >= 0:
                self.own[self._around[-1]] += size

    def _end_anchor(self, opened: _Open) -> None:
        href = opened.node.get("href") or ""
        size = self.size - opened.size
        text = "".join(opened.node.itertext()) if size <= LONGEST_ITEM else ""
        rule, evidence = "social-links", social_link(href)
        if not evidence:
            rule, evidence = "utility-links", utility_link(href, text)
        if evidence:
            if opened.around >= 0:
                self._add_link(opened.around, rule, evidence, size)
            for position in range(opened.first, len(self.order)):
                index = self.order[position]
                self._add_link(index, rule, evidence, self.own[index])

    def _add_link(self, index: int, rule: str, evidence: str, size: int) -> None:
        if index >= 0:
            found = self.links.setdefault(index, {})
            before = found.get(rule, (evidence, 0))
            found[rule] = before[0], before[1] + size

    def add_copyright_notices(self, blocks: list[Block]) -> None:
        for block in blocks:
            if block.removed is None:
                for line in block.text.split("\n"):
                    notice = copyright_notice(line)
                    if notice:
                        self._add_link(block.index, "utility-links", notice, len(line))

"""The user's rules for a site, applied to a page: the first stage that marks, and the last."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from lxml import etree

from cleancrawl.core.block import Removal
from cleancrawl.core.page import Page
from cleancrawl.core.rules.selectors import Matcher, Selector
from cleancrawl.core.rules.site_rules import SiteRules
from cleancrawl.core.segmentation.collector import Collector
from cleancrawl.core.segmentation.text_layout import TextLayout

KEEP, DROP = "site-keep", "site-drop"


@dataclass(frozen=True, slots=True)
class SiteCorrections:
    """Find the blocks that the rules of the page's site speak of. Needs text blocks; other sites' pages cost nothing.

    What is dropped is marked at once, so that later stages work without it (of two copies the other one stays);
    ``LastWord`` does the rest.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout

    rules: SiteRules = field(default_factory=SiteRules)

    def __call__(self, page: Page) -> None:
        found = self.rules.of(page.url)
        if found is None or not page.blocks:
            return
        for index, (rule, selector) in ruled_blocks(page, found["keep"], found["drop"]).items():
            dropped = rule == DROP
            page.corrections[index] = removal = Removal("primary", rule, selector) if dropped else None
            if removal is not None:
                page.blocks[index].removed = removal
            else:
                earlier = page.notes.get(index)
                page.notes[index] = f"{rule} ({selector})" + (f"; {earlier}" if earlier else "")


@dataclass(frozen=True, slots=True)
class LastWord:
    """Give the blocks of ``page.corrections`` their verdict, whatever stages said since."""

    def __call__(self, page: Page) -> None:
        for index, removal in page.corrections.items():
            page.blocks[index].removed = removal


def ruled_blocks(page: Page, keep: tuple[Selector, ...], drop: tuple[Selector, ...]) -> dict[int, tuple[str, str]]:
    """Rule and selector by the index of a block.

    The innermost element that a selector matches decides, and ``keep`` where both match the same one. A block is
    dropped with at least half of its text, and kept with any of it.
    """
    selectors = (*keep, *drop)
    matcher = Matcher(selectors)
    root = page.tree
    candidates = matcher.candidates(root)
    if not candidates:
        return {}
    collector = _RuledCollector(len(keep))
    # What ends in an element and in all above it; then in its last child, and in all its children so far.
    level = [0, 0, 0, 0]
    stack = [level]
    for event, node in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            collector.end(str(node.tag))
            collector.leave()
            stack.pop()
            level = stack[-1]
        else:
            own = candidates.get(node, 0)
            matched = matcher.matched(own, *level) if own else 0
            level[2] = matched
            level[3] |= matched
            level = [matched, level[1] | matched, 0, 0]
            stack.append(level)
            collector.start(str(node.tag), {str(name): str(value) for name, value in node.attrib.items()})
            collector.enter(matcher.selector(matched) if matched else None)
            if node.text:
                collector.data(node.text)
        if event == "end" and node.tail:
            collector.data(node.tail)
    texts = collector.result()[0]
    # A tree that ends before its page does has fewer blocks, which are the same up to there.
    return {
        index: (KEEP if number < len(keep) else DROP, selectors[number].source)
        for index, number in collector.found.items()
        if index < len(page.blocks) and page.blocks[index].text == texts[index]
    }


class _RuledCollector(Collector):
    """A parser target that cuts as ``Collector`` does and counts whose text each block is made of."""

    __slots__ = ("_chars", "_kept", "_stack", "found")

    def __init__(self, kept: int) -> None:
        super().__init__()
        self._kept = kept
        self._stack: list[int | None] = [None]
        self._chars: dict[int | None, int] = {}
        self.found: dict[int, int] = {}
        """The number of the selector that decides, by the index of a block."""

    def enter(self, number: int | None) -> None:
        self._stack.append(self._stack[-1] if number is None else number)

    def leave(self) -> None:
        self._stack.pop()

    def add(self, data: str) -> None:
        super().add(data)
        number = self._stack[-1]
        self._chars[number] = self._chars.get(number, 0) + len("".join(data.split()))

    def flush(self) -> None:
        index = len(self.texts)
        super().flush()
        chars, self._chars = self._chars, {}
        if len(self.texts) == index or chars.keys() == {None}:
            return
        dropped = {number: count for number, count in chars.items() if number is not None and number >= self._kept}
        kept = {number: count for number, count in chars.items() if number is not None and number < self._kept}
        chosen = dropped if 2 * sum(dropped.values()) >= sum(chars.values()) else kept
        if chosen:
            self.found[index] = max(chosen, key=chosen.__getitem__)

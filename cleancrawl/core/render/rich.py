"""The segmentation into text blocks once more, this time with the markup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cleancrawl.core.html.tags import BLOCK, IMAGE, KINDS
from cleancrawl.core.render.builder import TreeBuilder, code_language
from cleancrawl.core.render.inline import InlineRun
from cleancrawl.core.render.nodes import DROPPED, INLINE, Node, printable
from cleancrawl.core.segmentation.collector import Collector, is_hidden


@dataclass(slots=True)
class _Figure:
    """An open figure: the blocks and the wanted blocks before it, and its images."""

    first: int
    made: int
    images: list[Node] = field(default_factory=list)


class RichCollector(Collector):
    """A parser target that cuts exactly as ``Collector`` does and builds a tree of the wanted blocks.

    ``wanted`` has the text of each block, None where it is not wanted; where it is None itself, every block is.
    """

    __slots__ = ("_figures", "_inline", "_language", "_made", "_wanted", "builder")

    def __init__(self, wanted: Sequence[str | None] | None, base: str | None) -> None:
        super().__init__()
        self._wanted = wanted
        self._inline = InlineRun(base)
        self._figures: list[_Figure] = []
        self._language = ""
        self._made = 0
        self.builder = TreeBuilder()

    def wanted(self, index: int) -> bool:
        wanted = self._wanted
        return wanted is None or (0 <= index < len(wanted) and wanted[index] is not None)

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        skipping = self.skip_tag
        super().start(tag, attrs)
        if skipping or self.skip_tag:
            return
        if self.preformatted and tag in ("pre", "code") and "class" in attrs:
            self._language = code_language(attrs["class"]) or self._language
        if tag in INLINE:
            self._inline.open(tag, attrs)
        elif KINDS.get(tag) == IMAGE and not is_hidden(attrs):
            self._inline.image(attrs)

    def open(self, tag: str, attrs: dict[str, str]) -> None:
        self._end_run(len(self.texts))
        super().open(tag, attrs)
        self.builder.open(tag, attrs)
        if tag == "pre":
            self._language = ""
        if tag == "figure":
            self._figures.append(_Figure(len(self.texts), self._made))

    def end(self, tag: str) -> None:
        skipping = self.skip_tag
        super().end(tag)
        if skipping:
            return
        if KINDS.get(tag) == BLOCK:
            self._end_run(len(self.texts))
            self.builder.close()
            if tag == "figure" and self._figures:
                self._close_figure(self._figures.pop())
        elif tag in INLINE:
            self._inline.close(tag)

    def take(self) -> None:
        data = "".join(self.pending)
        super().take()
        if not self.skip_tag and self.wanted(len(self.texts)):
            self._inline.text(data)

    def line_break(self) -> None:
        ends = self.broke and not self.preformatted
        super().line_break()
        if not ends and self.parts:
            self._inline.line_break()

    def flush(self) -> None:
        index = len(self.texts)
        preformatted = self.preformatted > 0
        super().flush()
        if len(self.texts) == index or not self.wanted(index):
            self._end_run(index)
            return
        self._made += 1
        children, _ = self._inline.take()
        own = self.texts[index]
        text = own if self._wanted is None else self._wanted[index] or ""
        if preformatted:
            self.builder.lines(printable(text), self._language)
        elif text == own:
            self.builder.leaf(children)
        else:
            # A stage has cut the block's text: the markup no longer fits it.
            self.builder.leaf([printable(" ".join(text.split()))])

    def _end_run(self, index: int) -> None:
        """Images in a run without wanted text: they stay where wanted text surrounds them."""
        _, images = self._inline.take()
        if not images or len(self.texts) > index:
            return
        if self._figures:
            self._figures[-1].images.extend(images)
        elif not (self.wanted(index - 1) and self.wanted(index)):
            return
        self.builder.current.children.extend(images)

    def _close_figure(self, figure: _Figure) -> None:
        """A figure's images stay with its caption, or between wanted blocks."""
        captioned = self._made > figure.made
        if not captioned and not (self.wanted(figure.first - 1) and self.wanted(len(self.texts))):
            for image in figure.images:
                image.tag = DROPPED

    def tree(self) -> Node:
        """What was built, once the page was fed."""
        if self.pending:
            self.take()
        if self.parts:
            self.flush()
        return self.builder.root

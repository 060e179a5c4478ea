"""A page's elements and texts as flat lists, found while parsing: a tree without nodes and without a depth limit.

lxml's own tree loses the text below some 250 levels; a parser target does not.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from itertools import accumulate

from cleancrawl.core.html.head import Head, HeadCollector, feed
from cleancrawl.core.html.tags import OUTLINE_UNSEEN
from cleancrawl.core.text.words import count_words, normalise

PHRASING = frozenset(
    {
        *(
            "a",
            "abbr",
            "acronym",
            "b",
            "bdi",
            "bdo",
            "big",
            "cite",
            "code",
            "data",
            "del",
            "dfn",
            "em",
            "font",
            "i",
            "ins",
        ),
        *("kbd", "label", "mark", "nobr", "q", "ruby", "rt", "s", "samp", "small", "span", "strike", "strong", "sub"),
        *("sup", "time", "tt", "u", "var", "wbr", "img", "picture", "source", "button"),
    }
)
"""Elements inside a line of text; any other starts a line and ends one."""


class Outline:
    """Elements in document order, as parallel lists; ``texts`` are the runs of text between them."""

    __slots__ = ("_words", "breaks", "ends", "linked", "owners", "parents", "tags", "text_ends", "text_starts", "texts")

    def __init__(self) -> None:
        self.tags: list[str] = []
        self.parents: list[int] = []
        self.ends: list[int] = []
        """The number after an element's last descendant."""
        self.text_starts: list[int] = []
        self.text_ends: list[int] = []
        """Which of ``texts`` lie in an element, descendants included."""
        self.texts: list[str] = []
        self.breaks: list[bool] = []
        """Whether a text starts a line."""
        self.owners: list[int] = []
        """The element that holds a text; -1 outside of all."""
        self.linked: list[bool] = []
        """Whether a text lies inside an anchor."""
        self._words: list[int] | None = None

    def children(self, element: int) -> list[int]:
        child, found = element + 1, []
        while child < self.ends[element]:
            found.append(child)
            child = self.ends[child]
        return found

    def lines(self, start: int, end: int) -> str:
        """Texts ``start`` to ``end`` with a line each for paragraphs and the like."""
        lines: list[list[str]] = []
        for text, breaks in zip(self.texts[start:end], self.breaks[start:end], strict=True):
            if breaks or not lines:
                lines.append([])
            lines[-1].append(text)
        joined = (normalise("".join(line)) for line in lines)
        return "\n".join(line for line in joined if line)

    @property
    def word_counts(self) -> list[int]:
        """The number of words in each text."""
        if self._words is None:
            self._words = [count_words(text) for text in self.texts]
        return self._words

    def words_before(self, *, linked: bool = False) -> list[int]:
        """Running totals: entry ``i`` counts the (linked) words of the texts before ``i``."""
        counts = self.word_counts
        chosen = (
            [count if inside else 0 for count, inside in zip(counts, self.linked, strict=True)] if linked else counts
        )
        return list(accumulate(chosen, initial=0))


class _Collector:
    """A parser target that fills an outline and the page's head."""

    def __init__(self, unwrapped: AbstractSet[str]) -> None:
        self.head = HeadCollector()
        self.outline = Outline()
        self.unwrapped = unwrapped
        self.stack: list[int] = []
        self.skipped: list[str] = []
        self.anchors = 0
        self.broke = True

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if tag in HeadCollector.tags:
            self.head.start(tag, attrs)
        if self.skipped or tag in OUTLINE_UNSEEN:
            # Only the element that started the skipping is counted: what is inside it may nest as it likes.
            if not self.skipped or tag == self.skipped[0]:
                self.skipped.append(tag)
            return
        self.anchors += tag == "a"
        self.broke = self.broke or tag not in PHRASING
        if tag in self.unwrapped:
            return
        outline = self.outline
        number = len(outline.tags)
        outline.tags.append(tag)
        outline.parents.append(self.stack[-1] if self.stack else -1)
        outline.ends.append(number + 1)
        outline.text_starts.append(len(outline.texts))
        outline.text_ends.append(len(outline.texts))
        self.stack.append(number)

    def end(self, tag: str) -> None:
        if self.head.text is not None:
            self.head.end(tag)
        if self.skipped:
            if tag == self.skipped[0]:
                self.skipped.pop()
            return
        self.anchors -= tag == "a"
        self.broke = self.broke or tag not in PHRASING
        if tag not in self.unwrapped and self.stack:
            self._close()

    def _close(self) -> None:
        number = self.stack.pop()
        self.outline.ends[number] = len(self.outline.tags)
        self.outline.text_ends[number] = len(self.outline.texts)

    def data(self, data: str) -> None:
        if self.head.text is not None:
            self.head.data(data)
        if self.skipped:
            return
        outline = self.outline
        if data.isspace():
            # White space alone is no text of its own, but it keeps the words on its two sides apart.
            if outline.texts and not self.broke:
                outline.texts[-1] += " "
            return
        outline.texts.append(data)
        outline.breaks.append(self.broke)
        outline.owners.append(self.stack[-1] if self.stack else -1)
        outline.linked.append(self.anchors > 0)
        self.broke = False

    def comment(self, text: str) -> None:
        pass

    def close(self) -> Outline:
        while self.stack:
            self._close()
        return self.outline


def read_outline(html: str, unwrapped: AbstractSet[str] = frozenset()) -> tuple[Outline, Head]:
    """The outline of a page, and its head; unwrapped elements leave their text to their parents.

    >>> outline, _ = read_outline("<body><p>a <b>b</b></p><p>c", {"b"})
    >>> outline.tags, outline.lines(0, 3)
    (['html', 'body', 'p', 'p'], 'a b\\nc')
    """
    collector = _Collector(unwrapped)
    feed(html, collector)
    return collector.close(), collector.head.close()

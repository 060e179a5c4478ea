"""From a parser's events to a page's text blocks: a target for lxml's parser."""

from __future__ import annotations

import numpy as np

from cleancrawl.core.html.head import Head, HeadCollector
from cleancrawl.core.html.tags import BLOCK, BREAK, HEAD, IMAGE, KINDS, LINK, MARK, NEVER_TEXT, SKIP, STRONG, TAG_IDS
from cleancrawl.core.rules.attributes import AttributeRules, Hit
from cleancrawl.core.rules.class_hints import cached_hints, hints_of
from cleancrawl.core.rules.embedded_ads import BEARERS, ad_hint, add_hit, embedded_hit, sized_hit
from cleancrawl.core.rules.links import link_rules
from cleancrawl.core.segmentation.text_layout import (
    BLOCK_COLUMNS,
    CONTAINER_COLUMNS,
    Hits,
    Names,
    TextLayout,
    ToldLinks,
    measure,
)
from cleancrawl.core.text.control_characters import without_controls
from cleancrawl.core.text.words import count_words, normalise, without_invisible

LINE = "\ue0fe"
"""Stands for a ``br`` until white space is collapsed; a private character no page has a use for."""
_STREAMED = "S:"  # React sends parts of a page hidden under such ids, and moves them to their places at once
_OPENED = len(CONTAINER_COLUMNS) - 1  # the last column, where a container ends, is known once it is closed
_NO_RULES = AttributeRules(enabled=frozenset())


class Collector:
    """A parser target. Works on plain lists of numbers: a page has thousands of events.

    The text between two tags counts as one, however many pieces the parser sends it in.
    """

    __slots__ = (
        "ad_hint",
        "broke",
        "class_names",
        "container_facts",
        "current",
        "data",
        "ends",
        "facts",
        "head",
        "head_text",
        "hits",
        "images",
        "in_link",
        "in_strong",
        "link_chars",
        "link_hit",
        "link_told",
        "link_words",
        "links",
        "marks",
        "parts",
        "paths",
        "pending",
        "preformatted",
        "rules",
        "skip_depth",
        "skip_tag",
        "stack",
        "strong_chars",
        "texts",
        "told_links",
        "unseen",
        "with_lines",
    )

    def __init__(self, rules: AttributeRules = _NO_RULES) -> None:
        self.rules = rules
        self.ad_hint = ad_hint()
        self.link_told = link_rules(rules).told
        self.hits: Hits = {}
        self.told_links: ToldLinks = {}
        self.class_names: Names = {}
        self.link_hit: Hit | None = None
        self.head = HeadCollector()
        self.texts: list[str] = []
        # One flat list of numbers each, a row per block or container: nothing for the garbage collector to walk.
        self.facts: list[int] = []
        self.container_facts: list[int] = [0] * _OPENED
        self.ends: list[int] = [0]
        self.paths: dict[object, int] = {}
        # Number, tag path, class path and outermost hidden ancestor of the open containers.
        self.current: tuple[int, int, int, int] = (0, 0, 0, 0)
        self.stack = [self.current]
        self.parts: list[str] = []
        self.pending: list[str] = []
        self.data = self.pending.append
        self.skip_tag = ""
        self.skip_depth = self.unseen = 0
        self.head_text = False
        self.in_link = self.in_strong = self.preformatted = 0
        self.broke = self.with_lines = False
        self.link_chars = self.link_words = self.strong_chars = self.links = self.images = self.marks = 0

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if self.pending:
            self.take()
        if self.skip_tag:
            if tag == self.skip_tag:
                self.skip_depth += 1
            return
        if tag in BEARERS and (hit := embedded_hit(self.rules, tag, attrs, self.in_link > 0)):
            add_hit(self.hits, self.current[0], hit)
        kind = KINDS.get(tag, 0)
        if kind == BLOCK:
            if self.parts:
                self.flush()
            self.open(tag, attrs)
            return
        if kind == LINK:
            self.in_link += 1
            self.links += 1
            self.link_hit = self.link_told(attrs["href"]) if "href" in attrs else None
        elif kind == STRONG:
            self.in_strong += 1
        elif kind and self.without_text(kind, tag, attrs):
            return
        if attrs and ("style" in attrs or "hidden" in attrs or "aria-hidden" in attrs) and is_hidden(attrs):
            # Its end tag will not be seen as such.
            self.in_link -= kind == LINK
            self.in_strong -= kind == STRONG
            self.skip_tag, self.skip_depth = tag, 1

    def without_text(self, kind: int, tag: str, attrs: dict[str, str]) -> bool:
        """Take an element that has no text of its own; false where it may have some."""
        if kind == MARK:
            self.marks += 1
            return False
        if kind == IMAGE:
            self.images += 1
        elif kind == BREAK:
            self.line_break()
        elif kind == SKIP:
            self.skip_tag, self.skip_depth = tag, 1
            if tag == "script":
                self.head.start(tag, attrs)
                self.head_text = self.head.text is not None
        elif kind == HEAD:
            self.head.start(tag, attrs)
            if tag == "title":
                self.skip_tag, self.skip_depth, self.head_text = tag, 1, self.head.text is not None
        return True

    def open(self, tag: str, attrs: dict[str, str]) -> None:
        """Add a container."""
        parent, path, class_path, hidden = self.current
        ends, stack, paths = self.ends, self.stack, self.paths
        number = len(ends)
        ends.append(0)
        tag_id = TAG_IDS[tag]
        path = paths.setdefault(path << 7 | tag_id, number)
        if attrs:
            identity = attrs.get("class", "")
            known = cached_hints(identity)
            hints = hints_of(identity) if known is None else known
            if not identity or len(attrs) > 1:
                # Half of all have a class alone.
                hints, hidden = self.read(tag, attrs, hints, number, hidden)
            if hints & self.ad_hint:
                hit = self.rules.hit(tag, attrs)
            else:
                hit = sized_hit(attrs) if tag == "div" and "style" in attrs else None
            if hit:
                self.hits[number] = hit
            class_path = paths.setdefault((class_path, tag_id, identity), number)
            if identity and class_path == number:
                self.class_names[number] = identity
        else:
            hints = 0
            # Negative, so that it never meets the key of a tag path.
            class_path = paths.setdefault(-(class_path << 7 | tag_id), number)
        if tag == "dialog" and not hidden and "open" not in attrs:
            hidden = number  # browsers show a dialog only once a script has opened it
        self.container_facts += (parent, tag_id, len(stack), hints, hidden, path, class_path, len(self.texts))
        self.current = (number, path, class_path, hidden)
        stack.append(self.current)
        if tag == "pre":
            self.preformatted += 1

    def read(self, tag: str, attrs: dict[str, str], hints: int, number: int, hidden: int) -> tuple[int, int]:
        """Hints and the outermost hidden container, with what a container's attributes beside its class tell."""
        if "id" in attrs:
            hints |= hints_of(attrs["id"])
        if "role" in attrs:
            hints |= hints_of(attrs["role"])
        if "itemprop" in attrs:
            hints |= hints_of(attrs["itemprop"])
        if "Comment" in attrs.get("itemtype", ""):
            # Of schema.org's types only this one: what the others name, classes name too.
            hints |= hints_of(attrs["itemtype"])
        if ("style" in attrs or "hidden" in attrs or "aria-hidden" in attrs) and not hidden and is_hidden(attrs, tag):
            hidden = number
        if tag == "html":
            self.head.start(tag, attrs)
        return hints, hidden

    def end(self, tag: str) -> None:
        if self.pending:
            self.take()
        if self.skip_tag:
            if tag == self.skip_tag:
                self.skip_depth -= 1
                if not self.skip_depth:
                    self.skip_tag = ""
                    if self.head_text:
                        self.head.end(tag)
                        self.head_text = False
            return
        kind = KINDS.get(tag, 0)
        if kind == BLOCK:
            if self.parts:
                self.flush()
            stack = self.stack
            if len(stack) > 1:
                self.ends[stack.pop()[0]] = len(self.texts)
                self.current = stack[-1]
            if tag == "pre":
                self.preformatted -= 1
        elif kind == LINK:
            self.in_link -= 1
            self.link_hit = None
        elif kind == STRONG:
            self.in_strong -= 1

    def take(self) -> None:
        """Take the text since the last tag."""
        pending = self.pending
        data = pending[0] if len(pending) == 1 else "".join(pending)
        pending.clear()
        if self.skip_tag:
            if self.head_text:
                self.head.data(data)
            elif self.skip_tag not in NEVER_TEXT:
                self.unseen += len(data)
            return
        if data.isspace():
            if self.parts:
                self.parts.append(data)
            return
        self.add(data)

    def add(self, data: str) -> None:
        """Add text for a reader to the block."""
        self.parts.append(data)
        self.broke = False
        if self.in_link > 0:
            self.link_chars += len(data)
            self.link_words += count_words(data)
            if self.link_hit:
                first, chars = self.told_links.get(len(self.texts), (self.link_hit, 0))
                self.told_links[len(self.texts)] = first, chars + len(data.strip())
        if self.in_strong > 0:
            self.strong_chars += len(data)

    def line_break(self) -> None:
        if not self.parts:
            return
        if self.broke and not self.preformatted:
            self.flush()
        else:
            self.parts.append(LINE)
            self.with_lines = self.broke = True

    def flush(self) -> None:
        """Close the block of the text met so far; text without a letter or digit makes none."""
        raw = self.parts[0] if len(self.parts) == 1 else "".join(self.parts)
        self.parts.clear()
        if self.preformatted or self.with_lines:
            text = lines(raw, self.preformatted > 0)
            self.with_lines = False
        else:
            text = plain(raw)
        self.broke = False
        if len(text) < 4 and not any(map(str.isalnum, text)):
            self.told_links.pop(len(self.texts), None)
            return
        self.texts.append(text)
        self.facts += (
            self.current[0],
            self.link_words,
            self.link_chars,
            self.strong_chars,
            self.links,
            self.images,
            self.marks,
        )
        self.images = self.marks = 0
        if self.links or self.link_chars:
            self.link_chars = self.link_words = self.links = 0
        if self.strong_chars:
            self.strong_chars = 0

    def close(self) -> None:
        pass

    def finish(self) -> list[str]:
        """The texts, once the page was fed."""
        if self.pending:
            self.take()
        if self.parts:
            self.flush()
        return self.texts

    def result(self) -> tuple[list[str], TextLayout, Head]:
        """Texts, arrays and head, once the page was fed."""
        texts = self.finish()
        for open_container in self.stack:
            self.ends[open_container[0]] = len(texts)
        # As many columns as the layout has, or this fails.
        blocks = np.array(self.facts, dtype=np.int64).reshape(len(texts), len(BLOCK_COLUMNS)).T.copy()
        boxes = np.array(self.container_facts, dtype=np.int64).reshape(len(self.ends), _OPENED).T.copy()
        containers = (*boxes, np.array(self.ends, dtype=np.int64))
        layout = TextLayout.of(blocks, containers, measure(texts), self.hits, self.told_links, self.class_names)
        return texts, layout, self.head.close()


def is_hidden(attrs: dict[str, str], tag: str = "") -> bool:
    """Whether an element says itself that nobody sees it.

    A paragraph that screen readers are to pass over is there to be seen.

    >>> is_hidden({"hidden": ""}), is_hidden({"style": "Display : none"}), is_hidden({"aria-hidden": "false"})
    (True, True, False)
    >>> is_hidden({"hidden": "", "id": "S:3"})
    False
    >>> is_hidden({"aria-hidden": "true"}, "div"), is_hidden({"aria-hidden": "true"}, "p")
    (True, False)
    """
    if "hidden" in attrs and attrs["hidden"] != "until-found" and not attrs.get("id", "").startswith(_STREAMED):
        return True
    if attrs.get("aria-hidden") == "true" and tag != "p":
        return True
    if "style" in attrs:
        style = attrs["style"].replace(" ", "").lower()
        return "display:none" in style or "visibility:hidden" in style
    return False


def plain(raw: str) -> str:
    """The text of a block in one line.

    >>> plain(" one\\n two\\u00ad ")
    'one two'
    """
    return normalise(raw.strip())


def lines(raw: str, preformatted: bool) -> str:
    """The text of a block with lines of its own.

    >>> lines(f" one  two {LINE} three", False), lines("\\n  if x:\\n    y\\n", True)
    ('one two\\nthree', '  if x:\\n    y')
    """
    raw = without_controls(without_invisible(raw))
    if preformatted:
        kept = [line.rstrip().replace("\xa0", " ") for line in raw.replace(LINE, "\n").split("\n")]
        while kept and not kept[0]:
            del kept[0]
        while kept and not kept[-1]:
            del kept[-1]
        return "\n".join(kept)
    kept = [" ".join(line.split()) for line in raw.split(LINE)]
    return "\n".join(line for line in kept if line)

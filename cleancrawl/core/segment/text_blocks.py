"""Text blocks: the finest pieces of text between block-level tags, found while parsing, without a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import repeat

from cleancrawl.core.head import Head, HeadCollector, feed
from cleancrawl.core.hints import cached_hints, hint_names, hints_of
from cleancrawl.core.page import Block, Page
from cleancrawl.core.primary.links import social_link
from cleancrawl.core.primary.rules import AttributeRules, Hit
from cleancrawl.core.segment.layout import CONTAINER_FACTS, Layout
from cleancrawl.core.segment.tags import BLOCK, BLOCK_TAGS, BREAK, HEAD, IMAGE, KINDS, LINK, MARK, SKIP, STRONG, TAG_IDS
from cleancrawl.core.text import count_words, without_invisible

_LINE = "\ue0fe"  # stands for a <br> until white space is collapsed; a private character no page has a use for
_TAGS = ("", *BLOCK_TAGS)
_STREAMED = "S:"  # React sends parts of a page hidden under such ids, and moves them to their places at once
# Elements without text for a reader that are left open by mistake, and then hold the rest of the page.
_SWALLOWING = re.compile(r"</?(?:noscript|template|object|iframe|canvas|audio|video|map|applet|noframes)\b[^>]*>", re.I)
_NEVER_TEXT = frozenset({"script", "style", "svg", "title", "select", "datalist", "textarea"})
_NO_RULES = AttributeRules(enabled=frozenset())


@dataclass(frozen=True, slots=True)
class TextBlocks:
    """METHODS B1 with HTML5's tags: a block ends where a block-level tag opens or closes, or at two ``br`` in a row.

    One pass of the parser fills ``page.blocks``, ``page.head`` and ``page.layout``. Inline tags neither split nor glue
    words; ``pre`` keeps its lines; scripts, style sheets, form controls and inline hidden elements leave no text.
    """

    rules: AttributeRules = field(default_factory=AttributeRules)
    """Asked about block-level elements whose class or id hints at an advertisement; other elements cost too much."""
    min_unseen: int = 1000
    """Where more characters than this, and four times those that are left, lie in elements such as ``noscript``, one
    of them was not closed: the page is read again as if it had none."""

    def __call__(self, page: Page) -> None:
        collector = Collector(self.rules)
        feed(page.html, collector)
        if collector.unseen > self.min_unseen and collector.unseen > 4 * sum(map(len, collector.texts)):
            page.html = _SWALLOWING.sub(" ", page.html)
            collector = Collector(self.rules)
            feed(page.html, collector)
        page.blocks, page.layout, page.head = collector.result()


class Collector:
    """A parser target. Works on plain lists of numbers: a page has thousands of events."""

    __slots__ = (
        "ad_hint",
        "broke",
        "container_facts",
        "current",
        "ends",
        "facts",
        "head",
        "head_text",
        "hits",
        "images",
        "in_link",
        "in_strong",
        "link_chars",
        "link_words",
        "links",
        "marks",
        "parts",
        "paths",
        "preformatted",
        "rules",
        "skip_depth",
        "skip_tag",
        "social",
        "social_site",
        "stack",
        "strong_chars",
        "texts",
        "unseen",
        "with_lines",
    )

    def __init__(self, rules: AttributeRules = _NO_RULES) -> None:
        self.rules = rules
        self.ad_hint = 1 << hint_names().index("ad")
        self.hits: dict[int, Hit] = {}
        self.social: dict[int, tuple[str, int]] = {}
        self.social_site: str | None = None
        self.head = HeadCollector()
        self.texts: list[str] = []
        # One flat list of numbers each, a row per block or container: nothing for the garbage collector to walk.
        self.facts: list[int] = []
        self.container_facts: list[int] = [0] * CONTAINER_FACTS
        self.ends: list[int] = [0]
        self.paths: dict[object, int] = {}
        # Number, tag path, class path and outermost hidden ancestor of the open containers.
        self.current: tuple[int, int, int, int] = (0, 0, 0, 0)
        self.stack = [self.current]
        self.parts: list[str] = []
        self.skip_tag = ""
        self.skip_depth = self.unseen = 0
        self.head_text = False
        self.in_link = self.in_strong = self.preformatted = 0
        self.broke = self.with_lines = False
        self.link_chars = self.link_words = self.strong_chars = self.links = self.images = self.marks = 0

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        if self.skip_tag:
            if tag == self.skip_tag:
                self.skip_depth += 1
            return
        kind = KINDS.get(tag, 0)
        if kind == BLOCK:
            if self.parts:
                self.flush()
            self.open(tag, attrs)
            return
        if kind == LINK:
            self.in_link += 1
            self.links += 1
            self.social_site = social_link(attrs["href"]) if "href" in attrs else None
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
            if hints & self.ad_hint and (hit := self.rules.hit(tag, attrs)):
                self.hits[number] = hit
            class_path = paths.setdefault((class_path, tag_id, identity), number)
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
        if ("style" in attrs or "hidden" in attrs or "aria-hidden" in attrs) and not hidden and is_hidden(attrs):
            hidden = number
        if tag == "html":
            self.head.start(tag, attrs)
        return hints, hidden

    def end(self, tag: str) -> None:
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
            self.social_site = None
        elif kind == STRONG:
            self.in_strong -= 1

    def data(self, data: str) -> None:
        if self.skip_tag:
            if self.head_text:
                self.head.data(data)
            elif self.skip_tag not in _NEVER_TEXT:
                self.unseen += len(data)
            return
        if data.isspace():
            if self.parts:
                self.parts.append(data)
            return
        self.parts.append(data)
        self.broke = False
        if self.in_link > 0:
            self.link_chars += len(data)
            self.link_words += count_words(data)
            if self.social_site:
                site, chars = self.social.get(len(self.texts), (self.social_site, 0))
                self.social[len(self.texts)] = site, chars + len(data.strip())
        if self.in_strong > 0:
            self.strong_chars += len(data)

    def line_break(self) -> None:
        if not self.parts:
            return
        if self.broke and not self.preformatted:
            self.flush()
        else:
            self.parts.append(_LINE)
            self.with_lines = self.broke = True

    def flush(self) -> None:
        """Close the block of the text met so far; text without a letter or digit makes none."""
        raw = self.parts[0] if len(self.parts) == 1 else "".join(self.parts)
        self.parts.clear()
        if self.preformatted or self.with_lines:
            text = _lines(without_invisible(raw), self.preformatted > 0)
            self.with_lines = False
        else:
            text = raw.strip()
            # The blank is the one white space that is printable, and nothing invisible is: most texts are as they are.
            if "  " in text or not text.isprintable():
                text = " ".join(without_invisible(text).split())
        self.broke = False
        if len(text) < 4 and not any(map(str.isalnum, text)):
            self.social.pop(len(self.texts), None)
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

    def result(self) -> tuple[list[Block], Layout, Head]:
        """Blocks, arrays and head, once the page was fed."""
        if self.parts:
            self.flush()
        texts = self.texts
        for open_container in self.stack:
            self.ends[open_container[0]] = len(texts)
        layout = Layout.of(self.facts, self.container_facts, self.ends, texts)
        layout.hits, layout.social = self.hits, self.social
        tags = map(_TAGS.__getitem__, layout.tag[layout.container].tolist())
        words, link_words = layout.count_words().tolist(), layout.link_words.tolist()
        blocks = list(map(Block, texts, words, link_words, tags, repeat(None), range(len(texts))))
        return blocks, layout, self.head.close()


def is_hidden(attrs: dict[str, str]) -> bool:
    """Whether an element says itself that nobody sees it.

    >>> is_hidden({"hidden": ""}), is_hidden({"style": "Display : none"}), is_hidden({"aria-hidden": "false"})
    (True, True, False)
    >>> is_hidden({"hidden": "", "id": "S:3"})
    False
    """
    if "hidden" in attrs and attrs["hidden"] != "until-found" and not attrs.get("id", "").startswith(_STREAMED):
        return True
    if attrs.get("aria-hidden") == "true":
        return True
    if "style" in attrs:
        style = attrs["style"].replace(" ", "").lower()
        return "display:none" in style or "visibility:hidden" in style
    return False


def _lines(raw: str, preformatted: bool) -> str:
    if preformatted:
        lines = [line.rstrip().replace("\xa0", " ") for line in raw.replace(_LINE, "\n").split("\n")]
        while lines and not lines[0]:
            del lines[0]
        while lines and not lines[-1]:
            del lines[-1]
        return "\n".join(lines)
    lines = [" ".join(line.split()) for line in raw.split(_LINE)]
    return "\n".join(line for line in lines if line)

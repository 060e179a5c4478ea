"""METHODS A1: every DIV and TD is a block of the text that its inner blocks leave to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from lxml import etree
from lxml.html import HtmlElement

from cleancrawl.core.block import Block
from cleancrawl.core.html.tags import ALWAYS_UNSEEN, HEADINGS
from cleancrawl.core.page import Layout, Page
from cleancrawl.core.text.words import count_words, normalise

BLOCK_TAGS = frozenset({"div", "td"})
UNSEEN_TAGS = ALWAYS_UNSEEN | {"canvas", "head"}
"""What no reader sees as text of the page. What is embedded stays: ``tag_rules`` judges it by its source and size."""
LINE_TAGS = HEADINGS | frozenset(
    {"address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "dl", "dt", "fieldset"}
    | {"figcaption", "figure", "footer", "form", "header", "hr", "legend", "li", "main", "nav", "ol", "p", "pre"}
    | {"section", "summary", "table", "tbody", "tfoot", "th", "thead", "tr", "ul"}
)
"""Tags that start and end a line inside a block."""


@dataclass(frozen=True, slots=True)
class DivTdLayout(Layout):
    """The texts of the blocks, parted: what lies inside an A and what does not."""

    link_texts: list[str]
    plain_texts: list[str]
    elements: int
    """All DIVs and TDs, those without text of their own included."""


@dataclass(slots=True)
class _Draft:
    """A block while its element is open."""

    node: HtmlElement
    parts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    heading: str | None = None
    all_heading: bool = True


def content_root(page: Page) -> HtmlElement:
    """The body, or the root where a page has none (framesets)."""
    body = page.tree.find("body")
    return page.tree if body is None else body


@dataclass(frozen=True, slots=True)
class DivTdBlocks:
    """Blocks in the order in which their elements start; elements without text of their own make no block."""

    makes: ClassVar[type[DivTdLayout]] = DivTdLayout

    loose_text: bool = True
    """Whether text outside of every DIV and TD is a block. The letter, False, loses it."""

    def __call__(self, page: Page) -> None:
        body, *elements = _collect(content_root(page))
        drafts = [body, *elements] if self.loose_text else elements
        blocks: list[Block] = []
        links: list[str] = []
        plain: list[str] = []
        for draft in drafts:
            lines = [line for line in map(normalise, "".join(draft.parts).split("\n")) if line]
            if not lines:
                continue
            text, link_text = "\n".join(lines), " ".join(draft.links)
            tag = draft.heading if draft.all_heading and draft.heading else str(draft.node.tag)
            blocks.append(Block(text, count_words(text), count_words(link_text), tag, draft.node, len(blocks)))
            links.append(link_text)
            plain.append(" ".join(draft.plain))
        page.blocks = blocks
        page.layout = DivTdLayout(links, plain, len(elements))


def _collect(root: HtmlElement) -> list[_Draft]:
    """One walk without recursion: text goes to the innermost open DIV or TD."""
    walk = etree.iterwalk(root, events=("start", "end"))
    drafts = [_Draft(root)]
    open_drafts = [drafts[0]]
    links = 0
    heading: str | None = None
    for event, node in walk:
        tag = node.tag
        started = event == "start"
        if tag in UNSEEN_TAGS:
            if started:
                walk.skip_subtree()
                continue
        elif tag in BLOCK_TAGS and node is not root:
            open_drafts[-1].parts.append("\n")
            if started:
                drafts.append(_Draft(node))
                open_drafts.append(drafts[-1])
            else:
                open_drafts.pop()
        elif tag in LINE_TAGS:
            open_drafts[-1].parts.append("\n")
            if tag in HEADINGS:
                heading = tag if started else None
        elif tag == "a":
            links += 1 if started else -1
        text = node.text if started else node.tail if node is not root else None
        if text and not text.isspace():
            _add(open_drafts[-1], text, links > 0, heading)
        elif text:
            open_drafts[-1].parts.append(" ")
    return drafts


def _add(draft: _Draft, text: str, linked: bool, heading: str | None) -> None:
    # Line feeds in the source are blanks; only tags break lines.
    draft.parts.append(text.replace("\n", " "))
    (draft.links if linked else draft.plain).append(text)
    if heading is None:
        draft.all_heading = False
    else:
        draft.heading = draft.heading or heading

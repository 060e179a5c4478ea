"""A cleaned page → the tree of its kept blocks, whatever segmentation made them."""

from __future__ import annotations

from lxml import etree
from lxml.html import HtmlElement

from cleancrawl.core.html.head import feed
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.render.align import wanted_texts
from cleancrawl.core.render.nodes import Node, printable
from cleancrawl.core.render.rich import RichCollector
from cleancrawl.core.render.safe_urls import page_base
from cleancrawl.core.render.tidy import tidy
from cleancrawl.core.text.words import split


def render_tree(page: Page) -> Node:
    """Kept blocks only, in the order of the page, with the structure around them and the markup in them."""
    if not page.kept:
        return Node("body")
    base = page_base(page.url, page.head.base)
    if any(block.node is not None for block in page.blocks):
        return tidy(_from_nodes(page, base))
    wanted = wanted_texts(page)
    if wanted is None:
        return _from_lines(page)
    collector = RichCollector(wanted, base)
    feed(page.html, collector)
    return tidy(collector.tree())


def _from_nodes(page: Page, base: str | None) -> Node:
    """Replays the page's tree with the text of kept blocks only: text belongs to the innermost element with a block."""
    verdicts = {block.node: block.kept for block in page.blocks if block.node is not None}
    collector = RichCollector(None, base)
    body = page.tree.find("body")
    owners = [False]
    walk = etree.iterwalk(page.tree if body is None else body, events=("start", "end", "comment", "pi"))
    for event, node in walk:
        if event == "start":
            owners.append(verdicts.get(node, owners[-1]))
            _start(collector, node, owners[-1])
            continue
        if event == "end":
            collector.end(str(node.tag))
            owners.pop()
        if node.tail and owners[-1]:
            collector.data(node.tail)
    return collector.tree()


def _start(collector: RichCollector, node: HtmlElement, kept: bool) -> None:
    if kept or node.tag != "img":
        collector.start(str(node.tag), {str(name): str(value) for name, value in node.attrib.items()})
    if kept and node.text:
        collector.data(node.text)


def _from_lines(page: Page) -> Node:
    """Blocks that no markup is known of: a paragraph or heading per line."""
    root = Node("body")
    for block in page.kept:
        tag = block.tag if block.tag in HEADINGS else "p"
        lines = (" ".join(split(printable(line))) for line in block.text.split("\n"))
        root.children.extend(Node(tag, {}, [line]) for line in lines if line)
    return root

"""A rendering as CommonMark with GFM's tables."""

from __future__ import annotations

from collections.abc import Callable

from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.render.inline_markdown import inline
from cleancrawl.core.render.markdown_escape import escape_line_start, longest_run
from cleancrawl.core.render.nodes import LISTS, Node


def to_markdown(root: Node) -> str:
    """Blocks apart by empty lines; empty where nothing was kept.

    >>> item = Node("li", {}, [Node("p", {}, ["a"]), Node("ul", {}, [Node("li", {}, [Node("p", {}, ["b"])])])])
    >>> print(to_markdown(Node("body", {}, [Node("h2", {}, ["1. T"]), Node("ol", {"start": "3"}, [item])])))
    ## 1. T
    <BLANKLINE>
    3. a
       - b
    """
    return "\n".join(_blocks(list(root.nodes)))


def _blocks(blocks: list[Node], tight: bool = False) -> list[str]:
    lines: list[str] = []
    before: Node | None = None
    bullet = False
    for block in blocks:
        # Two lists in a row would read as one: the second takes the other marker.
        bullet = block.tag in LISTS and before is not None and before.tag == block.tag and not bullet
        written = _list(block, other_marker=bullet) if block.tag in LISTS else _WRITERS[block.tag](block)
        # Numbers other than 1 do not start a list right after a paragraph.
        joins = tight and block.tag in LISTS and block.attrs.get("start", "1") == "1"
        if lines and written and not joins:
            lines.append("")
        lines.extend(written)
        before = block
    return lines


def _paragraph(node: Node) -> list[str]:
    return [escape_line_start(line) for line in inline(node).split("\n")]


def _heading(node: Node) -> list[str]:
    text = inline(node, line_break=" ")
    # A closing run of # would be taken for the end of the heading.
    closing = text.endswith("#")
    return [f"{'#' * int(node.tag[1])} {text[:-1] + chr(92) + '#' if closing else text}"]


def _preformatted(node: Node) -> list[str]:
    text = "".join(str(child) for child in node.children)
    fence = "`" * max(3, longest_run(text, "`") + 1)
    language = node.attrs.get("class", "").removeprefix("language-")
    return [fence + language, *text.split("\n"), fence]


def _quotation(node: Node) -> list[str]:
    return [f"> {line}" if line else ">" for line in _blocks(list(node.nodes))]


def _list(node: Node, *, other_marker: bool) -> list[str]:
    items = list(node.nodes)
    tight = all(sum(block.tag not in LISTS for block in item.nodes) <= 1 for item in items)
    number = int(node.attrs.get("start", "1"))
    lines: list[str] = []
    for count, item in enumerate(items):
        if node.tag == "ol":
            marker = f"{number + count}{')' if other_marker else '.'} "
        else:
            marker = "* " if other_marker else "- "
        if lines and not tight:
            lines.append("")
        indent = " " * len(marker)
        for line in _blocks(list(item.nodes), tight):
            lines.append((marker if marker else indent) + line if line else "")
            marker = ""
    return lines


def _definitions(node: Node) -> list[str]:
    """CommonMark has no definitions: terms in bold, what they mean below them."""
    blocks: list[Node] = []
    for entry in node.nodes:
        for block in entry.nodes:
            bold = entry.tag == "dt" and block.tag == "p"
            blocks.append(Node("p", {}, [Node("strong", {}, block.children)]) if bold else block)
    return _blocks(blocks)


def _figure(node: Node) -> list[str]:
    images: list[Node | str] = [child for child in node.nodes if child.tag != "figcaption"]
    captions = [block for child in node.nodes if child.tag == "figcaption" for block in child.nodes]
    return _blocks([*(Node("p", {}, [image]) for image in images), *captions])


def _table(node: Node) -> list[str]:
    rows = [child for child in node.nodes if child.tag == "tr"]
    captions = [block for child in node.nodes if child.tag == "caption" for block in child.nodes]
    cells = [[text for cell in row.nodes for text in _cell(cell)] for row in rows]
    width = max(map(len, cells))
    headed = all(cell.tag == "th" for cell in rows[0].nodes)
    header, body = (cells[0], cells[1:]) if headed else ([], cells)
    header = header + [""] * (width - len(header))
    table = [_table_row(header), _table_row(["---"] * width), *map(_table_row, body)]
    return [*_blocks(captions), *([""] if captions else []), *table]


def _cell(cell: Node) -> list[str]:
    """The text of a cell, and empty cells for the columns that it spans."""
    text = " ".join(inline(block, line_break=" ") for block in cell.nodes).replace("|", "\\|")
    return [text] + [""] * (min(int(cell.attrs.get("colspan", "1")), _MAX_SPAN) - 1)


def _table_row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


_MAX_SPAN = 20
_WRITERS: dict[str, Callable[[Node], list[str]]] = {
    **dict.fromkeys(HEADINGS, _heading),
    "p": _paragraph,
    "pre": _preformatted,
    "blockquote": _quotation,
    "dl": _definitions,
    "figure": _figure,
    "table": _table,
}

"""Tables of data, and tables that only lay out a page."""

from __future__ import annotations

from collections.abc import Callable

from cleancrawl.core.render.nodes import Node, plain_text
from cleancrawl.core.render.plain_text import MAX_CELL_WORDS
from cleancrawl.core.text.words import count_words


def table(node: Node, blocks_of: Callable[[Node], list[Node]]) -> list[Node]:
    """A table of data as one node; of any other table the blocks of its cells, in order."""
    rows: list[Node] = []
    captions: list[Node] = []
    others: list[Node] = []
    for child in _without_heads(node):
        if child.tag == "tr":
            rows.extend(_row(child, blocks_of))
        elif child.tag == "caption":
            captions.extend(blocks_of(child))
        else:
            others.extend(blocks_of(Node("", {}, [child])))
    if rows and node.attrs.get("role") != "presentation" and is_data(rows, bool(captions)):
        caption = [Node("caption", {}, list(captions))] if captions else []
        return [*others, Node("table", {}, [*caption, *rows])]
    cells = [block for row in rows for cell in row.nodes for block in cell.nodes]
    return [*captions, *others, *cells]


def is_data(rows: list[Node], captioned: bool = False) -> bool:
    """At least two columns, two rows (or a caption or headers), and short cells of plain text."""
    wide = sum(sum(1 for cell in row.nodes if cell.children) >= 2 for row in rows)
    headed = captioned or any(cell.tag == "th" for row in rows for cell in row.nodes)
    return wide >= (1 if headed and len(rows) > 1 else 2) and all(_is_datum(cell) for row in rows for cell in row.nodes)


def _is_datum(cell: Node) -> bool:
    blocks = list(cell.nodes)
    return all(block.tag == "p" for block in blocks) and sum(map(_words, blocks)) <= MAX_CELL_WORDS


def _words(node: Node) -> int:
    return count_words(plain_text(node))


def _without_heads(node: Node) -> list[Node]:
    """A table's children, with the rows of its head marked as headers."""
    children: list[Node] = []
    for child in node.nodes:
        if child.tag == "thead":
            for row in child.nodes:
                for cell in row.nodes:
                    if cell.tag == "td" and row.tag == "tr":
                        cell.tag = "th"
                children.append(row)
        else:
            children.append(child)
    return children


def _row(node: Node, blocks_of: Callable[[Node], list[Node]]) -> list[Node]:
    """A row with all its cells, empty ones included: they keep the columns in line."""
    cells = []
    for child in node.nodes:
        if child.tag in ("td", "th"):
            cells.append(Node(child.tag, child.attrs, list(blocks_of(child))))
        else:
            cells.append(Node("td", {}, list(blocks_of(Node("", {}, [child])))))
    return [Node("tr", {}, list(cells))] if any(cell.children for cell in cells) else []

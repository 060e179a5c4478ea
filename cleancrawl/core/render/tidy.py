"""From the raw structure of a page to one that both HTML and Markdown can say.

Afterwards there are only

- ``h1`` to ``h6`` and ``p`` with inline children, ``pre`` with text,
- ``ul`` and ``ol`` of ``li``, ``dl`` of ``dt`` and ``dd``, ``blockquote``,
- ``table`` of ``tr`` of ``th`` and ``td``, with an optional ``caption`` first,
- ``figure`` of images, with an optional ``figcaption`` last;

items, terms, quotations, cells and captions hold blocks. Only cells may be empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.render.nodes import DROPPED, LISTS, Node, plain_text
from cleancrawl.core.render.table_rows import table


def tidy(root: Node) -> Node:
    """The same content in sound structure; images that come again are left out."""
    _drop_repeated_images(root, set())
    return Node(root.tag, {}, list(_blocks(root)))


def _drop_repeated_images(node: Node, seen: set[str]) -> None:
    kept: list[Node | str] = []
    for child in node.children:
        if isinstance(child, Node):
            if child.tag == "img":
                if child.attrs["src"] in seen:
                    continue
                seen.add(child.attrs["src"])
            else:
                _drop_repeated_images(child, seen)
        kept.append(child)
    node.children = kept


def _blocks(parent: Node) -> list[Node]:
    """The children of a node as sound blocks; items and terms without their list get one."""
    blocks: list[Node] = []
    for child in parent.nodes:
        for made in _TIDY.get(child.tag, _blocks)(child):
            wrapper = _WRAPPERS.get(made.tag)
            if wrapper is None:
                blocks.append(made)
            elif blocks and blocks[-1].tag == wrapper and blocks[-1].attrs.get("loose"):
                blocks[-1].children.append(made)
            else:
                blocks.append(Node(wrapper, {"loose": "loose"}, [made]))
    for block in blocks:
        block.attrs.pop("loose", None)
    return blocks


def _alone(child: Node) -> list[Node]:
    """One child as sound blocks."""
    return _blocks(Node("", {}, [child]))


def _paragraph(node: Node) -> list[Node]:
    return [node] if _has_content(node) else []


def _image(node: Node) -> list[Node]:
    return [Node("p", {}, [node])]


def _heading(node: Node) -> list[Node]:
    """Each paragraph in a heading is a heading; anything larger stands for itself."""
    return [Node(node.tag, {}, block.children) if block.tag == "p" else block for block in _blocks(node)]


def _preformatted(node: Node) -> list[Node]:
    return [Node("pre", node.attrs, node.children)]


def _holder(node: Node) -> list[Node]:
    """An element that holds blocks and is nothing without them."""
    blocks = _blocks(node)
    return [Node(node.tag, node.attrs, list(blocks))] if blocks else []


def _list(node: Node) -> list[Node]:
    """A list of items; what lies between them is an item of its own, a list between them belongs to the one before."""
    items: list[Node] = []
    for child in node.nodes:
        if child.tag == "li":
            items.extend(_items(child, node.tag))
            continue
        for block in _alone(child):
            if block.tag in LISTS and items:
                items[-1].children.append(block)
            else:
                items.append(Node("li", {}, [block]))
    return [Node(node.tag, node.attrs, list(items))] if items else []


def _items(node: Node, kind: str) -> list[Node]:
    """An item; where nothing of it was kept but a list of the same kind, that list's items."""
    held = _holder(node)
    blocks = [block for item in held for block in item.nodes]
    return list(blocks[0].nodes) if len(blocks) == 1 and blocks[0].tag == kind else held


def _definitions(node: Node) -> list[Node]:
    entries: list[Node] = []
    for child in node.nodes:
        if child.tag in ("dt", "dd"):
            entries.extend(_holder(child))
        else:
            entries.extend(Node("dd", {}, [block]) for block in _alone(child))
    return [Node("dl", {}, list(entries))] if entries else []


def _figure(node: Node) -> list[Node]:
    """Images with their captions; without an image a figure is just its blocks."""
    images: list[Node] = []
    captions: list[Node] = []
    others: list[Node] = []
    for block in _blocks_of_figure(node):
        if block.tag == "figcaption":
            captions.extend(block.nodes)
        elif block.tag == "p" and not plain_text(block).strip():
            images.extend(block.nodes)
        else:
            others.append(block)
    if not images:
        return captions + others
    caption = " ".join("".join(map(plain_text, captions)).split())
    for image in _images_in(images):
        if image.attrs["alt"] == caption:
            image.attrs["alt"] = ""  # readers would get the same sentence twice
    held = [Node("figcaption", {}, list(captions))] if captions else []
    return [Node("figure", {}, [*images, *held]), *others]


def _blocks_of_figure(node: Node) -> Iterable[Node]:
    for child in node.nodes:
        yield from _holder(child) if child.tag == "figcaption" else _alone(child)


def _images_in(nodes: Iterable[Node]) -> Iterable[Node]:
    for node in nodes:
        if node.tag == "img":
            yield node
        else:
            yield from _images_in(node.nodes)


def _table(node: Node) -> list[Node]:
    return table(node, _blocks)


def _nothing(node: Node) -> list[Node]:
    return []


def _has_content(node: Node) -> bool:
    return any(
        child.strip() if isinstance(child, str) else child.tag == "img" or _has_content(child)
        for child in node.children
    )


_WRAPPERS = {"li": "ul", "dt": "dl", "dd": "dl"}
_TIDY: dict[str, Callable[[Node], list[Node]]] = {
    **dict.fromkeys(HEADINGS, _heading),
    **dict.fromkeys(LISTS, _list),
    **dict.fromkeys(("li", "dt", "dd", "blockquote"), _holder),
    "p": _paragraph,
    "img": _image,
    "lines": _preformatted,
    "dl": _definitions,
    "figure": _figure,
    "table": _table,
    DROPPED: _nothing,
}
"""By tag; what has no entry (cells without a table, captions without a figure) leaves its blocks to its parent."""

"""A rendering as sanitised HTML that is well-formed XML as well."""

from __future__ import annotations

from html import escape

from cleancrawl.core.render.nodes import LISTS, Node

_VOID = frozenset({"br", "img"})
_UNWRAPPED = frozenset({"li", "dt", "dd", "td", "th", "caption", "figcaption"})
"""Elements whose only paragraph is written without tags of its own."""


def to_html(root: Node) -> str:
    """A fragment: block elements, a line each at the top; empty where nothing was kept.

    >>> to_html(Node("body", {}, [Node("p", {}, ["a < b", Node("br"), Node("a", {"href": 'x"y'}, ["c"])])]))
    '<p>a &lt; b<br/><a href="x&quot;y">c</a></p>'
    """
    return "\n".join(_element(block) for block in root.nodes)


def _element(node: Node) -> str:
    attrs = "".join(f' {name}="{escape(value)}"' for name, value in node.attrs.items())
    if node.tag in _VOID:
        return f"<{node.tag}{attrs}/>"
    return f"<{node.tag}{attrs}>{''.join(map(_child, _children(node)))}</{node.tag}>"


def _child(child: Node | str) -> str:
    return escape(child, quote=False) if isinstance(child, str) else _element(child)


def _children(node: Node) -> list[Node | str]:
    if node.tag in _UNWRAPPED and node.children:
        first, *rest = node.nodes
        if first.tag == "p" and all(block.tag in LISTS for block in rest):
            return [*first.children, *rest]
    return node.children

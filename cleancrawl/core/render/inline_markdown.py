"""Inline nodes as Markdown: emphasis, links, images, code."""

from __future__ import annotations

import unicodedata

from cleancrawl.core.render.markdown_escape import code_span, destination, escape_inline
from cleancrawl.core.render.nodes import Node, plain_text

_MARKS = {"strong": "**", "em": "*", "del": "~~"}


def inline(node: Node, line_break: str = "\\\n") -> str:
    r"""The children of a block.

    >>> print(inline(Node("p", {}, ["a", Node("strong", {}, ["b*"]), Node("br"), Node("a", {"href": "/x"}, ["c!"])])))
    a**b\***\
    [c!](/x)
    """
    return _Inline(line_break).children(node, "", "").strip()


class _Inline:
    def __init__(self, line_break: str) -> None:
        self.line_break = line_break

    def children(self, node: Node, before: str, after: str) -> str:
        """``before`` and ``after``: the characters beside the node, where they are known."""
        written: list[str] = []
        for index, child in enumerate(node.children):
            if isinstance(child, str):
                text = escape_inline(child)
            else:
                text = self.element(
                    child, (written[-1][-1] if written else "") or before, _first_character(node, index + 1) or after
                )
            if text.startswith("[") and written and written[-1].endswith("!"):
                written[-1] = written[-1][:-1] + "\\!"  # or the link would be an image
            if text:
                written.append(text)
        return "".join(written)

    def element(self, node: Node, before: str, after: str) -> str:
        tag = node.tag
        if tag == "br":
            return self.line_break
        if tag == "img":
            return f"![{escape_inline(node.attrs['alt'])}]({destination(node.attrs['src'])})"
        if tag == "code":
            text = " ".join(plain_text(node).split())
            return code_span(text) if text and before != "`" else escape_inline(text)
        if tag == "a":
            return f"[{self.children(node, '[', ']')}]({destination(node.attrs['href'])})"
        mark = _MARKS.get(tag)
        if mark is None:
            return self.children(node, before, after)
        content = self.children(node, mark[0], mark[0])
        if not content or not _flanks(mark, before, content, after):
            return content
        return f"{mark}{content}{mark}"


def _flanks(mark: str, before: str, content: str, after: str) -> bool:
    """Whether CommonMark reads the marks as emphasis here; two marks of one kind side by side would mingle."""
    if mark[0] in (before, after):
        return False
    opens = not _is_punctuation(content[0]) or not before or before.isspace() or _is_punctuation(before)
    closes = not _is_punctuation(content[-1]) or not after or after.isspace() or _is_punctuation(after)
    return opens and closes and "\\\n" not in content[:2]


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _first_character(node: Node, start: int) -> str:
    """The first character of what follows among a node's children; marks of an element count as one."""
    if start >= len(node.children):
        return ""
    child = node.children[start]
    if isinstance(child, str):
        return child[:1]
    if child.tag == "br":
        return "\n"
    return {"strong": "*", "em": "*", "del": "~", "a": "[", "img": "!", "code": "`"}.get(child.tag) or _first_character(
        child, 0
    )

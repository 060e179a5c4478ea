"""Rich text as content systems keep it in JSON: strings, lists of paragraphs, trees of nodes; made into markup."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Any

from cleancrawl.data import read_sections

MOST_CHARACTERS = 2_000_000
_DEEPEST = 12
_MARKUP = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol|a|em|strong|b|i|span)\b", re.IGNORECASE)
_KIND_KEYS = ("type", "_type", "nodeType", "blockType", "__typename", "tag")


class Budget:
    """How many more nodes and characters are looked at: references can make a short list a tree without end."""

    def __init__(self, nodes: int, characters: int = MOST_CHARACTERS) -> None:
        self.nodes = nodes
        self.characters = characters

    def spend(self) -> bool:
        self.nodes -= 1
        return self.nodes > 0

    def cut(self, text: str) -> str:
        """As much of a text as is left to be read."""
        text = text[: self.characters]
        self.characters -= len(text)
        return text


@cache
def keys(section: str) -> tuple[str, ...]:
    return tuple(name for line in read_sections("state_keys.txt")[section] for name in line.split())


@cache
def _kinds(section: str) -> frozenset[str]:
    return frozenset(keys(section))


def to_markup(value: Any, budget: Budget) -> str:
    """
    >>> to_markup("One.\\nTwo < three.", Budget(9))
    '<p>One.</p><p>Two &lt; three.</p>'
    >>> spans = [{"_type": "span", "text": "A storm "}, {"_type": "span", "text": "came."}]
    >>> to_markup([{"_type": "block", "children": spans}, {"_type": "image", "text": "No"}], Budget(9))
    '<p>A storm came.</p>'
    >>> to_markup([{"type": "text", "content": "<b>One</b> two"}, {"type": "header", "content": "Three"}], Budget(9))
    '<p><b>One</b> two</p><h2>Three</h2>'
    >>> to_markup({"rendered": "<p>One</p>"}, Budget(9)), to_markup(["One", "Two"], Budget(9)), to_markup(7, Budget(9))
    ('<p>One</p>', '<p>One</p><p>Two</p>', '')
    """
    if isinstance(value, dict) and not _kind(value):
        wrapped = next((value[key] for key in keys("wrapped") if isinstance(value.get(key), (str, list, dict))), None)
        if wrapped is not None:
            return to_markup(wrapped, budget) if budget.spend() else ""
    return _block(value, budget, 0)


def _block(value: Any, budget: Budget, depth: int) -> str:
    if not budget.spend() or depth > _DEEPEST:
        return ""
    if isinstance(value, str):
        return _paragraphs(budget.cut(value))
    if isinstance(value, list):
        return "".join([_block(entry, budget, depth + 1) for entry in value])
    if not isinstance(value, dict) or (_kind(value) and _kind(value) not in _kinds("blocks")):
        return ""
    children = _children(value)
    if children is None:
        text = _own_text(value)
        return _framed(_kind(value), _marked(budget.cut(text))) if text else ""
    if all(_is_inline(child) for child in children):
        return _framed(_kind(value), "".join([_inline(child, budget, depth + 1) for child in children]))
    return "".join([_block(child, budget, depth + 1) for child in children])


def _inline(value: Any, budget: Budget, depth: int) -> str:
    if not budget.spend() or depth > _DEEPEST:
        return ""
    if isinstance(value, str):
        return _marked(budget.cut(value))
    if not isinstance(value, dict):
        return ""
    children = _children(value)
    if children is None:
        return _marked(budget.cut(_own_text(value)))
    return "".join([_inline(child, budget, depth + 1) for child in children])


def _is_inline(value: Any) -> bool:
    if isinstance(value, dict):
        return _kind(value) in _kinds("inline") or (not _kind(value) and "text" in value)
    return isinstance(value, str)


def _framed(kind: str, inner: str) -> str:
    if not inner.strip():
        return ""
    if re.match(r"<(?:p|div|h[1-6]|ul|ol|blockquote)\b", inner):
        return inner
    tag = "h2" if "head" in kind or re.fullmatch(r"h[1-6]", kind) else "p"
    return f"<{tag}>{inner}</{tag}>"


def _children(node: dict[str, Any]) -> list[Any] | None:
    return next((node[key] for key in keys("children") if isinstance(node.get(key), list)), None)


def _own_text(node: dict[str, Any]) -> str:
    return next((node[key] for key in keys("texts") if isinstance(node.get(key), str)), "")


def _kind(node: dict[str, Any]) -> str:
    kind = next((node[key] for key in _KIND_KEYS if isinstance(node.get(key), str)), "")
    return kind[:40].lower()


def _marked(text: str) -> str:
    return text if _MARKUP.search(text) else escape(text, quote=False)


def _paragraphs(text: str) -> str:
    if _MARKUP.search(text):
        return text if _has_blocks(text) else f"<p>{text}</p>"
    return "".join([f"<p>{escape(line, quote=False)}</p>" for line in map(str.strip, text.split("\n")) if line])


def _has_blocks(text: str) -> bool:
    return re.search(r"<(?:p|br|div|h[1-6]|ul|ol)\b", text, re.IGNORECASE) is not None

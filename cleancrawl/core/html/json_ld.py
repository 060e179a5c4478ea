"""Reading JSON-LD as news sites write it: graphs, arrays, references, and broken JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]

ARTICLE_TYPES = frozenset(
    "article newsarticle reportagenewsarticle analysisnewsarticle opinionnewsarticle backgroundnewsarticle "
    "reviewnewsarticle askpublicnewsarticle blogposting liveblogposting socialmediaposting techarticle "
    "scholarlyarticle medicalscholarlyarticle satiricalarticle advertisercontentarticle report".split()
)
"""schema.org's Article and its subtypes."""

_WRAPPERS = re.compile(
    r"^\s*+(?:<!--|//\s*+<!\[CDATA\[|<!\[CDATA\[|/\*\s*+<!\[CDATA\[\s*+\*/)|(?:-->|//\s*+\]\]>|\]\]>)[\s;]*+$"
)
_OPENS, _CLOSES = ("{", "["), ("}", "]")
"""What needs no unwrapping."""
_TRAILING_COMMA = re.compile(r",(\s*+[}\]])")
_MAX_SOURCE = 2_000_000
_MAX_NODES = 2_000
_MAX_LEVELS = 20
"""Lists in lists of names: what is deeper is no news site's."""
_MAX_NAMES = 200
_MOST_DIGITS = 400
LONGEST_VALUE = 4_000
"""Characters of a value that are worth reading; an address that is longer is none."""


def load(source: str) -> Any:
    """The value of a JSON-LD script, or None where nothing can be read.

    >>> load('<!-- {"a": [1, 2,],} -->'), load('{"a": "line\\nbreak"}'), load("{nothing")
    ({'a': [1, 2]}, {'a': 'line\\nbreak'}, None)
    """
    if len(source) > _MAX_SOURCE:
        return None
    text = source.strip()
    if text[:1] not in _OPENS or text[-1:] not in _CLOSES:
        text = _WRAPPERS.sub("", source).strip().rstrip(";")
    try:
        return _parsed(text)
    except (ValueError, RecursionError):
        try:
            # Most need no mending, and to look for it takes as long as to read them.
            return _parsed(_TRAILING_COMMA.sub(r"\1", text))
        except (ValueError, RecursionError):
            return None


def _parsed(text: str) -> Any:
    return json.loads(text, strict=False, parse_int=whole_number)


def whole_number(digits: str) -> float:
    """A whole number; one that is too long for Python is taken as infinite, so that the rest can be read."""
    return int(digits) if len(digits) < _MOST_DIGITS else float("inf")


def types(node: Node) -> frozenset[str]:
    """The lower-case type names of a node, without their vocabulary.

    >>> sorted(types({"@type": ["https://schema.org/NewsArticle", "Thing"]}))
    ['newsarticle', 'thing']
    """
    declared = node.get("@type")
    names = declared if isinstance(declared, list) else [declared]
    return frozenset(
        name[:LONGEST_VALUE].rsplit("/", 1)[-1].rsplit(":", 1)[-1].lower() for name in names if isinstance(name, str)
    )


def nodes(values: list[Any]) -> list[Node]:
    """All typed objects of the values of all scripts, outermost first, in document order."""
    found: list[Node] = []
    for value in values:
        for node in _walk(value):
            found.append(node)
            if len(found) >= _MAX_NODES:
                return found
    return found


def _walk(value: Any) -> Iterator[Node]:
    queue = [value]
    for value in queue:  # grows while it is walked: breadth first
        if isinstance(value, list):
            queue.extend(value)
        elif isinstance(value, dict):
            if "@type" in value:
                yield value
            queue.extend(child for child in value.values() if isinstance(child, (dict, list)))


def names(value: Any, graph: dict[str, Node]) -> list[str]:
    """The names in an author, publisher or keyword value: strings, objects, references, or lists of them.

    >>> names([{"name": "A"}, "B", {"@id": "#c"}, {"@id": ["#c"]}], {"#c": {"name": "C"}})
    ['A', 'B', 'C']
    """
    found: list[str] = []
    _add_names(value, graph, found, _MAX_LEVELS)
    return found


def _add_names(value: Any, graph: dict[str, Node], found: list[str], levels: int) -> None:
    if isinstance(value, str):
        if value.strip():
            found.append(value[:LONGEST_VALUE])
    elif isinstance(value, list):
        for entry in value[:50] if levels > 0 else ():
            if len(found) >= _MAX_NAMES:
                break
            _add_names(entry, graph, found, levels - 1)
    elif isinstance(value, dict):
        named = value.get("name") or _referred(value, graph).get("name")
        if not isinstance(named, dict):
            _add_names(named, {}, found, levels - 1)


def _referred(node: Node, graph: dict[str, Node]) -> Node:
    """The node that a reference means; an empty one where it is no reference."""
    name = node.get("@id")
    return graph.get(name, {}) if isinstance(name, str) else {}


def text(value: Any) -> str | None:
    """A plain string out of a value that may be a list or a language map."""
    if isinstance(value, list):
        value = next((entry for entry in value if entry), None)
    if isinstance(value, dict):
        value = value.get("@value") or value.get("url") or value.get("@id") or value.get("name")
    return value[:LONGEST_VALUE].strip() or None if isinstance(value, str) else None


def link(value: Any, graph: dict[str, Node]) -> str | None:
    """The address in a value that may be a string, an object, a reference to one, or a list of them.

    >>> link([{"@id": "#lead"}], {"#lead": {"@id": "#lead", "contentUrl": "/a.jpg"}}), link({"name": "A"}, {})
    ('/a.jpg', None)
    """
    if isinstance(value, list):
        value = next((entry for entry in value if entry), None)
    if isinstance(value, dict):
        referred = _referred(value, graph)
        keys = ("url", "contentUrl")
        value = next((node[key] for node in (value, referred) for key in keys if isinstance(node.get(key), str)), None)
    return value.strip() or None if isinstance(value, str) and len(value) <= LONGEST_VALUE else None

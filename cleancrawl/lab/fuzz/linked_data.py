"""JSON-LD with other values in it than schema.org knows."""

from __future__ import annotations

import random
from typing import Any

_ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1.5,
        float("nan"),
        float("inf"),
        10**400,
        "",
        " ",
        "\n",
        "x",
        "\ud800",
        "\x1b[2J",
        "\x00",
    ),
    *(
        "@id",
        "#a",
        "#jane",
        "NewsArticle",
        "2024-05-03",
        "99999-99-99",
        "http://[",
        "//",
        "javascript:1",
        "a@a",
        "<p>b</p>",
    ),
    *([], {}, [[]], [None], [{}], {"": ""}, {"@id": ["x"]}, {"@id": {"@id": "#a"}}, {"@id": "#a"}, {"@value": ["x"]}),
    *(
        {"@type": {"a": 1}},
        {"@type": [["NewsArticle"]]},
        {"name": {"name": {"name": 1}}},
        {"name": [["a"]]},
        {"url": 1},
    ),
)
_BAIT = (
    "<p ",
    "&lt;!--",
    "a@",
    "(",
    "[",
    " - ",
    "<",
    "| ",
    "a ",
    "\n",
    " ,",
    "-->",
    "www.",
    "2024-",
    "&amp;",
    "İ",
    "\t\n",
)
_KEYS = ("@id", "@type", "@graph", "author", "name", "headline", "image", "url", "publisher", "articleBody", "keywords")


def broken_value(value: Any, generator: random.Random) -> Any:
    """A value with a few parts replaced, wrapped, repeated or left out."""
    for _ in range(generator.randint(1, 4)):
        value = _changed(value, generator)
    return value


def _changed(value: Any, generator: random.Random) -> Any:
    if isinstance(value, dict) and value and generator.random() < 0.85:
        key = generator.choice(list(value))
        if generator.random() < 0.1:
            return {**value, generator.choice(_KEYS): _odd(generator)}
        if generator.random() < 0.05:
            return {name: entry for name, entry in value.items() if name != key}
        return {**value, key: _changed(value[key], generator)}
    if isinstance(value, list) and value and generator.random() < 0.85:
        place = generator.randrange(len(value))
        return [*value[:place], _changed(value[place], generator), *value[place + 1 :]]
    return _replaced(value, generator)


def _replaced(value: Any, generator: random.Random) -> Any:
    way = generator.randrange(6)
    if way == 0:
        return [value] * generator.choice((1, 3, 300))
    if way == 1:
        return {generator.choice(_KEYS): value}
    if way == 2:
        bait = "".join(generator.choices(_BAIT, k=generator.choice((1, 1, 2))))
        return bait * generator.choice((10, 1_000, 20_000))
    if way == 3:
        return _nested(value, generator.choice((5, 90, 400)), generator)
    return _odd(generator)


def _odd(generator: random.Random) -> Any:
    return generator.choice(_ODD)


def _nested(value: Any, levels: int, generator: random.Random) -> Any:
    key = generator.choice((*_KEYS, None))
    for _ in range(levels):
        value = [value] if key is None else {key: value}
    return value

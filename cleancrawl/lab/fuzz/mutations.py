"""Ways to break an input. All are a function of the generator, so that a seed gives the same inputs again."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LONGEST = 300_000
"""Bytes of a broken input: enough for a square to show."""
_MOST_STEPS = 6
ODD = (
    *(
        b"\x00",
        b"\x1b[31m",
        b"\x1b]52;c;eA==\x07",
        b"\x07",
        b"\x7f",
        b"\r",
        b"\x0b",
        b"\x0c",
        b"\x1c",
        b"\xff",
        b"\xfe",
    ),
    *(b"\xc2\x9b31m", b"\xc2\x85", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xef\xbf\xbf"),
    *(b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xf0\x9f\x98\x80", b"\xf4\x90\x80\x80", b"\xc3\xa2\xe2\x82\xac\xe2\x84\xa2"),
    *(b"&#0;", b"&#27;", b"&#x80;", b"&#xd800;", b"&#x110000;", b"&#99999999999999999999;", b"&amp;lt;", b"&lt;!--"),
    *("\u0130".encode(), "ß".encode(), "İi".encode(), "北京".encode(), "ก".encode(), "٣".encode(), "ﬃ".encode()),
)
"""Characters and references that parsers, terminals and ``str`` methods stumble over."""


@dataclass(frozen=True, slots=True)
class Material:
    """What mutations draw from beside the input itself."""

    others: Sequence[bytes]
    tokens: Sequence[bytes]


Mutation = Callable[[bytes, random.Random, Material], bytes]


def mutated(body: bytes, generator: random.Random, material: Material) -> bytes:
    """The input after some mutations.

    >>> material = Material([b"other"], [b"<p>"])
    >>> mutated(b"text", random.Random(1), material) == mutated(b"text", random.Random(1), material)
    True
    """
    for _ in range(generator.randint(1, _MOST_STEPS)):
        body = generator.choice(MUTATIONS)(body, generator, material)[:LONGEST]
    return body


def _span(body: bytes, generator: random.Random, most: int = 400) -> tuple[int, int]:
    start = generator.randint(0, len(body))
    return start, min(len(body), start + generator.randint(0, generator.choice((4, 40, most))))


def _put(body: bytes, piece: bytes, generator: random.Random) -> bytes:
    place = generator.randint(0, len(body))
    return body[:place] + piece + body[place:]


def _times(piece: bytes, generator: random.Random) -> int:
    return generator.choice((2, 20, 300, 5_000, LONGEST)) if len(piece) else 0


def cut(body: bytes, generator: random.Random, material: Material) -> bytes:
    start, end = _span(body, generator)
    return body[:start] + body[end:]


def truncate(body: bytes, generator: random.Random, material: Material) -> bytes:
    return body[: generator.randint(0, len(body))]


def repeat(body: bytes, generator: random.Random, material: Material) -> bytes:
    start, end = _span(body, generator)
    piece = body[start:end]
    return body[:start] + (piece * _times(piece, generator))[:LONGEST] + body[end:]


def move(body: bytes, generator: random.Random, material: Material) -> bytes:
    start, end = _span(body, generator)
    return _put(body[:start] + body[end:], body[start:end], generator)


def flip(body: bytes, generator: random.Random, material: Material) -> bytes:
    changed = bytearray(body)
    for _ in range(generator.randint(1, 8) if body else 0):
        changed[generator.randrange(len(changed))] = generator.randrange(256)
    return bytes(changed)


def splice(body: bytes, generator: random.Random, material: Material) -> bytes:
    other = generator.choice(material.others)
    return body[: generator.randint(0, len(body))] + other[generator.randint(0, len(other)) :]


def put_token(body: bytes, generator: random.Random, material: Material) -> bytes:
    return _put(body, generator.choice(material.tokens), generator)


def put_odd(body: bytes, generator: random.Random, material: Material) -> bytes:
    return _put(body, generator.choice(ODD) * generator.choice((1, 1, 3)), generator)


def put_many(body: bytes, generator: random.Random, material: Material) -> bytes:
    """Bait for what grows with the square: one token, or a few, again and again."""
    tokens = generator.choices((*material.tokens, *ODD), k=generator.choice((1, 1, 1, 2, 3)))
    piece = b"".join(tokens)
    return _put(body, (piece * _times(piece, generator))[:LONGEST], generator)


def wrap(body: bytes, generator: random.Random, material: Material) -> bytes:
    """Deep below the same token."""
    piece = generator.choice(material.tokens)
    start, _ = _span(body, generator)
    return body[:start] + piece * generator.choice((10, 300, 3_000)) + body[start:]


MUTATIONS: tuple[Mutation, ...] = (
    *(cut, truncate, repeat, move, flip, splice, put_token, put_token, put_odd, put_odd, put_many, wrap),
)

"""The attacks by name: each makes the input of a size."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

Make = Callable[[int], bytes]
_MODULES = "_attacks"


@dataclass(frozen=True, slots=True)
class Attack:
    """One kind of hostile input."""

    name: str
    make: Make
    """Gives at most so many bytes; hardly less."""
    victim: str
    """What it is given to: a name in ``victims``."""


_KNOWN: dict[str, Attack] = {}


def attack(name: str, victim: str = "page") -> Callable[[Make], Make]:
    """Puts a generator into the table."""

    def register(make: Make) -> Make:
        if name in _KNOWN:
            raise ValueError(f"two attacks are called {name!r}")
        _KNOWN[name] = Attack(name, make, victim)
        return make

    return register


def attacks() -> dict[str, Attack]:
    """All of them, in the order of modules and of lines."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(import_module(package).__path__):
        if module.name.endswith(_MODULES):
            import_module(f"{package}.{module.name}")
    return dict(_KNOWN)


def again_and_again(piece: str, size: int, before: str = "", after: str = "") -> bytes:
    """A piece as often as fits between two others.

    >>> again_and_again("ab", 8, "<", ">")
    b'<ababab>'
    """
    start, middle, end = before.encode(), piece.encode(), after.encode()
    return start + middle * ((size - len(start) - len(end)) // len(middle)) + end


def numbered(pattern: str, size: int, before: str = "", after: str = "") -> bytes:
    """The same with a number in each piece, where the pattern has a ``#``.

    >>> numbered("#,", 5)
    b'0,1,'
    """
    pieces, room, number = [before.encode()], size - len(before.encode()) - len(after.encode()), 0
    first, last = (part.encode() for part in pattern.split("#", 1))
    while True:
        piece = first + str(number).encode() + last
        room -= len(piece)
        if room < 0:
            return b"".join([*pieces, after.encode()])
        pieces.append(piece)
        number += 1

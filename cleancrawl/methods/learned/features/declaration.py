"""Where features are declared: names, their order, and the rows that follow from both.

Every module of features declares its own once, from top to bottom in the order of the rows. To add one:

1. put its name where it belongs in the declaration;
2. fill its row in ``fill_in_python``: ``rows["its name"] = …``;
3. where the module has a compiled twin, name its row in the struct of ``core/native/…_features.pyx`` (blanks become
   underscores) and fill it there as well. A part that does not know a declared feature, or knows one that is not
   declared, refuses to start; one that is known and not filled fails in the tests of both twins;
4. train the model again: it refuses features that it was not trained on;
5. say in ``data/feature_words.txt`` what it means to a reader of explanations.

No row is counted by hand: both twins are given the same places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from cleancrawl.methods.learned.features.sheet import Matrix

_BRACES = re.compile(r"[{}<>]")


@dataclass(frozen=True, slots=True)
class Each:
    """A family: a feature for each of some items, one after another."""

    pattern: str
    placeholder: str
    items: tuple[str, ...]

    def names(self) -> Iterator[str]:
        return (self.pattern.replace(f"{{{self.placeholder}}}", item) for item in self.items)


@dataclass(frozen=True, slots=True)
class Turns:
    """Several features or families for each of some items: those of the first item, those of the second …"""

    members: tuple[str | Each, ...]
    placeholder: str
    items: tuple[str, ...]


def each(pattern: str, **items: Iterable[object]) -> Each:
    """A family, called by its pattern: this one is the rows ``"good in main"``.

    >>> list(each("good in {main}", main=("half", "most")).names())
    ['good in half', 'good in most']
    """
    ((placeholder, listed),) = items.items()
    return Each(pattern, placeholder, tuple(map(str, listed)))


def in_turns(*members: str | Each, **items: Iterable[object]) -> Turns:
    """Features for each of some items.

    >>> Declaration({"beside": [in_turns("words {side}", "links {side}", side=("before", "after"))]}).names
    ('words before', 'links before', 'words after', 'links after')
    """
    ((placeholder, listed),) = items.items()
    return Turns(members, placeholder, tuple(map(str, listed)))


@dataclass(frozen=True, slots=True)
class _InTurns:
    """Where a feature or family is that comes in turns."""

    rows: slice
    turns: int
    within: int | slice


_Place = int | slice | _InTurns


class Declaration:
    """The features of one module, by group.

    >>> declared = Declaration({"sizes": ["words", each("words in {level}", level=("level 0", "level 1")), "good"]})
    >>> declared.names
    ('words', 'words in level 0', 'words in level 1', 'good')
    >>> declared.places
    {'words': 0, 'level_count': 2, 'words_in_level': 1, 'good': 3, 'feature_count': 4}
    """

    __slots__ = ("_rows", "groups", "names", "places")

    def __init__(self, groups: Mapping[str, Sequence[str | Each | Turns]]) -> None:
        self.groups: dict[str, tuple[str, ...]] = {}
        self.names: tuple[str, ...] = ()
        self.places: dict[str, int] = {}
        """For a compiled part: the first row of each feature and family, how many items families have, and how many
        rows lie between two turns. Blanks are underscores."""
        self._rows: dict[str, _Place] = {}
        for group, members in groups.items():
            first = len(self.names)
            for member in members:
                self._add(member)
            self.groups[group] = self.names[first:]
        self.places["feature_count"] = len(self.names)
        if len(set(self.names)) != len(self.names):
            raise ValueError("two features have one name")

    def rows(self, matrix: Matrix) -> Rows:
        """The rows of a module, to be filled by name."""
        return Rows(matrix, self._rows)

    def _add(self, member: str | Each | Turns) -> None:
        start = len(self.names)
        if isinstance(member, Turns):
            self._add_turns(member, start)
        elif isinstance(member, Each):
            self._count(member)
            self.names += tuple(member.names())
            self._put(member.pattern, start, slice(start, len(self.names)))
        else:
            self.names += (member,)
            self._put(member, start, start)

    def _add_turns(self, turns: Turns, start: int) -> None:
        self._count(turns)
        placed: list[tuple[str, int | slice]] = []
        width = 0
        for member in turns.members:
            if isinstance(member, Each):
                self._count(member)
                placed.append((member.pattern, slice(width, width + len(member.items))))
                width += len(member.items)
            else:
                placed.append((member, width))
                width += 1
        for item in turns.items:
            for member in turns.members:
                names = member.names() if isinstance(member, Each) else (member,)
                self.names += tuple(name.replace(f"{{{turns.placeholder}}}", item) for name in names)
        for pattern, within in placed:
            offset = within if isinstance(within, int) else within.start
            self._put(pattern, start + offset, _InTurns(slice(start, len(self.names)), len(turns.items), within))
        self.places[f"{turns.placeholder}_step"] = width

    def _count(self, family: Each | Turns) -> None:
        known = self.places.setdefault(f"{family.placeholder}_count", len(family.items))
        if known != len(family.items):
            raise ValueError(f"families over {family.placeholder} differ in size")

    def _put(self, pattern: str, first: int, place: _Place) -> None:
        name = _BRACES.sub("", pattern)
        if name in self._rows:
            raise ValueError(f"two families are called {name!r}")
        self._rows[name] = place
        self.places[name.replace(" ", "_")] = first


class Rows:
    """Rows by the name of a feature or family: one, several, or several for each turn."""

    __slots__ = ("_matrix", "_places")

    def __init__(self, matrix: Matrix, places: Mapping[str, _Place]) -> None:
        self._matrix = matrix
        self._places = places

    def __getitem__(self, name: str) -> Matrix:
        place = self._places[name]
        if not isinstance(place, _InTurns):
            return self._matrix[place]
        turns = self._matrix[place.rows].reshape(place.turns, -1, self._matrix.shape[1])
        return turns[:, place.within]

    def __setitem__(self, name: str, values: ArrayLike) -> None:
        place = self._places[name]
        if isinstance(place, _InTurns):
            self[name][:] = values
        else:
            self._matrix[place] = values

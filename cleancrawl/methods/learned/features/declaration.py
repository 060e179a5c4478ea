"""Where features are declared: names, their order, and the rows that follow from both.

Every module of features declares its own once, from top to bottom in the order of the rows. To add one:

1. put its name where it belongs in the declaration;
2. fill its row in ``fill_in_python``: ``rows["its name"] = …``. A family of ``flags`` has no rows, but one mask with a
   bit per feature: ``rows["its pattern"] = masks``, so that flags that are not set cost nothing;
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

from cleancrawl.methods.learned.features.sheet import Matrix, Space

_BRACES = re.compile(r"[{}<>]")
_MOST_FLAGS = 63
"""Bits of a mask that is no negative number."""


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


@dataclass(frozen=True, slots=True)
class Flags:
    """A family of features that are 0 or 1, mostly 0: the bits of a mask."""

    family: Each


def flags(pattern: str, **items: Iterable[object]) -> Flags:
    """A family that is kept as bits, the lowest bit for the first item.

    >>> declared = Declaration({"names": ["depth", flags("near {hint}", hint=("ad", "menu")), "hidden"]})
    >>> declared.names, declared.values, declared.bits
    (('depth', 'near ad', 'near menu', 'hidden'), [0, 3], [range(1, 3)])
    """
    return Flags(each(pattern, **items))


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

    __slots__ = ("_masks", "_rows", "bits", "groups", "mask_places", "names", "places", "values")

    def __init__(self, groups: Mapping[str, Sequence[str | Each | Flags | Turns]]) -> None:
        self.groups: dict[str, tuple[str, ...]] = {}
        self.names: tuple[str, ...] = ()
        self.values: list[int] = []
        """The number of the feature in each row."""
        self.bits: list[range] = []
        """The numbers of the features in each mask."""
        self.places: dict[str, int] = {}
        """For a compiled part: the first row of each feature and family, how many items families have, how many
        rows lie between two turns, and how many rows there are. Blanks are underscores."""
        self.mask_places: dict[str, int] = {}
        """For a compiled part: the mask of each family of flags, and how many masks there are."""
        self._rows: dict[str, _Place] = {}
        self._masks: dict[str, int] = {}
        for group, members in groups.items():
            first = len(self.names)
            for member in members:
                self._add(member)
            self.groups[group] = self.names[first:]
        self.places["feature_count"] = len(self.values)
        self.mask_places["mask_count"] = len(self.bits)
        if len(set(self.names)) != len(self.names):
            raise ValueError("two features have one name")

    def rows(self, space: Space) -> Rows:
        """The rows and masks of a module, to be filled by name."""
        return Rows(space, self._rows, self._masks)

    def _add(self, member: str | Each | Flags | Turns) -> None:
        start = len(self.values)
        if isinstance(member, Turns):
            self._add_turns(member, start)
        elif isinstance(member, Flags):
            self._add_flags(member.family)
        elif isinstance(member, Each):
            self._count(member)
            self._name(*member.names())
            self._put(member.pattern, start, slice(start, len(self.values)))
        else:
            self._name(member)
            self._put(member, start, start)

    def _name(self, *names: str) -> None:
        """Features that have a row each."""
        first = len(self.names)
        self.names += names
        self.values += range(first, len(self.names))

    def _add_flags(self, family: Each) -> None:
        self._count(family)
        first, name = len(self.names), _BRACES.sub("", family.pattern)
        self.names += tuple(family.names())
        if len(family.items) > _MOST_FLAGS:
            raise ValueError(f"more flags than bits: {name!r}")
        self._masks[name] = self.mask_places[name.replace(" ", "_")] = len(self.bits)
        self.bits.append(range(first, len(self.names)))

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
                self._name(*(name.replace(f"{{{turns.placeholder}}}", item) for name in names))
        for pattern, within in placed:
            offset = within if isinstance(within, int) else within.start
            self._put(pattern, start + offset, _InTurns(slice(start, len(self.values)), len(turns.items), within))
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
    """Rows by the name of a feature or family: one, several, or several for each turn. Of flags it takes a mask."""

    __slots__ = ("_masks", "_places", "_space")

    def __init__(self, space: Space, places: Mapping[str, _Place], masks: Mapping[str, int]) -> None:
        self._space = space
        self._places = places
        self._masks = masks

    def __getitem__(self, name: str) -> Matrix:
        place = self._places[name]
        values = self._space.values
        if not isinstance(place, _InTurns):
            return values[place]
        turns = values[place.rows].reshape(place.turns, -1, values.shape[1])
        return turns[:, place.within]

    def __setitem__(self, name: str, values: ArrayLike) -> None:
        if name in self._masks:
            self._space.masks[self._masks[name]] = values
        else:
            self[name][...] = values

"""CSS selectors, many at once: which elements of a tree match, in a time that is linear in the page.

XPath looks for the elements of each compound (``p.lead:not(.ad)``) alone. What stands between compounds (``div > p``)
is decided in one walk over the tree: as one expression, ``p + p`` takes minutes on a page of 20,000 paragraphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lxml import etree

if TYPE_CHECKING:
    from lxml.html import HtmlElement

COMBINATORS = (" ", ">", "+", "~")
MOST_COUNTED = 20_000
"""Elements of a page up to which siblings are counted (``:nth-child`` and the like): each counts all before it."""
_PROBE = etree.XML("<html><body><p/></body></html>")


class BadSelector(ValueError):
    """A selector that cannot be used; its text says why."""


@dataclass(frozen=True, slots=True)
class Compound:
    """The part of a selector that speaks of one element, and how that element stands to the part before."""

    combinator: str
    """One of ``COMBINATORS``; empty for the first part."""
    find: etree.XPath
    counts: bool
    """Whether it counts siblings."""


@dataclass(frozen=True, slots=True)
class Selector:
    """A compiled selector: a chain of compounds for each of its alternatives."""

    source: str
    chains: tuple[tuple[Compound, ...], ...]


def compile_selector(source: str) -> Selector:
    """Raises ``BadSelector`` where the text is no CSS selector of elements.

    >>> selector = compile_selector("main > p.lead, h2 + p")
    >>> [[part.combinator for part in chain] for chain in selector.chains]
    [['', '>'], ['', '+']]
    >>> compile_selector("p::text")
    Traceback (most recent call last):
    cleancrawl.core.rules.selectors.BadSelector: ::text selects no elements
    """
    # Imported here: few users have rules for sites.
    from cssselect import SelectorError, parse

    try:
        parsed = parse(source)
    except SelectorError as error:
        raise BadSelector(str(error)) from None
    for alternative in parsed:
        if alternative.pseudo_element is not None:
            name = getattr(alternative.pseudo_element, "name", alternative.pseudo_element)
            raise BadSelector(f"::{name} selects no elements")
    return Selector(source, tuple(tuple(_chain(alternative.parsed_tree)) for alternative in parsed))


def _chain(tree: Any) -> list[Compound]:
    from cssselect.parser import CombinedSelector

    later: list[Compound] = []
    while isinstance(tree, CombinedSelector):
        later.append(_compound(tree.subselector, tree.combinator))
        tree = tree.selector
    return [_compound(tree, ""), *reversed(later)]


def _compound(tree: Any, combinator: str) -> Compound:
    from cssselect import SelectorError
    from parsel.csstranslator import HTMLTranslator

    try:
        path = f"descendant-or-self::{HTMLTranslator().xpath(tree)}"
        find = etree.XPath(path)
        find(_PROBE)
    except (SelectorError, etree.XPathError) as error:
        raise BadSelector(str(error)) from None
    return Compound(combinator, find, "-sibling::" in path)


class Matcher:
    """Some selectors over one tree. Every part of every chain has a bit; those of a chain lie side by side."""

    def __init__(self, selectors: Sequence[Selector]) -> None:
        self._parts: list[tuple[Compound, int]] = []
        self._after = dict.fromkeys(("", *COMBINATORS), 0)
        self._last: list[tuple[int, int]] = []
        bit = 1
        for number, selector in enumerate(selectors):
            for chain in selector.chains:
                for part in chain:
                    self._parts.append((part, bit))
                    self._after[part.combinator] |= bit
                    bit <<= 1
                self._last.append((bit >> 1, number))

    def candidates(self, root: HtmlElement) -> dict[HtmlElement, int]:
        """The bits of the parts that each element matches by itself; elements that match none are left out."""
        found: dict[HtmlElement, int] = {}
        many: bool | None = None
        for part, bit in self._parts:
            if part.counts:
                many = sum(1 for _ in root.iter()) > MOST_COUNTED if many is None else many
                if many:
                    continue
            for element in _found(part, root):
                found[element] = found.get(element, 0) | bit
        return found

    def matched(self, own: int, parent: int, ancestors: int, before: int, earlier: int) -> int:
        """The bits of the chains' parts that end in an element, by its own bits and by those that end around it.

        ``before`` is the sibling just before it, ``earlier`` are all siblings before it.
        """
        after = self._after
        around = after[">"] & parent << 1 | after[" "] & ancestors << 1
        return own & (after[""] | around | after["+"] & before << 1 | after["~"] & earlier << 1)

    def selector(self, matched: int) -> int | None:
        """The number of the first selector of which a whole chain ends in an element."""
        return next((number for bit, number in self._last if matched & bit), None)


def _found(part: Compound, root: HtmlElement) -> list[HtmlElement]:
    try:
        found: list[HtmlElement] = part.find(root)
    except etree.XPathError:  # libxml2's own limits, on pages beyond all measure
        return []
    return found

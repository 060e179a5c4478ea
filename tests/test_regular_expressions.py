"""No regular expression of the package grows with the square, whatever text it is given."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from cleancrawl.lab.alarm import TooSlow, at_most
from tests.bait import baits
from tests.growth import BOUND, STEP, TRIES
from tests.measuring import uncovered

SIZE = 8_000
QUICK = 0.0005
"""Seconds: below it a text is not looked at twice. The square of a long word takes a millisecond at this size."""
LONGEST_TRY = 3.0
"""Seconds on the wall: a timer of processor time would make its clock tick in steps of milliseconds."""
_TICK = 2e-5
"""What clocks cannot tell from nothing."""


@dataclass(frozen=True)
class Expression:
    place: str
    pattern: str
    flags: int
    methods: tuple[str, ...]
    binary: bool = False

    @property
    def tries(self) -> Iterator[tuple[str, Callable[[Any], object]]]:
        """The ways in which it is used: what looks for it anywhere costs alike, whatever it does with it."""
        compiled: re.Pattern[Any] = re.compile(
            self.pattern.encode("latin-1") if self.binary else self.pattern, self.flags
        )
        if "match" in self.methods:
            yield "match", compiled.match
        if "fullmatch" in self.methods:
            yield "fullmatch", compiled.fullmatch
        if set(self.methods) - {"match", "fullmatch"}:
            yield "finditer", lambda text: deque(compiled.finditer(text), maxlen=0)


def cost(work: Callable[[Any], object], text: Any, longest: float = LONGEST_TRY) -> float:
    """Processor seconds, or infinitely many where it would be more than the longest try."""
    try:
        with at_most(longest, on_the_wall=True):
            start = time.process_time()
            work(text)
            return time.process_time() - start
    except TooSlow:
        return float("inf")


@uncovered()
def grows(expression: Expression) -> str | None:
    """The way of use and the text on which an expression needs more than a line; None where there is none.

    What seems to grow is looked at once more with texts eight times as long: thousands of texts are tried that cost a
    millisecond each, and on a busy machine some of them are interrupted time and again.
    """
    for number, (large, small) in enumerate(
        zip(_baits(expression, SIZE), _baits(expression, SIZE // STEP), strict=True)
    ):
        for name, work in expression.tries:
            if cost(work, large) > QUICK and _over_the_bound(work, large, small):
                longer = _baits(expression, SIZE * STEP)[number]
                if _over_the_bound(work, longer, large):
                    return f"{expression.place} {name} on {small[:60]!r}"
    return None


def _baits(expression: Expression, size: int) -> list[Any]:
    texts = baits(expression.pattern, expression.flags, size)
    return [text.encode("latin-1", "replace") for text in texts] if expression.binary else list(texts)


def _over_the_bound(work: Callable[[Any], object], large: Any, small: Any) -> bool:
    """Whether the least that each costs in several tries says so: what else runs on the machine only adds."""
    cheap = max(_TICK, min(_tries(work, small, LONGEST_TRY)))
    if cheap == float("inf"):
        return True
    # One try within the bound answers for all that would follow.
    return all(found > BOUND * cheap for found in _tries(work, large, min(LONGEST_TRY, 0.1 + 4 * BOUND * cheap)))


def _tries(work: Callable[[Any], object], text: Any, longest: float) -> Iterator[float]:
    """What several tries cost, the first of which may end them: one that is cut short is no matter of noise."""
    first = cost(work, text, longest)
    yield first
    if first < float("inf"):
        yield from (cost(work, text, longest) for _ in range(TRIES - 1))


@pytest.fixture(scope="module")
def expressions() -> list[Expression]:
    found = subprocess.run([sys.executable, "-m", "tests.pattern_hunt"], capture_output=True, text=True, check=True)
    return [Expression(**{**entry, "methods": tuple(entry["methods"])}) for entry in json.loads(found.stdout)]


def test_all_expressions_are_found(expressions: list[Expression]) -> None:
    places = {expression.place.partition(":")[0] for expression in expressions}
    assert len(expressions) > 100
    # A global, an entry of a tuple and of a dict, a cached function, and one that stands in a call.
    assert places >= {
        "core/metadata/source_search.py",
        "core/text/language.py",
        "methods/line_block/line_blocks.py",
        "core/metadata/authors.py",
        "corpus/file_names.py",
    }
    used = {expression.place.partition(":")[0]: expression.methods for expression in expressions}
    assert used["crawl/egg.py"] == ("fullmatch",)


@pytest.mark.parametrize(
    ("pattern", "flags"),
    [
        (r"<(?:script|style)\b[^>]*>.*?</(?:script|style)\s*>|<!--.*?-->|<[^>]*>", re.S | re.I),
        (r"<(?:p|br|div)\b[^>]*>", re.I),
        (r"(?:^|\s)@\w+|https?:|\S+@\S+\.\w+", 0),
        (r"\s*\n\s*", 0),
        (r"\s+$", 0),
        (r"(?:a|b|ab)*c", 0),
        (r"(\w+\s?)+;", 0),
        (r"\w*admin", 0),
        (r"[?&][^=&#]*password=", 0),
        (r"background\s*:[^;]*url\(", 0),
    ],
)
def test_one_that_grows_is_caught(pattern: str, flags: int) -> None:
    assert grows(Expression("here", pattern, flags, ("search",)))


@pytest.mark.parametrize("pattern", [r"<p\b[^<>]*+>", r"(?<!\s)\s++x", r"\w+", r"[a-z]{1,40}@", r"(?<!a)(?>a+)b"])
def test_one_that_does_not_passes(pattern: str) -> None:
    assert grows(Expression("here", pattern, 0, ("sub",))) is None


def test_no_expression_of_the_package_grows(expressions: list[Expression]) -> None:
    assert list(filter(None, map(grows, expressions))) == []

"""Plots as geometry, which templates write as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 150


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    width: float
    height: float
    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Bars:
    """A value per label, from left to right."""

    title: str
    unit: str
    bars: list[Bar]
    """At ``WIDTH`` times ``HEIGHT``."""
    top: int
    """The value at the upper edge."""

    @classmethod
    def of(cls, title: str, unit: str, values: Sequence[tuple[str, int]]) -> Bars:
        top = nice_top(max((value for _, value in values), default=0))
        step = WIDTH / max(len(values), 1)
        bars = [
            Bar(round(place * step, 2), round(min(step * 0.86, 48), 2), round(HEIGHT * value / top, 2), label, value)
            for place, (label, value) in enumerate(values)
        ]
        return cls(title, unit, bars, top)


def nice_top(value: int) -> int:
    """The next round number.

    >>> [nice_top(value) for value in (0, 1, 7, 23, 180, 1001)]
    [1, 1, 10, 25, 200, 2000]
    """
    power = int("1" + "0" * (len(str(value)) - 1))
    return next(round(power * factor) for factor in (1, 2, 2.5, 5, 10) if value <= power * factor)


def sparkline(values: Sequence[int], width: int = 100, height: int = 20) -> str:
    """The points of a line through the values; empty where there is no line.

    >>> sparkline([0, 5, 10], 10, 10)
    '0,9 5,5 10,1'
    >>> sparkline([3])
    ''
    """
    if len(values) < 2:
        return ""
    top, step = max(max(values), 1), width / (len(values) - 1)
    return " ".join(
        f"{place * step:.3g},{height - 1 - (height - 2) * value / top:.3g}" for place, value in enumerate(values)
    )

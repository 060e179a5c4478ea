"""The measure of growth itself: it must tell a line from a square, and end what does not end."""

from __future__ import annotations

import sys

import pytest

from cleancrawl.lab.alarm import TooSlow, at_most
from tests.growth import about_linear


def squared(texts: list[str]) -> int:
    return sum(text in texts[index + 1 :] for index, text in enumerate(texts))


def numbered(size: int) -> list[str]:
    return [str(number) for number in range(size)]


def test_lines_pass() -> None:
    assert about_linear(sorted, numbered, 80_000)
    assert about_linear(lambda text: text.replace("a", "b"), lambda size: "ab" * size, 1_000_000)


def test_squares_do_not() -> None:
    assert not about_linear(squared, numbered, 4_000)
    assert not about_linear(
        lambda text: [text.count("c", start) for start in range(0, len(text), 20)], "ab".__mul__, 20_000
    )


def test_a_square_behind_work_that_is_linear_shows() -> None:
    assert not about_linear(lambda texts: (sum(map(hash, sorted(texts * 4))), squared(texts)), numbered, 8_000)


def test_what_is_measured_is_not_traced() -> None:
    traced = list[bool]()

    def work(texts: list[str]) -> None:
        traced.append(sys.gettrace() is not None)

    about_linear(work, numbered, 800)
    assert traced[0] == (sys.gettrace() is not None)
    assert not any(traced[1:])


def test_a_hang_ends() -> None:
    def hangs(size: int) -> None:
        while size > 100:
            pass

    assert not about_linear(hangs, int, 400)
    with pytest.raises(TooSlow), at_most(0.01):
        hangs(101)

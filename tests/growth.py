"""Is work about linear in the size of what it is done on? Told without knowing how fast the machine is.

The same work is done on something small and on something eight times as large; what counts is the quotient of the two
processor times: 8 where work is linear, 64 where it grows with the square. The bound lies in the middle, 2.8 times from
either, and noise can only break it five times in a row. A run that is over the bound is cut short, so a hang ends.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from cleancrawl.lab.alarm import TooSlow, at_most
from tests.measuring import uncovered

Subject = TypeVar("Subject")

STEP = 8
BOUND = STEP**1.5
TRIES = 5
_CLOCK_TICK = 0.01
"""What an interval timer of the system may be late."""


def about_linear(work: Callable[[Subject], object], make: Callable[[int], Subject], size: int) -> bool:
    """Whether ``work(make(size))`` costs at most ``BOUND`` times as much as ``work(make(size // STEP))``.

    ``size`` must be large enough for a square to show: at an eighth of it, growing work outweighs what is constant.
    """
    work(make(size // STEP))  # what is loaded on first use
    gc.freeze()  # or each collection would go through all that the tests before have loaded
    try:
        with uncovered():
            return any(_quotient(work, make, size) < BOUND for _ in range(TRIES))
    finally:
        gc.unfreeze()


def _quotient(work: Callable[[Subject], object], make: Callable[[int], Subject], size: int) -> float:
    small = min(_cost(work, make(size // STEP)) for _ in range(3))
    try:
        return _cost(work, make(size), BOUND * small) / small
    except TooSlow:
        return float("inf")


def _cost(work: Callable[[Subject], object], subject: Subject, most: float | None = None) -> float:
    """Processor time of this thread in seconds; raises ``TooSlow`` where it would be more than ``most``.

    Not of the process: that clock makes steps of milliseconds while the timer runs, and a while after it.
    """
    gc.collect()
    gc.disable()
    try:
        with nullcontext() if most is None else at_most(most + _CLOCK_TICK):
            start = time.thread_time()
            work(subject)
            return time.thread_time() - start
    finally:
        gc.enable()

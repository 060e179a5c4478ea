"""An end to work that takes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooSlow(BaseException):
    """Not an ``Exception``: code that survives any page must not survive this."""


@contextmanager
def at_most(seconds: float, *, on_the_wall: bool = False) -> Iterator[None]:
    """Raises ``TooSlow`` after so much processor time, or time on the wall; in the main thread only.

    Regular expressions are interrupted, too; other single calls into C end first. Where the system has no such timers
    nothing is bounded.

    >>> with at_most(0.01):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    cleancrawl.lab.alarm.TooSlow: more than 0.01 s of processor time
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    clock, rings = (signal.ITIMER_REAL, signal.SIGALRM) if on_the_wall else (signal.ITIMER_PROF, signal.SIGPROF)

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {seconds:.2g} s {'on the wall' if on_the_wall else 'of processor time'}")

    before = signal.signal(rings, stop)
    signal.setitimer(clock, seconds)
    try:
        yield
    finally:
        signal.setitimer(clock, 0)
        signal.signal(rings, before)

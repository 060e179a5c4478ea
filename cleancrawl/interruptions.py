"""Ctrl-C reaches every process of a terminal: those that we start are to leave it to the first one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interruption_put_off() -> Iterator[None]:
    """A process that is started meanwhile begins with SIGINT blocked: not even its imports are interrupted."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Work in several processes, in order and in bounded memory; a process that dies takes no other work along."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.context import BaseContext
from typing import TypeVar

from cleancrawl.interruptions import interruption_put_off

Task = TypeVar("Task")
Result = TypeVar("Result")

_COLLECT = (50_000, 20, 20)
_PRELOAD = "cleancrawl.scale.archive.preload"
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
AHEAD = 2
"""Tasks per process that wait or are under way."""


class Workers:
    """Processes for one step after another. With one job everything happens here, where nothing survives a death."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    @property
    def most_under_way(self) -> int:
        """Tasks of which the result was not taken, the one included that is made just now."""
        return AHEAD * self.jobs

    def done(
        self, tasks: Iterable[Task], work: Callable[[Task], Result], bereft: Callable[[Task], Result]
    ) -> Generator[Result]:
        """The results in the order of the tasks. ``bereft`` is called for one whose process has died twice."""
        if self.jobs <= 1:
            yield from map(work, tasks)
            return
        waiting: deque[tuple[Task, Future[Result]]] = deque()
        for task in tasks:
            waiting.append((task, self._submitted(work, task)))
            if len(waiting) >= self.most_under_way:
                yield _taken(*waiting.popleft(), work, bereft)
        while waiting:
            yield _taken(*waiting.popleft(), work, bereft)

    def _submitted(self, work: Callable[[Task], Result], task: Task) -> Future[Result]:
        if self._pool is None:
            self._pool = _pool(self.jobs)
        try:
            return _submitted(self._pool, work, task)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = _pool(self.jobs)
            return _submitted(self._pool, work, task)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class Died(Exception):
    """A call has killed two processes, one after the other."""


class Survivor:
    """Makes calls one by one in a process of its own, so that one that kills it kills nothing else."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    def call(self, work: Callable[[Task], Result], task: Task) -> Result:
        """What the call returns or raises; ``Died`` where there is nobody left to do so."""
        for _ in range(2):
            self._pool = self._pool or _pool(1)
            try:
                return _submitted(self._pool, work, task).result()
            except BrokenProcessPool:
                self.close()
        raise Died

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def deadly(tasks: Iterable[Task], work: Callable[[Task], object]) -> set[int]:
    """Which of the tasks kill the process that does them, by their places: one after another, in one process."""
    found: set[int] = set()
    pool = _pool(1)
    try:
        for place, task in enumerate(tasks):
            try:
                _submitted(pool, work, task).result()
            except BrokenProcessPool:
                found.add(place)
                pool.shutdown()
                pool = _pool(1)
    finally:
        pool.shutdown()
    return found


def _taken(
    task: Task, future: Future[Result], work: Callable[[Task], Result], bereft: Callable[[Task], Result]
) -> Result:
    try:
        return future.result()
    except BrokenProcessPool:
        # It may have been the work beside it: once more, alone.
        with _pool(1) as pool:
            try:
                return _submitted(pool, work, task).result()
            except BrokenProcessPool:
                return bereft(task)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, _context(), _start)


@cache
def _context() -> BaseContext:
    """How processes are started. Never forked from this one: its threads, and what they hold, would not survive that.

    Where the system can, they are forked from one that has done nothing but load what they need, once for all.
    """
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    # Imported here: not every system has it.
    from multiprocessing import forkserver, resource_tracker

    context = get_context("forkserver")
    context.set_forkserver_preload([_PRELOAD])
    # A process has one core: threads that NumPy keeps ready for the others would only wait, which takes time, too.
    missing = [name for name in _THREADS if name not in os.environ]
    os.environ.update(dict.fromkeys(missing, "1"))
    try:
        # Apart from the other, which it would tell of interruptions again.
        resource_tracker.ensure_running()
        with interruption_put_off():
            forkserver.ensure_running()
    finally:
        for name in missing:
            del os.environ[name]
    return context


def _start() -> None:
    """In a new process. Ctrl-C is for the first one, which then stops the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Pages are made of thousands of objects, and hardly any are in cycles: looked for after some pages, not in each.
    gc.set_threshold(*_COLLECT)


def _submitted(pool: ProcessPoolExecutor, work: Callable[[Task], Result], task: Task) -> Future[Result]:
    with interruption_put_off():
        return pool.submit(work, task)

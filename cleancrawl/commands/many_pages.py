"""Many pages, one after another or in several processes: in order, in bounded memory, and none stops the others."""

from __future__ import annotations

import os
import signal
from argparse import ArgumentTypeError
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from glob import glob, has_magic
from multiprocessing import get_context

from cleancrawl.commands.page_argument import is_address
from cleancrawl.errors import CleanCrawlError
from cleancrawl.interruptions import interruption_put_off

AHEAD = 8
"""Pages per process that are under way or done and not yet printed: what bounds memory while one page takes long."""


@dataclass(frozen=True, slots=True)
class Task:
    """A page to clean: its name as it was given, and what standard input held where that is ``-``."""

    name: str
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be printed for a page, or in one line why there is nothing."""

    name: str
    shown: str = ""
    error: str = ""


Work = Callable[[Task], str]


def expand(arguments: Sequence[str]) -> list[str]:
    """The names that arguments stand for: patterns that the shell left alone become files, sorted.

    >>> expand(["-", "https://news.example/?page=[1]", "no/such/file.html", "no/such/*.html"])
    ['-', 'https://news.example/?page=[1]', 'no/such/file.html', 'no/such/*.html']
    """
    return [name for argument in arguments for name in _expanded(argument)]


def _expanded(argument: str) -> list[str]:
    if argument == "-" or is_address(argument) or os.path.lexists(argument) or not has_magic(argument):
        return [argument]
    # A pattern without a match stays, as in a shell: reading it says that there is no such file.
    return sorted(name for name in glob(argument, recursive=True) if os.path.isfile(name)) or [argument]


def read_jobs(text: str) -> int:
    """
    >>> read_jobs("3"), read_jobs("0") >= 1
    (3, True)
    """
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no number of processes; 0 stands for all cores")
    return int(text) or usable_cores()


def usable_cores() -> int:
    """Cores that this process may use; containers and ``taskset`` leave fewer than there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def outcomes(tasks: Iterable[Task], work: Work, jobs: int = 1) -> Generator[Outcome]:
    """What became of each task, in their order. A failure, even that of a whole process, is one task's own."""
    return (attempt(work, task) for task in tasks) if jobs <= 1 else _in_processes(tasks, work, jobs)


def attempt(work: Work, task: Task) -> Outcome:
    try:
        return Outcome(task.name, work(task))
    except OSError as error:
        return Outcome(task.name, error=f"{task.name}: {error.strerror or error}")
    except CleanCrawlError as error:
        said = str(error)
        return Outcome(task.name, error=said if said.startswith(task.name) else f"{task.name}: {said}")
    except Exception as error:  # whatever it is, the pages after it are to be cleaned
        return Outcome(task.name, error=f"{task.name}: {type(error).__name__}: {error}")


def _in_processes(tasks: Iterable[Task], work: Work, jobs: int) -> Generator[Outcome]:
    pool = _pool(work, jobs)
    waiting: deque[tuple[Task, Future[Outcome]]] = deque()
    try:
        for task in tasks:
            try:
                future = _submitted(pool, task)
            except BrokenProcessPool:
                pool = _pool(work, jobs)
                future = _submitted(pool, task)
            waiting.append((task, future))
            if len(waiting) >= AHEAD * jobs:
                yield _taken(*waiting.popleft(), work)
        while waiting:
            yield _taken(*waiting.popleft(), work)
    finally:
        pool.shutdown(cancel_futures=True)


def _taken(task: Task, future: Future[Outcome], work: Work) -> Outcome:
    try:
        return future.result()
    except BrokenProcessPool:
        # A process that dies takes the pages beside it along: each once more, alone.
        with _pool(work, 1) as pool:
            try:
                return _submitted(pool, task).result()
            except BrokenProcessPool:
                return Outcome(task.name, error=f"{task.name}: the process that cleaned it died")


def _pool(work: Work, jobs: int) -> ProcessPoolExecutor:
    # Not forked: NumPy's threads do not survive that.
    return ProcessPoolExecutor(jobs, get_context("spawn"), _start, (work,))


def _submitted(pool: ProcessPoolExecutor, task: Task) -> Future[Outcome]:
    with interruption_put_off():
        return pool.submit(_attempt_here, task)


_work: Work | None = None


def _start(work: Work) -> None:
    """In a new process. Ctrl-C is for the first one, which then stops the others."""
    global _work
    _work = work
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _attempt_here(task: Task) -> Outcome:
    assert _work is not None
    return attempt(_work, task)

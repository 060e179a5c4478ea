"""Gives hostile input to its victims: reads jobs as lines of JSON, and prints what each cost as a line of JSON.

Everything is loaded once. Each job then has a process of its own, forked from this one and with limits, so that what
kills it is told and the next job goes on.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any

from cleancrawl.lab.bench.hostile.victims import VICTIMS, load
from cleancrawl.lab.bench.memory_use import resident_megabytes

_STATUS, _REFERENCES, _STATM = Path("/proc/self/status"), Path("/proc/self/clear_refs"), Path("/proc/self/statm")
_LONGEST_MESSAGE = 80


def peak_megabytes() -> float:
    """The most memory that this process has had, since ``forget_peak`` where the system can forget it."""
    with contextlib.suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10


def forget_peak() -> None:
    with contextlib.suppress(OSError):
        _REFERENCES.write_text("5")


def limit(megabytes: float, seconds: float) -> None:
    """Bounds on what this process takes from here on; on memory only where the system tells what it has."""
    with contextlib.suppress(OSError, ValueError):
        used = int(_STATM.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + int(megabytes * 2**20),) * 2)
    soft = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 1))


def run(job: dict[str, Any]) -> dict[str, float]:
    """Give a victim the file of a job; seconds of processor time, and megabytes above the idle process."""
    # Again after the fork: pages of libraries count for a process once it has touched them.
    load(job["victim"], job["recipe"])
    forget_peak()
    idle = resident_megabytes()
    limit(job["megabytes"], job["seconds"])
    start = time.process_time()
    VICTIMS[job["victim"]](Path(job["path"]).read_bytes(), job["recipe"])
    return {"seconds": time.process_time() - start, "megabytes": peak_megabytes() - idle}


def answer(job: dict[str, Any]) -> dict[str, Any]:
    """What a job cost, or how its process ended: ``{"failure": …}``."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "w") as told:
            told.write(json.dumps(_outcome(job)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as telling:
        told_by_child = telling.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        slow = name in ("SIGXCPU", "SIGKILL")
        return {"failure": f"over {job['seconds']:.0f} s" if slow else f"crash ({name})"}
    found: dict[str, Any] = json.loads(told_by_child or '{"failure": "no output"}')
    return found


def _outcome(job: dict[str, Any]) -> dict[str, Any]:
    try:
        return dict(run(job))
    except MemoryError:
        return {"failure": "out of memory"}
    except BaseException as error:
        return {"failure": f"{type(error).__name__}: {error}".splitlines()[0][:_LONGEST_MESSAGE]}


def main() -> None:
    # What victims print is no answer.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for line in sys.stdin:
        job = json.loads(line)
        load(job["victim"], job["recipe"])
        print(json.dumps(answer(job)), file=answers, flush=True)


if __name__ == "__main__":
    main()

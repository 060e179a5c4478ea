"""One attack in a process of its own: reads its job as JSON from standard input, prints its figures as JSON."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

from cleancrawl.lab.bench.hostile.victims import VICTIMS, load
from cleancrawl.lab.bench.memory_use import resident_megabytes

OUT_OF_MEMORY = 77
"""The exit code where a limit on memory was hit."""
_STATUS, _REFERENCES, _STATM = Path("/proc/self/status"), Path("/proc/self/clear_refs"), Path("/proc/self/statm")


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
    load(job["victim"], job["recipe"])
    forget_peak()
    idle = resident_megabytes()
    limit(job["megabytes"], job["seconds"])
    start = time.process_time()
    VICTIMS[job["victim"]](Path(job["path"]).read_bytes(), job["recipe"])
    return {"seconds": time.process_time() - start, "megabytes": peak_megabytes() - idle}


def main() -> int:
    job = json.load(sys.stdin)
    try:
        figures = run(job)
    except MemoryError:
        return OUT_OF_MEMORY
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())

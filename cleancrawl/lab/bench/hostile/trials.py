"""Runs attacks one by one, each in a process with limits, and judges what they cost."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cleancrawl.lab.bench.hostile.attack_table import Attack

MEGABYTE = 1_000_000
OK = "ok"
_NOISE = 0.3
"""Seconds below which growth tells nothing."""


@dataclass(frozen=True, slots=True)
class Bars:
    """What any input may cost."""

    seconds: float = 2.0
    """Of processor time, per megabyte."""
    megabytes: float = 400.0
    """On top of the idle process."""
    growth: float = 1.5
    """The power of its size that the time may grow with: 1 is linear, 2 the square."""
    leeway: float = 4.0
    """So many times as much is allowed before a process is ended."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one attack of one size did."""

    attack: str
    victim: str
    megabytes: float
    """The size of the input."""
    outcome: str
    seconds: float = math.nan
    peak: float = math.nan
    growth: float = math.nan

    @property
    def seconds_per_megabyte(self) -> float:
        return self.seconds / self.megabytes

    def missed(self, bars: Bars) -> list[str]:
        """The bars that it missed."""
        if self.outcome != OK:
            return [self.outcome]
        found = {
            "time": self.seconds_per_megabyte > bars.seconds and self.seconds > _NOISE,
            "memory": self.peak > bars.megabytes,
            "growth": self.growth > bars.growth,
        }
        return [name for name, is_missed in found.items() if is_missed]


def trials(
    attacks: Iterable[Attack], sizes: Sequence[float], recipe: str, bars: Bars, victim: str = ""
) -> Iterator[Row]:
    """A row for each attack and size (in megabytes); ``victim`` takes the place of ``page``."""
    with TemporaryDirectory() as scratch, _worker() as run:
        path = Path(scratch) / "input"
        for attack in attacks:
            target = victim if victim and attack.victim == "page" else attack.victim
            first: Row | None = None
            for size in sorted(sizes):
                path.write_bytes(attack.make(int(size * MEGABYTE)))
                megabytes = path.stat().st_size / MEGABYTE
                job = {
                    "victim": target,
                    "path": str(path),
                    "recipe": recipe,
                    "megabytes": bars.leeway * bars.megabytes,
                    "seconds": bars.leeway * max(bars.seconds * megabytes, 2.0),
                }
                row = _row(attack.name, target, megabytes, run(job), first)
                first = first or row
                yield row
                if row.outcome != OK:
                    break  # a larger one would fail as well, and take longer


@contextmanager
def _worker() -> Iterator[Callable[[dict[str, object]], dict[str, Any]]]:
    """A process that does jobs, as a function: see ``hostile_worker``."""
    package = Path(__file__).resolve().parents[4]
    search_path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")]))
    with subprocess.Popen(
        [sys.executable, "-m", "cleancrawl.lab.bench.hostile.hostile_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": search_path},
    ) as process:
        jobs, answers = process.stdin, process.stdout
        assert jobs
        assert answers

        def run(job: dict[str, object]) -> dict[str, Any]:
            print(json.dumps(job), file=jobs, flush=True)
            answer: dict[str, Any] = json.loads(answers.readline() or '{"failure": "the worker ended"}')
            return answer

        yield run


def _row(name: str, victim: str, size: float, answer: dict[str, Any], first: Row | None) -> Row:
    if "failure" in answer:
        return Row(name, victim, size, answer["failure"])
    seconds, growth = answer["seconds"], math.nan
    if first is not None and first.outcome == OK and size > first.megabytes and seconds > _NOISE:
        least = max(first.seconds, _NOISE * first.megabytes / size)
        growth = math.log(seconds / least) / math.log(size / first.megabytes)
    return Row(name, victim, size, OK, seconds, answer["megabytes"], growth)

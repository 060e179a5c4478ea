"""Runs attacks one by one, each in a process with limits, and judges what they cost."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from cleancrawl.lab.bench.hostile.attack_table import Attack
from cleancrawl.lab.bench.hostile.hostile_worker import OUT_OF_MEMORY

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
    with TemporaryDirectory() as scratch:
        for attack in attacks:
            target = victim if victim and attack.victim == "page" else attack.victim
            first: Row | None = None
            for size in sorted(sizes):
                path = Path(scratch) / "input"
                path.write_bytes(attack.make(int(size * MEGABYTE)))
                row = _row(attack.name, target, path, recipe, bars, first)
                first = first or row
                yield row
                if row.outcome != OK:
                    break  # a larger one would fail as well, and take longer


def _row(name: str, victim: str, path: Path, recipe: str, bars: Bars, first: Row | None) -> Row:
    size = path.stat().st_size / MEGABYTE
    job = {
        "victim": victim,
        "path": str(path),
        "recipe": recipe,
        "megabytes": bars.leeway * bars.megabytes,
        "seconds": bars.leeway * max(bars.seconds * size, 2.0),
    }
    package = Path(__file__).resolve().parents[4]
    search_path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "cleancrawl.lab.bench.hostile.hostile_worker"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": search_path},
    )
    if done.returncode:
        return Row(name, victim, size, _failure(done, job["seconds"]))
    figures = json.loads(done.stdout.splitlines()[-1])
    growth = math.nan
    if first is not None and first.outcome == OK and size > first.megabytes and figures["seconds"] > _NOISE:
        least = max(first.seconds, _NOISE * first.megabytes / size)
        growth = math.log(figures["seconds"] / least) / math.log(size / first.megabytes)
    return Row(name, victim, size, OK, figures["seconds"], figures["megabytes"], growth)


def _failure(done: subprocess.CompletedProcess[str], seconds: object) -> str:
    """Why a process ended before its work: a limit, a crash, or an exception."""
    if done.returncode == OUT_OF_MEMORY:
        return "out of memory"
    if done.returncode < 0:
        name = signal.Signals(-done.returncode).name
        return f"over {seconds:.0f} s" if name in ("SIGXCPU", "SIGKILL") else f"crash ({name})"
    last = (done.stderr.strip().splitlines() or ["no output"])[-1]
    return last[:80]

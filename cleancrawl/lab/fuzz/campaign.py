"""Many tries in a process of their own, so that what kills it is one more finding.

Each input is a function of seed, subject and number: a number is all that must survive a crash.
"""

from __future__ import annotations

import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from cleancrawl.lab.fuzz.reduction import reduced
from cleancrawl.lab.fuzz.subjects import Subject, subjects
from cleancrawl.lab.fuzz.trying import Failure, attempt

_PATIENCE = 300.0
"""Seconds without a new try after which the process counts as hung: in compiled code no alarm is heard."""
_POLL = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tried: which subjects by turns, from which pages, for how long."""

    names: Sequence[str]
    seed: int = 1
    minutes: float = 1.0
    tries: int | None = None
    pages: Sequence[bytes] = ()

    def turn(self, number: int, known: dict[str, Subject]) -> tuple[Subject, bytes]:
        """The subject and the input of a try."""
        subject = known[self.names[number % len(self.names)]]
        return subject, subject.make(subject, random.Random(f"{self.seed} {subject.name} {number}"))


@dataclass(frozen=True, slots=True)
class Finding:
    """A failure, the input that caused it, and how to make that again."""

    subject: str
    number: int
    failure: Failure
    body: bytes
    original_size: int


@dataclass(slots=True)
class Outcome:
    """What came of a plan."""

    tried: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)
    """By subject and mark of the failure: the first of each."""
    seconds: float = 0.0

    def add(self, finding: Finding) -> bool:
        """Whether it is a new one."""
        self.failed[finding.subject] += 1
        key = finding.subject, finding.failure.mark
        is_new = key not in self.findings
        if is_new:
            self.findings[key] = finding
        return is_new


def run(plan: Plan, on_finding: Callable[[Finding], object] = lambda finding: None) -> Outcome:
    """Try inputs until the time is up or the number of tries is reached; ``on_finding`` hears of each new one."""
    outcome = Outcome()
    known = subjects(plan.pages)
    started, first = time.monotonic(), 0
    end = started + 60 * plan.minutes
    while time.monotonic() < end and (plan.tries is None or first < plan.tries):
        number, death = _one_process(plan, first, end, outcome, on_finding)
        for tried in range(first, number + 1):
            outcome.tried[plan.names[tried % len(plan.names)]] += 1
        first = number + 1
        if death is None:
            break
        subject, body = plan.turn(number, known)
        finding = Finding(subject.name, number, death, body, len(body))
        if outcome.add(finding):
            on_finding(finding)
    outcome.seconds = time.monotonic() - started
    return outcome


def _one_process(
    plan: Plan, first: int, end: float, outcome: Outcome, on_finding: Callable[[Finding], object]
) -> tuple[int, Failure | None]:
    """The last number tried, and of what the process died where it did not end by itself."""
    context = multiprocessing.get_context("spawn")
    current = context.Value("q", first - 1)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(plan, first, end - time.monotonic(), current, sender), daemon=True)
    process.start()
    sender.close()
    seen, since, hung = current.value, time.monotonic(), False
    open_ends: list[Connection | int] = [receiver, process.sentinel]
    while process.sentinel in open_ends:
        for ready in wait(open_ends, timeout=_POLL):
            if ready is receiver:
                try:
                    finding = receiver.recv()
                except EOFError:
                    open_ends.remove(receiver)
                    continue
                if outcome.add(finding):
                    on_finding(finding)
            elif receiver not in open_ends or not receiver.poll():
                open_ends.remove(process.sentinel)
        if current.value != seen:
            seen, since = current.value, time.monotonic()
        elif time.monotonic() - since > _PATIENCE and not hung:
            hung = True
            process.kill()
    process.join()
    receiver.close()
    if process.exitcode == 0:
        return current.value, None
    kind = "hang" if hung else "crash"
    return current.value, Failure(kind, f"exit code {process.exitcode}", f"the process ended: {process.exitcode}\n")


def _work(plan: Plan, first: int, seconds: float, current: Synchronized[int], sender: Connection) -> None:
    end = time.monotonic() + seconds
    known = subjects(plan.pages)
    reported: set[tuple[str, str]] = set()
    number = first
    while time.monotonic() < end and (plan.tries is None or number < plan.tries):
        current.value = number
        subject, body = plan.turn(number, known)
        failure = attempt(subject.check, body)
        if failure is not None:
            key = subject.name, failure.mark
            small = body if key in reported else _smaller(subject, body, failure)
            reported.add(key)
            sender.send(Finding(subject.name, number, failure, small, len(body)))
        number += 1
    sender.close()


def _smaller(subject: Subject, body: bytes, failure: Failure) -> bytes:
    if failure.kind == "slow":
        return body  # each try costs seconds, and a shorter one is a faster one

    def fails(candidate: bytes) -> bool:
        again = attempt(subject.check, candidate)
        return again is not None and again.mark == failure.mark

    return reduced(body, fails) if fails(body) else body


def keep(finding: Finding, directory: Path, seed: int, suffix: str) -> Path:
    """Write the input, and beside it what went wrong and how it was made."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{finding.subject}-{finding.failure.mark}{suffix}"
    path.write_bytes(finding.body)
    said = f"{finding.subject}, seed {seed}, try {finding.number}, {finding.original_size} bytes before reduction"
    path.with_suffix(".txt" if suffix != ".txt" else ".log").write_text(
        f"{said}\n\n{finding.failure.details}", encoding="utf-8", errors="backslashreplace"
    )
    return path

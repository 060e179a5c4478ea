"""One input, tried: within its time, with what went wrong told in one line."""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cleancrawl
from cleancrawl.lab.alarm import TooSlow, at_most

SECONDS = 2.0
SECONDS_PER_MEGABYTE = 8.0
"""Of processor time: what an input may cost, several times of what the dearest honest page does."""
_PACKAGE = str(Path(cleancrawl.__file__).parent)


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: equal failures have one ``place``, whatever the input was."""

    kind: str
    place: str
    details: str

    @property
    def mark(self) -> str:
        """A short name that is the same whenever this happens again."""
        return hashlib.blake2b(f"{self.kind} {self.place}".encode(), digest_size=4).hexdigest()


def attempt(check: Callable[[bytes], object], body: bytes) -> Failure | None:
    """What goes wrong with an input, None where all is well."""
    try:
        with at_most(SECONDS + SECONDS_PER_MEGABYTE * len(body) / 1e6):
            check(body)
    except TooSlow as slow:
        # Where it was stopped says little about where the time went, so all slow ones but the first count as one.
        return Failure("slow", "", "".join(traceback.format_exception(slow)))
    except Exception as error:
        message = str(error)[:200] if type(error).__name__ == "Flaw" else ""
        return Failure(type(error).__name__, message or _place(error), "".join(traceback.format_exception(error)))
    return None


def cost(check: Callable[[bytes], object], body: bytes) -> float:
    """Processor seconds."""
    start = time.process_time()
    check(body)
    return time.process_time() - start


def _place(error: BaseException) -> str:
    """The innermost line of the package that was running."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(_PACKAGE) and "/lab/fuzz/" not in frame.filename]
    innermost = (own or list(frames))[-1]
    return f"{Path(innermost.filename).name}:{innermost.name}"

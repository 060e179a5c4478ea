"""What all processes of a run need, loaded once: by the process that the others are forked from, when it imports this.

Each of them would take two thirds of a second for it, and memory for all of it; here it is theirs from the beginning.
"""

from __future__ import annotations

import gc
from contextlib import suppress

from cleancrawl.core.site import registrable_domain
from cleancrawl.core.text.language import load_detector
from cleancrawl.methods.learned.model import load_model
from cleancrawl.scale.archive.part_work import FirstWork, SecondWork

__all__ = ["FirstWork", "SecondWork"]


def _load() -> None:
    registrable_domain("site.example")
    load_model()
    # Half a second, where a page in a thousand is enough to need it.
    load_detector()


# Whoever needs what cannot be loaded tries again, and says what is wrong.
with suppress(OSError):
    _load()
# What is there now stays: it is not looked through for garbage, and so stays common memory.
gc.freeze()

"""What all processes of a run need, loaded once: by the process that the others are forked from, when it imports this.

Each of them would take more than half a second for it, and memory for all of it; here it is theirs from the beginning.
"""

from __future__ import annotations

import gc
from contextlib import suppress

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.core.text.language import load_detector
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.first_pass import first_pass
from cleancrawl.scale.archive.part_work import FirstWork, SecondWork

__all__ = ["FirstWork", "SecondWork"]

_PAGE = b"<title>A page</title><h1>A page</h1>" + 9 * b"<p>The first one of all of them, to which nobody listens.</p>"


def _load() -> None:
    # The model, the lists of words and hosts, and what else is read when it is first asked for.
    first_pass(SavedPage("https://site.example/a-page", _PAGE), 0, BulkOptions())
    # A third of a second, where one page in a thousand is enough to need it.
    load_detector()


# Whoever needs what cannot be loaded tries again, and says what is wrong.
with suppress(OSError):
    _load()
# What is there now stays: it is not looked through for garbage, and so stays common memory.
gc.freeze()

"""What runs on the machines of a cluster: from files and batches of rows to rows."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from cleancrawl.scale.archive import spark_rows as rows
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.worker_pool import Survivor

LOCAL = "file:"
MOST_BYTES = (1 << 31) - 1_000
"""Of a file that comes through Spark as a whole: a little less than an array of Java holds."""


def opened_files(paths: Iterable[str]) -> Iterator[tuple[str, BinaryIO]]:
    for path in paths:
        with Path("/" + path.removeprefix(LOCAL).lstrip("/")).open("rb") as stream:
            yield path, stream


def files_in_memory(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, BinaryIO]]:
    return ((path, io.BytesIO(content)) for path, content in files)


def first_task(
    files: Iterable[tuple[str, BinaryIO]], options: BulkOptions, numbers: dict[str, int], guarded: bool
) -> Iterator[tuple[Any, ...]]:
    with _caller(guarded) as call:
        yield from rows.first_rows(files, options, numbers, call)


def second_task(batches: rows.Batches, options: BulkOptions, guarded: bool) -> Iterator[Any]:
    with _caller(guarded) as call:
        yield from rows.second_rows(batches, options, call)


def note_task(table: Any, options: BulkOptions, guarded: bool) -> Any:
    with _caller(guarded) as call:
        return rows.note_rows(table, options, call)


@contextmanager
def _caller(guarded: bool) -> Iterator[rows.Caller]:
    """How a task works on pages: behind a guard where a process has died, of this task or of the step."""
    from pyspark import TaskContext

    task = TaskContext.get()
    if not guarded and (task is None or not task.attemptNumber()):
        yield rows.here
        return
    with closing(Survivor()) as survivor:
        yield survivor.call

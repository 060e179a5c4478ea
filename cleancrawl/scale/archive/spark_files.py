"""Files as Spark has them, whatever file system they are in: its large ones, and small ones beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

COMPLETE = "_SUCCESS"
"""What Spark leaves in a directory that is whole."""
_SETTINGS = {
    # A page is 50 kB between its passes: of Spark's own 4,096 rows at a time its heap is full.
    "spark.sql.parquet.columnarReaderBatchSize": "256",
    # Spark's own way to write times is an old one that knows no time zone.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
}


@contextmanager
def file_settings(session: SparkSession) -> Iterator[None]:
    """How a run reads and writes Parquet, whatever the session does."""
    before = {name: str(session.conf.get(name)) for name in _SETTINGS}
    try:
        for name, value in _SETTINGS.items():
            session.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            session.conf.set(name, value)


def exactly(path: str) -> str:
    r"""The pattern of one path, as one of several with commas between them.

    >>> exactly("s3a://bucket/a [1], b.warc.gz")
    's3a://bucket/a \\[1\\]{\\,} b.warc.gz'
    """
    return re.sub(r"[\\*?\[\]{}]", r"\\\g<0>", path).replace(",", r"{\,}")


@dataclass(frozen=True, slots=True)
class ClusterFiles:
    """The directory of a run; names are relative to it."""

    session: SparkSession
    root: str

    def path(self, name: str) -> str:
        return f"{self.root.rstrip('/')}/{name}"

    def names(self) -> set[str]:
        """What is in the directory."""
        path, system = self._found("")
        return {each.getPath().getName() for each in system.listStatus(path)} if system.exists(path) else set()

    def is_complete(self, name: str) -> bool:
        path, system = self._found(f"{name}/{COMPLETE}")
        return bool(system.exists(path))

    def remove(self, name: str) -> None:
        path, system = self._found(name)
        system.delete(path, True)

    def read_text(self, name: str) -> str | None:
        """The text of a file, None where there is none."""
        path, system = self._found(name)
        if not system.exists(path):
            return None
        stream = system.open(path)
        try:
            return bytes(stream.readAllBytes()).decode("utf-8", "replace")
        finally:
            stream.close()

    def write_text(self, name: str, text: str) -> None:
        """Write a small file; a reader sees it when it is whole."""
        path, system = self._found(f"{name}.tmp")
        stream = system.create(path, True)
        try:
            stream.write(text.encode("utf-8", "replace"))
        finally:
            stream.close()
        target, _ = self._found(name)
        system.delete(target, False)
        system.rename(path, target)

    def _found(self, name: str) -> tuple[Any, Any]:
        context: Any = self.session.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(self.path(name))
        return path, path.getFileSystem(context._jsc.hadoopConfiguration())

"""Rows of blocks on disk, summed up in bounded memory: each row goes to one of some files by its site and key.

So all rows of one block meet in one file, files are as large as memory allows, and a huge site is spread over all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cleancrawl.scale.archive.counting import ROW, Rows, combined

FILE_ROWS = 250_000
"""Rows of one file, about: 53 bytes each, which are sorted in memory."""
WAITING_ROWS = 250_000
"""Rows that wait in memory to be written."""
_MOST_FILES = 2048
_OF_SITE = np.dtype([("site", "<u8"), *ROW.descr])
_SITE = _OF_SITE.itemsize - ROW.itemsize
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class RowFiles:
    """Rows of sites, by numbers of the sites. ``expected`` rows decide on the number of files."""

    def __init__(self, directory: Path, expected: int) -> None:
        self.directory = directory
        self.files = max(1, min(_MOST_FILES, -(-expected // FILE_ROWS)))
        self._waiting: list[Rows] = []
        self._rows = 0
        for number in range(self.files):
            self._path(number).unlink(missing_ok=True)

    def _path(self, number: int) -> Path:
        return self.directory / f"rows-{number:03d}.scratch"

    def add(self, site: int, rows: Rows) -> None:
        placed = np.empty(len(rows), _OF_SITE)
        placed["site"] = site
        # All columns of a row at once.
        _bytes(placed)[:, _SITE:] = _bytes(rows)
        self._waiting.append(placed)
        self._rows += len(rows)
        if self._rows >= WAITING_ROWS:
            self._write()

    def _write(self) -> None:
        if not self._waiting:
            return
        rows = np.concatenate(self._waiting)
        self._waiting, self._rows = [], 0
        if self.files == 1:
            self._append(0, rows)
            return
        file = (((rows["key"] ^ rows["site"]) * _SPREAD >> np.uint64(32)) % np.uint64(self.files)).astype(np.uint16)
        order = np.argsort(file, kind="stable")
        ends = np.searchsorted(file[order], np.arange(1, self.files))
        for number, part in enumerate(np.split(rows[order], ends)):
            self._append(number, part)

    def _append(self, number: int, rows: Rows) -> None:
        with self._path(number).open("ab") as target:
            target.write(rows.tobytes())

    def summed(self) -> Iterator[tuple[int, Rows]]:
        """Number of a site and its blocks of one file, each once; a site comes as often as it has rows in files.

        What is on one page only and has no fingerprint tells nobody anything, and is left out.
        """
        self._write()
        for number in range(self.files):
            path = self._path(number)
            if not path.exists():
                continue
            rows = np.fromfile(path, _OF_SITE)
            path.unlink()
            if (rows["site"][1:] < rows["site"][:-1]).any():
                rows = rows[np.argsort(rows["site"], kind="stable")]
            starts = np.flatnonzero(np.r_[True, rows["site"][1:] != rows["site"][:-1]])
            for part in np.split(rows, starts[1:]):
                found = combined([np.ascontiguousarray(_bytes(part)[:, _SITE:]).view(ROW)[:, 0]])
                found = found[found["long"] | (found["articles"] + found["others"] > 1)]
                yield int(part["site"][0]), found


def _bytes(rows: Rows) -> NDArray[np.uint8]:
    return rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize)

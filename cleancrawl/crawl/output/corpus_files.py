"""The files of ``cleancrawl crawl -o`` as Scrapy's ``FEEDS``: the format by the suffix, checked before the crawl."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from cleancrawl.errors import ConfigError

FORMATS = {
    ".jsonl": "jsonlines",
    ".jl": "jsonlines",
    ".json": "json",
    ".csv": "csv",
    ".xml": "xml",
    ".parquet": "parquet",
}
PACKED = {
    ".gz": "scrapy.extensions.postprocessing.GzipPlugin",
    ".zst": "cleancrawl.crawl.output.feed_formats.ZstdPlugin",
}
GROWING = frozenset({"jsonlines", "csv"})
"""Formats that a later run can add to."""
STDOUT = "-"


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """One output of a crawl. An earlier file is replaced when the crawl has ended well (``ReplacingFileStorage``)."""

    name: str
    """As the user wrote it."""
    uri: str
    """Its key in ``FEEDS``."""
    options: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def prepare(cls, name: str, *, adds: bool) -> CorpusFile:
        """Check that the output can be written; ``adds``: an earlier file grows by what this crawl finds.

        Raises ``ConfigError`` or ``OSError``.
        """
        if name == STDOUT:
            return cls(name, "stdout:", {"format": "jsonlines"})
        options = feed_options(name)
        if "://" in name or "%(" in name:  # another machine's, or a new file for every run
            return cls(name, name, options)
        path = Path(name)
        if path.is_dir():
            raise ConfigError(f"-o {name} is a directory: name a file in it")
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path.parent):
            """A directory that takes no new file is told before the crawl, not after it."""
        more = _added_to(path, options["format"]) if adds else {"overwrite": True}
        return cls(name, path.absolute().as_uri(), {**options, **more})


def prepare_all(names: Iterable[str], *, adds: bool) -> list[CorpusFile]:
    return [CorpusFile.prepare(name, adds=adds) for name in dict.fromkeys(names)]


def feed_options(name: str) -> dict[str, Any]:
    """Options of Scrapy's ``FEEDS`` that follow from a name.

    >>> feed_options("corpus.jsonl"), feed_options("corpus.csv.gz")["format"]
    ({'format': 'jsonlines', 'store_empty': False}, 'csv')
    >>> feed_options("corpus.pdf")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: -o corpus.pdf: its name must end in .jsonl, .jl, .json, .csv, .xml, .parquet (.gz or .zst behind it); cleancrawl export writes text and Markdown
    """  # noqa: E501 - an error is one line
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    packed = suffixes.pop() if suffixes and suffixes[-1] in PACKED else None
    kind = suffixes[-1] if suffixes else ""
    if kind not in FORMATS:
        known = f"{', '.join(FORMATS)} (.gz or .zst behind it)"
        raise ConfigError(f"-o {name}: its name must end in {known}; cleancrawl export writes text and Markdown")
    if packed and kind == ".parquet":
        raise ConfigError(f"-o {name}: a Parquet file is compressed as it is")
    options: dict[str, Any] = {"format": FORMATS[kind], "store_empty": False}
    return {**options, "postprocessing": [PACKED[packed]]} if packed else options


def _added_to(path: Path, kind: str) -> dict[str, Any]:
    if kind not in GROWING:
        raise ConfigError(
            f"-o {path}: --harvest adds to its file, which only .jsonl and .csv allow; "
            f"%(run)s in the name gives a file per run"
        )
    begun = path.exists() and path.stat().st_size > 0
    return {"item_export_kwargs": {"include_headers_line": not begun}} if kind == "csv" else {}

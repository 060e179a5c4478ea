"""Labelled pages on disk, in the layouts that are in public use."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cleancrawl.core.html.decode import decode
from cleancrawl.core.site import site_key
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.paper_layouts import (
    HTML,
    Record,
    cleaneval_records,
    is_cleaneval,
    is_l3s,
    l3s_records,
    unwrapped,
)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page with what is known to be its content: a full text, snippets, or both."""

    set: str
    id: str
    path: Path
    url: str | None = None
    page_type: str | None = None
    title: str | None = None
    author: str | None = None
    publish_date: str | None = None
    text: str | None = None
    """The main content; None where the set gives only snippets."""
    must_have: tuple[str, ...] = ()
    must_not_have: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    """Lines that may be in the text or not: they count neither way."""

    @property
    def key(self) -> str:
        """The name of the page over all sets."""
        return f"{self.set}/{self.id}"

    @property
    def domain(self) -> str:
        """The registrable domain (the page's own key where it has no URL): what cross-validation splits by."""
        return (site_key(self.url) if self.url else "") or self.key

    def read(self) -> bytes:
        """The page as it was fetched."""
        return unwrapped(self._stored())[0]

    def html(self) -> str:
        """The page as text."""
        body, encoding = unwrapped(self._stored())
        return decode(body, encoding and f"text/html; charset={encoding}")[0]

    def _stored(self) -> bytes:
        body = self.path.read_bytes()
        return gzip.decompress(body) if self.path.suffix == ".gz" else body


@dataclass(frozen=True, slots=True)
class Dataset:
    name: str
    pages: list[GoldPage]
    missing: list[str]
    """Ids that are labelled, but whose HTML is not there."""


Item = TypeVar("Item")
_HTML_NAMES = ("{}.html.gz", "{}.html", "{}.htm")


def load_sets(
    directory: str | Path, names: Sequence[str] = (), limit: int | None = None, types: Sequence[str] = ()
) -> list[Dataset]:
    """The sets in a directory, which is a set itself or holds one per sub-directory.

    ``types`` takes only pages of these types and of unknown type, ``limit`` that many pages of each set, evenly spread.
    Raises ``ConfigError`` where there is nothing to read.
    """
    root = Path(directory)
    if not root.is_dir():
        raise ConfigError(f"{root} is not a directory")
    found = {path.name: path for path in [root, *sorted(root.iterdir())] if path.is_dir() and _reader(path)}
    if not found:
        raise ConfigError(
            f"no labelled pages in {root}: expected html/ beside truth.jsonl[.gz], ground-truth.json or ground-truth/, "
            "or CleanEval's or L3S-GN1's directories"
        )
    unknown = [name for name in names if name not in found]
    if unknown:
        raise ConfigError(f"no set {unknown[0]!r} in {root}: there is {', '.join(found)}")
    loaded = [_load(name, found[name], types) for name in (names or found)]
    return [Dataset(one.name, spread_out(one.pages, limit), one.missing) for one in loaded]


def spread_out(items: list[Item], limit: int | None) -> list[Item]:
    """At most ``limit`` items, evenly spread over the list.

    >>> spread_out([1, 2, 3, 4, 5, 6], 3), spread_out([1, 2], None)
    ([1, 3, 5], [1, 2])
    """
    if limit is None or limit >= len(items):
        return items
    return [items[position * len(items) // limit] for position in range(limit)]


def _load(name: str, directory: Path, types: Sequence[str]) -> Dataset:
    reader = _reader(directory)
    if reader is None:
        raise ConfigError(f"{directory} is no set of labelled pages")
    pages: list[GoldPage] = []
    missing: list[str] = []
    try:
        for record in reader(directory):
            path = record.get(HTML) or _html_path(directory, record["id"])
            if path is None or not path.is_file():
                missing.append(record["id"])
            else:
                pages.append(_page(name, path, record))
    except (OSError, EOFError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise ConfigError(f"cannot read the labels in {directory}: {error!r}") from None
    if not pages:
        raise ConfigError(f"{directory} has labels but none of their pages")
    wanted = [page for page in pages if not types or page.page_type is None or page.page_type in types]
    if not wanted:
        kinds = sorted({page.page_type or "none" for page in pages})
        raise ConfigError(f"no pages of type {', '.join(types)} in {name}: there is {', '.join(kinds)}")
    return Dataset(name, sorted(wanted, key=lambda page: page.id), missing)


def _page(name: str, path: Path, record: Record) -> GoldPage:
    return GoldPage(
        set=name,
        id=record["id"],
        path=path,
        url=record.get("url") or None,
        page_type=record.get("page_type") or None,
        title=record.get("title") or None,
        author=record.get("author") or None,
        publish_date=record.get("publish_date") or None,
        text=record.get("text"),
        must_have=tuple(record.get("must_have") or ()),
        must_not_have=tuple(record.get("must_not_have") or ()),
        optional=tuple(record.get("optional") or ()),
    )


def _html_path(directory: Path, page_id: str) -> Path | None:
    candidates = (directory / "html" / name.format(page_id) for name in _HTML_NAMES)
    return next((path for path in candidates if path.is_file()), None)


def _truth_lines(directory: Path) -> Iterator[Record]:
    packed = directory / "truth.jsonl.gz"
    text = gzip.decompress(packed.read_bytes()) if packed.is_file() else (directory / "truth.jsonl").read_bytes()
    return (json.loads(line) for line in text.split(b"\n") if line.strip())


def _wcxb_files(directory: Path) -> Iterator[Record]:
    """WCXB: a JSON file per page, labels under ``ground_truth``, the page type under ``_internal``."""
    for path in sorted((directory / "ground-truth").glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        truth = record.get("ground_truth") or {}
        page_type = (record.get("_internal") or {}).get("page_type") or "article"
        kind = page_type.get("primary") if isinstance(page_type, dict) else page_type
        yield {
            **truth,
            "id": path.stem,
            "url": record.get("url"),
            "page_type": "collection" if kind == "category" else kind,
            "text": truth.get("main_content") or "",
            "must_have": truth.get("with"),
            "must_not_have": truth.get("without"),
        }


def _benchmark_file(directory: Path) -> Iterator[Record]:
    """article-extraction-benchmark: one JSON object, ``articleBody`` by page id."""
    records = json.loads((directory / "ground-truth.json").read_text(encoding="utf-8"))
    for page_id, record in records.items():
        yield {
            **record,
            "id": page_id,
            "page_type": "article",
            "text": record.get("articleBody") or "",
            "must_have": record.get("with"),
            "must_not_have": record.get("without"),
        }


Reader = Callable[[Path], Iterator[Record]]
_LAYOUTS: tuple[tuple[Callable[[Path], bool], Reader], ...] = (
    (lambda directory: (directory / "truth.jsonl.gz").exists(), _truth_lines),
    (lambda directory: (directory / "truth.jsonl").exists(), _truth_lines),
    (lambda directory: (directory / "ground-truth.json").exists(), _benchmark_file),
    (lambda directory: (directory / "ground-truth").exists(), _wcxb_files),
    (is_l3s, l3s_records),
    (is_cleaneval, cleaneval_records),
)


def _reader(directory: Path) -> Reader | None:
    return next((reader for fits, reader in _LAYOUTS if fits(directory)), None)

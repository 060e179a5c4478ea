"""Articles as Parquet (extra ``parquet``): typed columns, zstd, and one row group in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from cleancrawl.core.article import COLUMNS, Kind
from cleancrawl.core.text.encodable import encodable
from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.errors import MissingExtra

ROW_GROUP = 1_000
_GROUP_BYTES = 16_000_000
"""Long articles close a row group early: memory is bounded by bytes, not by rows."""


def load_pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("pyarrow", "parquet") from None
    return pyarrow


def schema(columns: Sequence[str]) -> Any:
    """The columns with their types. ``published`` stays text: its precision is part of what the page said."""
    arrow = load_pyarrow()
    types: dict[Kind, Any] = {
        "text": arrow.string(),
        "list": arrow.list_(arrow.string()),
        "counts": arrow.map_(arrow.string(), arrow.int64()),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "flag": arrow.bool_(),
        "time": arrow.timestamp("ms", tz="UTC"),
    }

    def type_of(name: str) -> Any:
        kind = kind_of(name)
        if kind != "records":
            return types[kind]
        return arrow.list_(arrow.struct([(part, arrow.string()) for part in COLUMNS[name].record]))

    return arrow.schema([(name, type_of(name)) for name in columns])


def kind_of(name: str) -> Kind:
    """What kind of column a name has; one that is no field of an article is text.

    >>> kind_of("tags"), kind_of("my_own")
    ('list', 'text')
    """
    return COLUMNS[name].kind if name in COLUMNS else "text"


class ParquetWriter:
    """Writes rows to a binary file, a row group at a time."""

    def __init__(self, file: Any, columns: Sequence[str], row_group: int = ROW_GROUP) -> None:
        self._arrow = load_pyarrow()
        self._schema = schema(columns)
        self._writer = self._arrow.parquet.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._bytes = 0
        self._row_group = row_group

    def write(self, article: Mapping[str, Any]) -> None:
        row = {name: to_cell(name, article.get(name)) for name in self._schema.names}
        self._rows.append(row)
        self._bytes += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(self._rows) >= self._row_group or self._bytes >= _GROUP_BYTES:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(self._arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows, self._bytes = [], 0


def to_cell(name: str, value: Any) -> Any:
    """A value as its column takes it; None where it has another type than the column, so that no row is lost."""
    if value is None:
        return None
    try:
        return _cell_of(name)(value)
    except (TypeError, ValueError, AttributeError):
        return None


def _to_text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return encodable(text)


def _records(value: Any, names: Sequence[str]) -> list[dict[str, str | None]]:
    return [{name: None if each.get(name) is None else _to_text(each[name]) for name in names} for each in value]


_CELLS: dict[Kind, Callable[[Any], Any]] = {
    "text": _to_text,
    "list": lambda value: [_to_text(each) for each in ([value] if isinstance(value, str) else value)],
    "counts": lambda value: [(str(key), int(count)) for key, count in value.items()],
    "integer": int,
    "number": float,
    "flag": bool,
    "time": parse_date,
}


@lru_cache(maxsize=500)
def _cell_of(name: str) -> Callable[[Any], Any]:
    kind = kind_of(name)
    return partial(_records, names=COLUMNS[name].record) if kind == "records" else _CELLS[kind]

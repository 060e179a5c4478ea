"""The pages of a WARC file (extra ``warc``), one by one, so that an archive of any size fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from cleancrawl.archives.archive_ends import breaks_off, size_of
from cleancrawl.archives.payload_origins import PayloadOrigins
from cleancrawl.errors import MissingExtra

MAX_BODY = 50_000_000
WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")


@dataclass(slots=True)
class SavedPage:
    """A response as it was once received."""

    url: str
    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    date: float | None = None
    """When, in seconds since the epoch, where the archive tells."""
    otherwise: tuple[str, ...] = ()
    """Where ``url`` is only what the page says of itself: its addresses if another page has that one."""


Broken = Callable[[str], None]
"""Told about every record or file that cannot be read; the others are read all the same."""


def read_warc(
    stream: BinaryIO, name: str, broken: Broken, origins: PayloadOrigins | None = None
) -> Iterator[SavedPage]:
    """The HTML responses of an open file, packed or not; ``name`` is what it is called in messages.

    Pages that a browser made, which no server has sent, are among them.

    A file that breaks off or is damaged is told, and what could be read of it was given. With ``origins``, answers
    whose payload another record has are given as well; then ``name`` is the file's path.
    """
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise MissingExtra("fastwarc", "warc") from None
    read, place = 0, 0
    wanted = WarcRecordType.response | WarcRecordType.resource
    if origins is not None:
        wanted |= WarcRecordType.revisit
    records = iter(ArchiveIterator(stream, record_types=wanted, parse_http=False))
    while True:
        try:
            record = next(records)
            place, cut = record.stream_pos, _is_cut(record)
            # Nothing where the file ends within the record's head.
            whole = not cut and record.content_length > 0
            repeats = whole and record.record_type == WarcRecordType.revisit
            made = whole and record.record_type == WarcRecordType.resource
        except StopIteration:
            break
        except Exception as error:  # the reader raises many kinds on damaged records
            broken(f"{name} is damaged behind byte {place:,}, the rest is lost; {read:,} responses read ({error})")
            return
        if cut:
            broken(_broken_off(stream, name, read))
            return
        read += whole and not repeats
        try:
            if whole and origins is not None and not (repeats or made):
                origins.note(record, Path(name))
            read_page = partial(_repeated, origins=origins) if repeats else _resource if made else _response
            page = read_page(record) if whole else None
        except Exception as error:
            broken(f"{name}: the response at byte {place:,} cannot be read ({type(error).__name__}: {error})")
            continue
        if page is not None and page.url.startswith(("http://", "https://")):
            yield page
    if breaks_off(stream, place):
        broken(_broken_off(stream, name, read))


def _broken_off(stream: BinaryIO, name: str, read: int) -> str:
    return f"{name} breaks off at byte {size_of(stream):,}, within a record; {read:,} whole responses read"


def _is_cut(record: Any) -> bool:
    """Whether the file ends before the record does: half a page would pass for a whole one."""
    announced = record.content_length
    if announced > MAX_BODY:
        return False
    record.freeze()
    return bool(record.content_length < announced)


def _response(record: Any) -> SavedPage | None:
    record.parse_http(auto_decode="all")
    if not record.is_http or not (record.http_content_type or "text/html").endswith("html"):
        return None
    return SavedPage(
        (record.headers.get("WARC-Target-URI") or "").strip("<>"),
        _body(record),
        record.http_headers.status_code or 200,
        unpacked_headers(record.http_headers.items()),
        record.record_date.timestamp() if record.record_date else None,
    )


def _body(record: Any) -> bytes:
    """As many bytes as are announced, and what there is behind them: of a body that came packed.

    Room for the most that may be there comes from the system page by page, which takes as long as to unpack it.
    """
    body: bytes = record.reader.read(min(record.content_length, MAX_BODY))
    rest: bytes = record.reader.read(MAX_BODY - len(body))
    return body + rest


def _resource(record: Any) -> SavedPage | None:
    """A page that no server has sent as it is, such as one that a browser made."""
    kind = record.headers.get("Content-Type") or ""
    if not kind.partition(";")[0].strip().endswith("html"):
        return None
    return SavedPage(
        (record.headers.get("WARC-Target-URI") or "").strip("<>"),
        _body(record),
        headers={"Content-Type": kind},
        date=record.record_date.timestamp() if record.record_date else None,
    )


def _repeated(record: Any, origins: PayloadOrigins | None) -> SavedPage | None:
    """The page of a revisit record: an answer of its own, with a payload that another record has."""
    origin = origins.find(record) if origins is not None else None
    page = None if origin is None else _response(origin)
    answer = _response(record)
    return None if page is None or answer is None else replace(answer, body=page.body)


def unpacked_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers without what speaks of a packed body: readers give bodies unpacked."""
    return {name: value for name, value in headers if name.lower() not in ("content-encoding", "transfer-encoding")}

"""WARC 1.1 files, a gzip member per record: one series of files per run, each up to a size."""

from __future__ import annotations

import os
import secrets
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha1
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from cleancrawl.errors import MissingExtra

REMEMBERED_PAYLOADS = 100_000
"""So many payloads of a run are known again, the newest; each costs a few hundred bytes of memory."""
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
RESOURCE, RENDERED = "resource", "text/html; charset=utf-8"
"""Of a page that a browser made: the type of its record, and what is in it."""
HeaderLines = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer, as they went over the wire; bodies without chunks, but packed as they came."""

    url: str
    moment: datetime
    request_line: str
    request_headers: HeaderLines
    request_body: bytes
    status_line: str
    """Without the protocol: ``200 OK``."""
    headers: HeaderLines
    body: bytes
    address: str | None = None
    truncated: str | None = None
    """Why the body is not whole: ``length``, ``time``, ``disconnect`` or ``unspecified``."""


class WarcFiles:
    """Writes exchanges. What was written is on its way to the disk: a killed process leaves at most one cut record.

    Raises ``MissingExtra`` without warcio, ``OSError`` where the disk refuses.
    """

    def __init__(self, folder: Path, info: Mapping[str, str], most_bytes: int) -> None:
        try:
            from warcio.warcwriter import WARCWriter
        except ImportError:
            raise MissingExtra("warcio", "warc") from None
        self.folder, self.info, self.most_bytes = folder, dict(info), most_bytes
        # The time puts the files of all runs in order, the letters tell runs apart that begin at once.
        begun = datetime.now(UTC)
        self.run = f"{begun:%Y%m%dT%H%M%S}{begun.microsecond // 1000:03}Z-{secrets.token_hex(3)}"
        self.files = 0
        self._originals: OrderedDict[str, tuple[str, str, str]] = OrderedDict()
        self._writer_of = WARCWriter
        self._file: BinaryIO | None = None
        self._size = 0
        self._info_id = ""

    def write(self, exchange: Exchange) -> str:
        """Add a request and its answer; returns what the answer became: ``response`` or ``revisit``."""
        if self._file is None or self._size >= self.most_bytes:
            self._next_file()
        packed, writer = self._writer()
        digest = payload_digest(exchange.body)
        answer = self._answer(writer, exchange, digest)
        headers = _http_headers(exchange.request_line, exchange.request_headers)
        request = writer.create_warc_record(
            exchange.url,
            "request",
            payload=BytesIO(exchange.request_body),
            length=len(exchange.request_body),
            http_headers=headers,
            warc_headers_dict={"WARC-Warcinfo-ID": self._info_id},
        )
        writer.write_request_response_pair(request, answer)
        self._append(packed.getvalue())
        kind: str = answer.rec_type
        if kind == "response" and exchange.body and not exchange.truncated:
            about = answer.rec_headers.get_header
            self._originals[digest] = about("WARC-Record-ID"), exchange.url, about("WARC-Date")
            if len(self._originals) > REMEMBERED_PAYLOADS:
                self._originals.popitem(last=False)
        return kind

    def write_page(self, url: str, moment: datetime, body: bytes, address: str | None) -> str:
        """Add a page as a browser has made it, which no server has sent: a record of the type that is returned."""
        if self._file is None or self._size >= self.most_bytes:
            self._next_file()
        packed, writer = self._writer()
        about = {"WARC-Date": _warc_date(moment), "WARC-Warcinfo-ID": self._info_id}
        if address:
            about["WARC-IP-Address"] = address
        record = writer.create_warc_record(
            url, RESOURCE, BytesIO(body), len(body), warc_content_type=RENDERED, warc_headers_dict=about
        )
        writer.write_record(record)
        self._append(packed.getvalue())
        return RESOURCE

    def _answer(self, writer: Any, exchange: Exchange, digest: str) -> Any:
        headers = _http_headers(exchange.status_line, exchange.headers, "HTTP/1.1")
        about = {"WARC-Date": _warc_date(exchange.moment), "WARC-Warcinfo-ID": self._info_id}
        if exchange.address:
            about["WARC-IP-Address"] = exchange.address
        if exchange.truncated:
            about["WARC-Truncated"] = exchange.truncated
        elif exchange.status_line.startswith("304"):
            about |= {"WARC-Profile": NOT_MODIFIED, "WARC-Refers-To-Target-URI": exchange.url}
            return writer.create_warc_record(exchange.url, "revisit", http_headers=headers, warc_headers_dict=about)
        elif exchange.body and (original := self._originals.get(digest)):
            record_id, url, date = original
            about["WARC-Refers-To"] = record_id
            return writer.create_revisit_record(exchange.url, digest, url, date, headers, about)
        body, about = exchange.body, {**about, "WARC-Payload-Digest": digest}
        return writer.create_warc_record(
            exchange.url,
            "response",
            payload=BytesIO(body),
            length=len(body),
            http_headers=headers,
            warc_headers_dict=about,
        )

    def _writer(self) -> tuple[BytesIO, Any]:
        packed = BytesIO()
        return packed, self._writer_of(packed, gzip=True, warc_version="1.1")

    def _next_file(self) -> None:
        self.close()
        self.folder.mkdir(parents=True, exist_ok=True)
        name = f"cleancrawl-{self.run}-{self.files:05}.warc.gz"
        # Never buffered: what is buffered dies with the process. And never over another file.
        self._file = (self.folder / name).open("xb", buffering=0)
        self.files, self._size = self.files + 1, 0
        packed, writer = self._writer()
        record = writer.create_warcinfo_record(name, self.info)
        writer.write_record(record)
        self._info_id = record.rec_headers.get_header("WARC-Record-ID")
        self._append(packed.getvalue())

    def _append(self, data: bytes) -> None:
        """All of it, or none where the disk is full: another record may not begin within half a one."""
        assert self._file is not None
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            os.ftruncate(self._file.fileno(), self._size)
            raise
        self._size += len(data)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _http_headers(first_line: str, headers: HeaderLines, protocol: str = "") -> Any:
    from warcio.statusandheaders import StatusAndHeaders

    class HeadersAsSent(StatusAndHeaders):  # type: ignore[misc]
        """Bytes beyond ASCII stay as they are; the library would quote them."""

        def compute_headers_buffer(self, header_filter: Any = None) -> None:
            self.headers_buff = self.to_bytes(header_filter, "latin-1")

    return HeadersAsSent(first_line, list(headers), protocol=protocol, is_http_request=not protocol)


def payload_digest(body: bytes) -> str:
    """As archives write it.

    >>> payload_digest(b"")
    'sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ'
    """
    return "sha1:" + b32encode(sha1(body, usedforsecurity=False).digest()).decode()


def _warc_date(moment: datetime) -> str:
    """
    >>> _warc_date(datetime(2026, 2, 24, 9, 0, 0, 1500, UTC))
    '2026-02-24T09:00:00.001500Z'
    """
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")

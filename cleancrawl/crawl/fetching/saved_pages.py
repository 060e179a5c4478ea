"""Saved pages: WARC files, directories, Scrapy's HTTP cache. Read one by one, so that an archive of any size fits."""

from __future__ import annotations

import ast
import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.utils.httpobj import urlparse_cached
from xxhash import xxh64_hexdigest

from cleancrawl.core.html.head import scan_head
from cleancrawl.core.site import domain_of, host_of
from cleancrawl.crawl.fetching.archive_ends import breaks_off
from cleancrawl.crawl.fetching.payload_origins import PayloadOrigins
from cleancrawl.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MAX_BODY = 50_000_000
_PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
_WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")


@dataclass(slots=True)
class SavedPage:
    """A response as it was once received."""

    url: str
    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    fetched: float | None = None
    """When, in seconds since the epoch; None where nobody knows."""
    otherwise: tuple[str, ...] = ()
    """Where ``url`` is only what the page says of itself: its addresses if another page has that one."""


class SavedPageRequest(Request):
    """A request that its saved page answers; an attribute, so that Scrapy's queues keep it and meta stays small."""

    attributes = (*Request.attributes, "page")

    def __init__(self, url: str, *arguments: Any, page: SavedPage | None = None, **options: Any) -> None:
        super().__init__(url, *arguments, **options)
        self.page = page


Broken = Callable[[str], None]
"""Told about every record or file that cannot be read; the others are read all the same."""


def read_archive(path: Path, broken: Broken) -> Iterator[SavedPage]:
    """The pages of a WARC file, of a directory (of saved pages or of Scrapy's HTTP cache), or of one saved page.

    Raises ``ConfigError`` where there is nothing of the kind.
    """
    if path.is_dir():
        return _directory(path, broken)
    if not path.is_file():
        raise ConfigError(f"no such file or directory: {path}")
    if path.name.endswith(_WARC_SUFFIXES):
        return _warc(path, broken, PayloadOrigins())
    if path.name.endswith(_PAGE_SUFFIXES):
        return iter(_files([path], broken))
    known = ", ".join((*_WARC_SUFFIXES, *_PAGE_SUFFIXES))
    raise ConfigError(f"{path} is neither a directory nor one of {known}")


def _warc(path: Path, broken: Broken, origins: PayloadOrigins) -> Iterator[SavedPage]:
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise MissingExtra("fastwarc", "warc") from None
    read, place = 0, 0
    with path.open("rb") as stream:
        wanted = WarcRecordType.response | WarcRecordType.revisit
        records = iter(ArchiveIterator(stream, record_types=wanted, parse_http=False))
        while True:
            try:
                record = next(records)
                place, cut = record.stream_pos, _is_cut(record)
                # Nothing where the file ends within the record's head.
                whole = not cut and record.content_length > 0
                repeats = whole and record.record_type == WarcRecordType.revisit
                if whole and not repeats:
                    origins.note(record, path)
                page = (_repeated(record, origins) if repeats else _response(record)) if whole else None
            except StopIteration:
                break
            except Exception as error:  # the reader raises many kinds on damaged records
                broken(f"{path} is damaged behind byte {place:,}, the rest is lost; {read:,} responses read ({error})")
                return
            if cut:
                broken(_broken_off(path, read))
                return
            read += whole and not repeats
            if page is not None and page.url.startswith(("http://", "https://")):
                yield page
    if breaks_off(path, place):
        broken(_broken_off(path, read))


def _broken_off(path: Path, read: int) -> str:
    return f"{path} breaks off at byte {path.stat().st_size:,}, within a record; {read:,} whole responses read"


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
        record.reader.read(MAX_BODY),
        record.http_headers.status_code or 200,
        _unpacked_headers(record.http_headers.items()),
        _moment(record.record_date),
    )


def _repeated(record: Any, origins: PayloadOrigins) -> SavedPage | None:
    """The page of a revisit record: an answer of its own, with a payload that another record has."""
    origin = origins.find(record)
    page = None if origin is None else _response(origin)
    answer = _response(record)
    return None if page is None or answer is None else replace(answer, body=page.body)


def _moment(date: Any) -> float | None:
    return date.timestamp() if isinstance(date, datetime) else None


def _directory(path: Path, broken: Broken) -> Iterator[SavedPage]:
    origins = PayloadOrigins()
    for place, folders, names in os.walk(path):
        folders.sort()
        folder = Path(place)
        if "response_body" in names and "meta" in names:
            yield from _cached(folder, broken)
            continue
        for name in sorted(names):
            if name.endswith(_WARC_SUFFIXES):
                yield from _warc(folder / name, broken, origins)
            elif name.endswith(_PAGE_SUFFIXES):
                yield from _files([folder / name], broken)


def _cached(folder: Path, broken: Broken) -> Iterator[SavedPage]:
    """An entry of Scrapy's ``FilesystemCacheStorage``; its pickle is never read."""
    try:
        meta = ast.literal_eval((folder / "meta").read_text("utf-8"))
        raw = _unpacked((folder / "response_headers").read_bytes())
        body = _unpacked((folder / "response_body").read_bytes())
        url, status = str(meta.get("response_url") or meta["url"]), int(meta["status"])
    except (OSError, ValueError, SyntaxError, KeyError, AttributeError, EOFError, zlib.error) as error:
        broken(f"{folder} cannot be read: {type(error).__name__}: {error}")
        return
    lines = (line.partition(":") for line in raw.decode("latin-1").splitlines())
    yield SavedPage(url, body, status, _unpacked_headers((name.strip(), value.strip()) for name, _, value in lines))


def _unpacked_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers without what speaks of a packed body: both readers give bodies unpacked."""
    return {name: value for name, value in headers if name.lower() not in ("content-encoding", "transfer-encoding")}


def _files(paths: list[Path], broken: Broken) -> Iterator[SavedPage]:
    for path in paths:
        try:
            body = _unpacked(path.read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            broken(f"{path} cannot be read: {type(error).__name__}: {error}")
            continue
        addresses = (*_own_urls(body), path.resolve().as_uri())
        # What tells the same page, read again, from another one that gives itself the same address.
        headers = {"ETag": f'"saved-{xxh64_hexdigest(body)}"'}
        yield SavedPage(addresses[0], body, headers=headers, otherwise=addresses[1:])


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    decoder = zlib.decompressobj(zlib.MAX_WBITS | 16)
    unpacked = decoder.decompress(data, MAX_BODY)
    if decoder.unconsumed_tail:
        raise gzip.BadGzipFile(f"more than {MAX_BODY} bytes unpacked")
    if not decoder.eof:
        raise EOFError(f"breaks off after {len(unpacked):,} bytes unpacked")
    return unpacked


def _own_urls(body: bytes) -> tuple[str, ...]:
    """The address that a saved page gives itself, and the one that a browser noted when it saved it.

    Where there is such a note the page itself is believed within the noted site only.
    """
    start = body[:200_000].decode("utf-8", "replace")
    head = scan_head(start)
    stated = [href for rel, href, _ in head.links if rel == "canonical"]
    stated += [content for name, content in head.meta if name == "og:url"]
    marker = start.find("saved from url=(")
    note = start[start.find(")", marker) + 1 : start.find("-->", marker)].strip() if marker >= 0 else ""
    if _is_address(note):
        stated = [url for url in stated if domain_of(url) == domain_of(note)]
    found = (next(filter(_is_address, stated), None), note if _is_address(note) else None)
    return tuple(dict.fromkeys(url for url in found if url))


def _is_address(url: str) -> bool:
    return url.startswith(("http://", "https://")) and host_of(url) != ""


class SavedPagesMiddleware:
    """Downloader middleware, the first of all: answers a request from its saved page, without any network."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SavedPagesMiddleware:
        return cls()

    def process_request(self, request: Request) -> Response | None:
        if not isinstance(request, SavedPageRequest) or request.page is None:
            return None
        # Once: what the page is redirected to is another page.
        page, request.page = request.page, None
        headers = Headers(page.headers)
        found = responsetypes.from_args(headers=headers, url=urlparse_cached(request).geturl(), body=page.body[:5_000])
        response: Response = found(request.url, status=page.status, headers=headers, body=page.body, request=request)
        return response


class NoNetworkMiddleware:
    """Downloader middleware behind those that answer from files and from the store: what comes so far goes no farther.

    A saved redirect or a saved error would lead to the network otherwise, by way of Scrapy's redirects and retries.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> NoNetworkMiddleware:
        return cls()

    def process_request(self, request: Request) -> None:
        raise IgnoreRequest(f"not saved: {request.url}")

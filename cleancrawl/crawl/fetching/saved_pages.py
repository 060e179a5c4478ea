"""Saved pages: WARC files, directories, Scrapy's HTTP cache. Read one by one, so that an archive of any size fits."""

from __future__ import annotations

import ast
import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.utils.httpobj import urlparse_cached
from xxhash import xxh64_hexdigest

from cleancrawl.archives.payload_origins import PayloadOrigins
from cleancrawl.archives.warc_pages import MAX_BODY, WARC_SUFFIXES, Broken, SavedPage, read_warc, unpacked_headers
from cleancrawl.core.html.head import scan_head
from cleancrawl.core.site import domain_of, host_of
from cleancrawl.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")


class SavedPageRequest(Request):
    """A request that its saved page answers; an attribute, so that Scrapy's queues keep it and meta stays small."""

    attributes = (*Request.attributes, "page")

    def __init__(self, url: str, *arguments: Any, page: SavedPage | None = None, **options: Any) -> None:
        super().__init__(url, *arguments, **options)
        self.page = page


def read_archive(path: Path, broken: Broken) -> Iterator[SavedPage]:
    """The pages of a WARC file, of a directory (of saved pages or of Scrapy's HTTP cache), or of one saved page.

    Raises ``ConfigError`` where there is nothing of the kind.
    """
    if path.is_dir():
        return _directory(path, broken)
    if not path.is_file():
        raise ConfigError(f"no such file or directory: {path}")
    if path.name.endswith(WARC_SUFFIXES):
        return _warc(path, broken, PayloadOrigins())
    if path.name.endswith(_PAGE_SUFFIXES):
        return iter(_files([path], broken))
    known = ", ".join((*WARC_SUFFIXES, *_PAGE_SUFFIXES))
    raise ConfigError(f"{path} is neither a directory nor one of {known}")


def _warc(path: Path, broken: Broken, origins: PayloadOrigins) -> Iterator[SavedPage]:
    with path.open("rb") as stream:
        yield from read_warc(stream, str(path), broken, origins)


def _directory(path: Path, broken: Broken) -> Iterator[SavedPage]:
    origins = PayloadOrigins()
    for place, folders, names in os.walk(path):
        folders.sort()
        folder = Path(place)
        if "response_body" in names and "meta" in names:
            yield from _cached(folder, broken)
            continue
        for name in sorted(names):
            if name.endswith(WARC_SUFFIXES):
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
    yield SavedPage(url, body, status, unpacked_headers((name.strip(), value.strip()) for name, _, value in lines))


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

"""A page that waits until its site is known, as it lies in the store."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request
from scrapy.http import HtmlResponse

from cleancrawl.core.feed_text import FeedText
from cleancrawl.crawl.request_data import RequestData
from cleancrawl.crawl.response_text import stated_encoding
from cleancrawl.stores.protocol import HeldPage

if TYPE_CHECKING:
    from scrapy import Spider

LEVEL = 3
"""Of compression: pages shrink to a fifth in a fraction of the time that the best level takes."""


PARTS = "cleancrawl_parts"
"""Where in its meta a page that waited has the other parts of its article."""
FEED_TEXT = "cleancrawl_feed_text"
"""And where what a feed has of it."""


class Packed(NamedTuple):
    head: dict[str, Any]
    body: bytes
    """Still compressed."""


def pack(
    response: HtmlResponse,
    callback: str | None,
    parts: dict[str, list[str]] | None = None,
    feed: FeedText | None = None,
) -> bytes | None:
    """The response, the other parts of its article, what a feed has of it, and what its request was for; None where
    that cannot be written down."""
    request = response.request
    head = {
        "url": response.url,
        "status": response.status,
        "encoding": stated_encoding(response),
        "headers": [
            [name.decode("latin-1"), value.decode("latin-1")]
            for name, values in response.headers.items()
            for value in values
        ],
        "meta": {name: value for name, value in request.meta.items() if _is_json(value)} if request else {},
        "callback": callback,
        "arguments": request.cb_kwargs if request and callback else {},
        "parts": parts,
        "feed": feed and [feed.html, feed.title, feed.published],
    }
    try:
        text = json.dumps(head).encode()
    except (TypeError, ValueError):
        return None
    return len(text).to_bytes(4, "big") + text + zlib.compress(response.body, LEVEL)


def unpack(page: HeldPage) -> Packed:
    size = int.from_bytes(page.response[:4], "big")
    head = json.loads(page.response[4 : 4 + size])
    return Packed(head, page.response[4 + size :])


def to_response(packed: Packed, request: Request) -> HtmlResponse:
    head = packed.head
    headers: dict[str, list[str]] = {}
    for name, value in head["headers"]:
        headers.setdefault(name, []).append(value)
    # Not before: the request may have waited in a queue on disk.
    request.meta.update({PARTS: head.get("parts"), FEED_TEXT: head.get("feed")})
    return HtmlResponse(
        head["url"],
        status=head["status"],
        headers=headers,
        body=zlib.decompress(packed.body),
        encoding=head["encoding"],
        request=request,
    )


def to_request(page: HeldPage, packed: Packed, spider: Spider, lease: int | None = None) -> Request:
    """A request that the store answers. It goes first, past filters: the page was fetched already.

    ``lease`` is the one that its site is under now; the page may have been fetched under another.
    """
    name = packed.head["callback"]
    callback: Callable[..., Any] = getattr(spider, name, nothing_more) if name else nothing_more
    request = Request(
        page.url,
        callback=callback,
        cb_kwargs=packed.head["arguments"] if callback is not nothing_more else {},
        meta=packed.head["meta"],
        dont_filter=True,
        priority=1000,
    )
    request.meta.update(replace(RequestData.of(request), held_since=page.since, lease=lease).to_meta())
    return request


def nothing_more(response: Any) -> tuple[()]:
    """The spider had this page already and followed its links."""
    return ()


def _is_json(value: object) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True

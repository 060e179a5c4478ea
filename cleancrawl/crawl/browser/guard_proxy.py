"""The only way out for a browser: a proxy on loopback that connects to no private address.

A browser resolves names itself, follows redirects itself, and opens sockets that nobody sees. Through a proxy all of it
asks here, by name, and the very address that was judged is connected to.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from base64 import b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlsplit

from cleancrawl.core.public_addresses import Place, place_of

logger = logging.getLogger(__name__)

Judge = Callable[[Place], Awaitable[list[str]]]
"""The addresses of a place that may be connected to; none where it may not."""
LONGEST_HEAD = 64_000
CHUNK = 64_000
MOST_BYTES = 50_000_000
"""Of one connection, in either direction."""
CONNECT_SECONDS = 20.0
REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
UNREACHED = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
WHO = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=cleancrawl\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)
CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class GuardProxy:
    """Speaks to its own browser only: others on this machine do not know the password."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.bytes = 0
        """That came from the web."""
        self.password = secrets.token_urlsafe()
        self._key = b"Basic " + b64encode(f"browser:{self.password}".encode())
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> dict[str, str]:
        """Begin to listen; what Playwright is told as ``proxy``."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=LONGEST_HEAD)
        port = self._server.sockets[0].getsockname()[1]
        # Chromium would go past a proxy to loopback.
        server = f"http://127.0.0.1:{port}"
        return {"server": server, "bypass": "<-loopback>", "username": "browser", "password": self.password}

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, ValueError):
                await self._answer(reader, writer)
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, *headers = head[:-4].split(b"\r\n")
        method, target, _ = line.decode("latin-1").split(" ", 2)
        if not any(_is_header(header, b"proxy-authorization") and header.endswith(self._key) for header in headers):
            writer.write(WHO)
            await writer.drain()
            return
        tunnel = method == "CONNECT"
        place = place_of(f"https://{target}" if tunnel else target)
        addresses = await self.judge(place) if place is not None else []
        if place is None or not addresses or not (tunnel or target.startswith("http://")):
            writer.write(REFUSED)
            await writer.drain()
            return
        try:
            far_reader, far_writer = await _connect(addresses, place[1])
        except (OSError, TimeoutError):
            writer.write(UNREACHED)
            await writer.drain()
            return
        try:
            if tunnel:
                writer.write(CONNECTED)
            else:
                far_writer.write(_forwarded(method, target, headers))
            await self._join((reader, writer), (far_reader, far_writer))
        finally:
            far_writer.close()

    async def _join(
        self,
        near: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        far: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        """Pass on what either side says, until the web has said all or the browser goes away."""
        upward = asyncio.ensure_future(_pipe(near[0], far[1], lambda size: None))
        try:
            await _pipe(far[0], near[1], self._count)
        finally:
            upward.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await upward

    def _count(self, size: int) -> None:
        self.bytes += size


async def _connect(addresses: list[str], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    failure: Exception = OSError("no address")
    for address in addresses:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncio.open_connection(address, port, limit=LONGEST_HEAD)
        except (OSError, TimeoutError) as error:
            failure = error
    raise failure


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, count: Callable[[int], None]) -> None:
    left = MOST_BYTES
    while left > 0 and (data := await reader.read(CHUNK)):
        left -= len(data)
        count(len(data))
        writer.write(data)
        await writer.drain()


def _forwarded(method: str, target: str, headers: list[bytes]) -> bytes:
    """A request as its server wants it: without the host in its first line, and one to a connection.

    >>> _forwarded("GET", "http://a.example/x?y", [b"Host: a.example", b"Proxy-Authorization: Basic x", b"A: b"])
    b'GET /x?y HTTP/1.1\\r\\nHost: a.example\\r\\nA: b\\r\\nConnection: close\\r\\n\\r\\n'
    """
    parts = urlsplit(target)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    dropped = (b"proxy-authorization", b"proxy-connection", b"connection")
    kept = [header for header in headers if not any(_is_header(header, name) for name in dropped)]
    return b"\r\n".join([f"{method} {path} HTTP/1.1".encode("latin-1"), *kept, b"Connection: close", b"", b""])


def _is_header(line: bytes, name: bytes) -> bool:
    return line.partition(b":")[0].strip().lower() == name

"""What stands before every page: who may ask, and what the browser may do with the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from cleancrawl.report.templating import asset_names, policy

Message = MutableMapping[str, Any]
App = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def headers() -> list[tuple[bytes, bytes]]:
    """Nothing but our own styles and scripts, nowhere else, for nobody else, and nothing kept."""
    styles = [name for name in asset_names(".css") if name != "base.css"]
    rules = policy(styles, asset_names(".js"), "'self'")
    values = {
        "Content-Security-Policy": f"{rules}; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    return [(name.lower().encode(), value.encode()) for name, value in values.items()]


class RequestGuard:
    """Refuses requests for other names than its own, and puts the headers on every answer.

    A page on the web can give its own name the address of this machine (DNS rebinding) and so make a browser ask us in
    its place; the name is then in ``Host``.
    """

    def __init__(self, app: App, names: Iterable[str]) -> None:
        self.app = app
        self.names = frozenset(name.lower() for name in names)
        self._headers = headers()

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        hosts = [value for name, value in scope["headers"] if name == b"host"]
        if len(hosts) == 1 and host_name(hosts[0]) in self.names:
            await self.app(scope, receive, guarded)
            return
        text = b"This page is not served under that name.\n"
        kind = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
        await guarded({"type": "http.response.start", "status": 421, "headers": kind})
        await send({"type": "http.response.body", "body": text})


def host_name(value: bytes) -> str | None:
    """The name in a ``Host`` header, without the port; None where it is none.

    >>> host_name(b"LocalHost:8000"), host_name(b"[::1]:80"), host_name(b"a@b"), host_name(b"")
    ('localhost', '::1', None, None)
    """
    text = value.decode("latin-1")
    if not text or any(sign in text for sign in "@/?#\\ "):
        return None
    try:
        return urlsplit(f"//{text}").hostname
    except ValueError:
        return None

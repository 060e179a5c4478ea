"""One page in a browser: what it may load, when it is ready, and what is taken of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from cleancrawl.core.public_addresses import Place, place_of
from cleancrawl.core.rules.attributes import ad_domain
from cleancrawl.data import read_text

BLOCKED_KINDS = frozenset("image media font texttrack manifest ping cspviolationreport websocket eventsource".split())
"""Nothing of these becomes text."""
AWAITED_KINDS = frozenset("document script xhr fetch stylesheet".split())
LOOK_SECONDS = 0.1
QUIET_SECONDS = 0.5
"""For so long nothing is loaded and no text is added: the page is ready."""
PATIENCE_SECONDS = 2.0
"""So long a page without any text may stay quiet."""
TEXT_LENGTH = "document.body ? document.body.innerText.length : 0"
SOURCE = "'<!DOCTYPE html>' + document.documentElement.outerHTML.slice(0, {})"

Allows = Callable[[Place], Awaitable[list[str]]]


class Traffic:
    """What a page is still waiting for."""

    def __init__(self) -> None:
        self.pending: set[Any] = set()
        self.last = time.monotonic()

    async def watch(self, page: Any, request: Any) -> None:
        self.pending.clear()  # what a page that died was waiting for
        page.on("request", self._begins)
        page.on("requestfinished", self._ends)
        page.on("requestfailed", self._ends)

    def _begins(self, request: Any) -> None:
        if request.resource_type in AWAITED_KINDS:
            self.pending.add(request)
            self.last = time.monotonic()

    def _ends(self, request: Any) -> None:
        if request in self.pending:
            self.pending.discard(request)
            self.last = time.monotonic()

    def is_quiet(self, seconds: float) -> bool:
        return not self.pending and time.monotonic() - self.last >= seconds


class IsolatedWorld:
    """Runs our scripts in a page, where the page's own cannot reach them: there ``slice`` is what it should be."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._session: Any = None
        self._world: int | None = None

    async def value(self, expression: str) -> Any:
        try:
            return await self._evaluate(expression)
        except WorldGone:
            # The page has led itself elsewhere.
            self._world = None
            return await self._evaluate(expression)

    async def _evaluate(self, expression: str) -> Any:
        from playwright.async_api import Error

        try:
            world = self._world = self._world or await self._enter()
            asked = {"expression": expression, "contextId": world, "returnByValue": True}
            answer = await self._session.send("Runtime.evaluate", asked)
        except Error as error:
            if "context" in error.message and not self.page.is_closed():
                raise WorldGone from error
            raise
        return answer["result"].get("value")

    async def _enter(self) -> int:
        if self._session is None:
            self._session = await self.page.context.new_cdp_session(self.page)
        tree = await self._session.send("Page.getFrameTree")
        asked = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "cleancrawl"}
        world: int = (await self._session.send("Page.createIsolatedWorld", asked))["executionContextId"]
        return world


class WorldGone(Exception):
    """The document that a script ran in is not there any more."""


async def rendered_source(page: Any, traffic: Traffic, seconds: float, most: int) -> str:
    """The page as its scripts have made it, as soon as they are done; after so many seconds in any case.

    One character more than ``most`` is given where there are more.
    """
    end = time.monotonic() + seconds
    length, since, world = 0, time.monotonic(), IsolatedWorld(page)
    while time.monotonic() < end:
        found = await world.value(TEXT_LENGTH)
        if found != length:
            length, since = found, time.monotonic()
        wanted = QUIET_SECONDS if length else PATIENCE_SECONDS
        if traffic.is_quiet(wanted) and time.monotonic() - since >= wanted:
            break
        await asyncio.sleep(LOOK_SECONDS)
    await world.value(f"({_hide_overlays()})()")
    source = await world.value(SOURCE.format(most + 1))
    return source if isinstance(source, str) else ""


async def is_unwanted(request: Any, allows: Allows | None) -> bool:
    """Whether a page's own request is stopped: what gives no text, advertisers, frames, private addresses."""
    if request.resource_type in BLOCKED_KINDS:
        return True
    url: str = request.url
    if not url.startswith(("http://", "https://")):
        return not url.startswith(("data:", "blob:"))
    if request.resource_type == "document" and request.frame.parent_frame is not None:
        return True
    place = place_of(url)
    if place is None or (not request.is_navigation_request() and ad_domain(place[0])):
        return True
    return allows is not None and not await allows(place)


@cache
def _hide_overlays() -> str:
    return "\n".join(line for line in read_text("hide_overlays.js").splitlines() if not line.startswith("//"))

"""One portal behind its server: which resource answers a request, and how tests have changed that."""

from __future__ import annotations

import gzip
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, timedelta
from email.message import Message
from email.utils import format_datetime, parsedate_to_datetime
from hashlib import blake2b
from http import HTTPStatus
from threading import Lock
from urllib.parse import urljoin, urlsplit

from tests.site.resource import HTML, Resource, View
from tests.site.special import ENDLESS, error_page


@dataclass(frozen=True)
class Logged:
    """One request as the server saw it and what it answered."""

    portal: str
    method: str
    path: str
    headers: Mapping[str, str]
    """Names in the spelling `User-Agent`."""
    status: int
    size: int
    """Bytes of the body as sent, compressed or not."""
    at: float
    """`time.monotonic()` when the request had arrived."""


@dataclass
class Behaviour:
    """What a test has changed about one path."""

    additions: tuple[str, ...] = ()
    status: int | None = None
    retry_after: str | None = None
    times: int | None = None
    delay: float = 0.0
    withheld: bool = False


@dataclass
class Portal:
    """One portal: its resources, what tests changed about them, and the server in front of it."""

    name: str
    resources: dict[str, Resource]
    log: list[Logged]
    slow: float
    traps: bool = False
    behaviours: dict[str, Behaviour] = field(default_factory=dict)
    hits: Counter[str] = field(default_factory=Counter)
    lock: Lock = field(default_factory=Lock)
    url: str = ""

    def find(self, target: str) -> tuple[str, Resource | None]:
        """The resource of a request target: with its query where that page exists, or without."""
        path = urlsplit(target).path
        if target in self.resources:
            return target, self.resources[target]
        endless = next((resource for prefix, resource in ENDLESS.items() if path.startswith(prefix)), None)
        return path, self.resources.get(path, endless)

    def behaviour(self, path: str) -> Behaviour:
        """How to answer this request; failures that were ordered a number of times are used up here."""
        with self.lock:
            self.hits[path] += 1
            current = self.behaviours.get(path, Behaviour())
            answer = replace(current)
            if current.status is not None and current.times is not None:
                if current.times <= 0:
                    answer.status = None
                current.times -= 1
            return answer

    def view(self, base: str, path: str, behaviour: Behaviour) -> View:
        """What a page may know of itself and of the others at this moment."""
        with self.lock:
            return View(
                base,
                path,
                version=1 + len(behaviour.additions),
                additions=behaviour.additions,
                hits=self.hits[path],
                changes={other: len(found.additions) for other, found in self.behaviours.items() if found.additions},
                withheld=frozenset(other for other, found in self.behaviours.items() if found.withheld),
                traps=self.traps,
            )


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes = b""


def answer(portal: Portal, target: str, request: Message) -> Answer:
    """The answer to a GET, before the connection's own headers."""
    path, resource = portal.find(target)
    behaviour = portal.behaviour(path)
    delay = behaviour.delay or (portal.slow if resource is not None and resource.slow else 0.0)
    if delay:
        time.sleep(delay)
    status = behaviour.status
    if status is not None or resource is None or behaviour.withheld:
        status = status or 404
        retry = {"Retry-After": behaviour.retry_after} if behaviour.retry_after else {}
        return Answer(status, {"Content-Type": HTML, **retry}, error_page(status, HTTPStatus(status).phrase))
    base = f"http://{request.get('Host') or urlsplit(portal.url).netloc}"
    if resource.location is not None:
        return Answer(resource.status, {"Location": urljoin(base, resource.location)})
    view = portal.view(base, path, behaviour)
    # A sitemap or feed changes with every article in it.
    version = 1 + sum(view.changes.values()) if resource.overview else view.version
    return _negotiated(resource, resource.render(view), version, request)


_COMPRESSIBLE = ("text/", "application/xml", "application/rss", "application/atom", "application/feed")


def _negotiated(resource: Resource, body: bytes, version: int, request: Message) -> Answer:
    """Validators, 304 and gzip."""
    headers = {"Content-Type": resource.content_type, "Vary": "Accept-Encoding"}
    if resource.modified is None:
        headers["Cache-Control"] = "no-cache"
    else:
        modified = resource.modified + timedelta(hours=version - 1)
        etag = f'"{version}-{blake2b(body, digest_size=8).hexdigest()}"'
        headers |= {"ETag": etag, "Last-Modified": format_datetime(modified.astimezone(UTC), usegmt=True)}
        if _unchanged(request, headers):
            return Answer(304, headers)
    compressible = resource.content_type.startswith(_COMPRESSIBLE)
    if compressible and "gzip" in request.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        body = gzip.compress(body, compresslevel=6, mtime=0)
    return Answer(resource.status, headers, body)


def _unchanged(request: Message, headers: Mapping[str, str]) -> bool:
    """RFC 9110: the entity tag decides where one was sent, the date otherwise."""
    if tags := request.get("If-None-Match"):
        return tags.strip() == "*" or headers["ETag"] in [tag.strip().removeprefix("W/") for tag in tags.split(",")]
    if since := request.get("If-Modified-Since"):
        try:
            return parsedate_to_datetime(headers["Last-Modified"]) <= parsedate_to_datetime(since)
        except ValueError:
            return False
    return False

"""The pages of ``cleancrawl serve`` from a real server, in a thread of the tests' own."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from cleancrawl import open_store
from cleancrawl.core.fingerprints.article_signature import signature
from cleancrawl.serve.harvest_source import HarvestSource
from cleancrawl.serve.request_guard import LOOPBACK
from cleancrawl.serve.web_app import make_app
from cleancrawl.sinks.filling import put
from cleancrawl.sinks.searching import open_search
from cleancrawl.sinks.sink import open_sink
from cleancrawl.stores.earlier_versions import keep_version
from cleancrawl.stores.protocol import Store
from tests.stores.pages import NOON, record_of

SITE = "courier.example"
STORY = [
    "The council of the harbour town met on Monday to talk about the price of ice cream in the summer.",
    "Nobody wanted to pay more for it than last year, the mayor said, and the shops agreed to wait.",
    "The council will look at it once more in the autumn, when the visitors have gone home again.",
]


def article(number: int | str, title: str, lines: list[str], **more: Any) -> dict[str, Any]:
    url = f"https://{SITE}/{number}"
    fields = {"url": url, "site": SITE, "title": title, "text": "\n".join(lines), "language": "en"}
    return {
        **fields,
        "authors": ["Ann Abara"],
        "published": "2026-03-01",
        "word_count": 40,
        "recipe": "default",
        **more,
    }


def add(store: Store, record: dict[str, Any], fetched: float = NOON) -> None:
    lines = record["text"].split("\n")
    before = store.article(record["url"])
    made = signature(record["text"])
    page = record_of(record["url"], *lines, site=record["site"], fetched=fetched, article=record, signature=made)
    if store.record(page).version > 1 and before is not None:
        keep_version(store, before)


def fill(store: Store, extra: list[dict[str, Any]] | None = None) -> None:
    """Forty-five short articles, one that changed, one with a copy, one that was withdrawn, one with its page."""
    for number in range(45):
        lines = [
            f"Report number {number} from the meadow, with seagrass.",
            f"It has {number} lines of its own, n{number}.",
        ]
        add(store, article(number, f"Meadow {number}", lines))
    add(store, article("ice", "Ice cream", STORY))
    seen = ("2026-03-02T08:00:00+00:00", "2026-03-01T08:00:00+00:00")
    posts = [{"id": None, "time": None, "title": None, "text": STORY[1], "first_seen": time} for time in seen]
    cheap = [STORY[0].replace("Monday", "Tuesday"), *STORY[1:]]
    add(store, article("ice", "Ice cream stays cheap", cheap, posts=posts, fetched_at=seen[0]), NOON + 60)
    copy = article("copy", "Ice cream, again", [*STORY, "An agency sent it."], duplicate_of=f"https://{SITE}/ice")
    add(store, {**copy, "url": "https://other.example/copy", "site": "other.example"})
    html = "<title>Kept</title><nav><a href=/>Home</a></nav>" + "".join(f"<p>{line}</p>" for line in STORY)
    add(store, article("kept", "Kept page", STORY[:2], html=html))
    add(store, article("gone", "Gone page", ["This page is no more, and nobody knows where it went."]))
    store.withdraw(f"https://{SITE}/gone", NOON + 90)
    for record in extra or []:
        add(store, record)


def filled_index(store: Store, directory: Path) -> str:
    url = f"tantivy:///{directory}"
    sink = open_sink(url)
    put(sink, store.articles(limit=1000))
    sink.close()
    return url


@dataclass
class Served:
    port: int
    source: HarvestSource

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, host: str | None = None, method: str = "GET") -> tuple[int, dict[str, str], str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, headers={"Host": host} if host is not None else {})
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, headers, answer.read().decode()
        finally:
            connection.close()


@contextmanager
def served(source: HarvestSource) -> Iterator[Served]:
    import uvicorn

    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        app = make_app(source, LOOPBACK)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan="off"))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield Served(listening.getsockname()[1], source)
        server.should_exit = True
        thread.join(30)


@contextmanager
def served_harvest(directory: Path, extra: list[dict[str, Any]] | None = None) -> Iterator[Served]:
    """A store and an index of the same articles."""
    store = open_store(f"sqlite:///{directory}/store.db")
    fill(store, extra)
    index = open_search(filled_index(store, directory / "index"))
    source = HarvestSource(store, index, "sqlite:///store.db")
    with served(source) as running:
        yield running
    source.close()

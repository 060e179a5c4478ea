"""The same Scrapy crawl three ways: parse only, with cleaning and store, with trafilatura in a pipeline.

A fourth row tells what a spider costs that reads the title and no links: how much of the yardstick are the links.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from cleancrawl.errors import CleanCrawlError
from cleancrawl.lab.bench.datasets import GoldPage, spread_out
from cleancrawl.lab.bench.text_tables import markdown_table, ratio

WAYS = {
    "parse": "parse only",
    "clean": "with cleaning and store",
    "trafilatura": "with trafilatura in a pipeline",
    "title": "parse only, without links",
}
_ROUNDS = 3


def report(pages: Sequence[GoldPage], recipe: str, count: int) -> str:
    """A table of the ways: the median of three rounds that take turns."""
    chosen = spread_out(list(pages), count)
    bodies = {f"/{number}/story-of-the-day": page.read() for number, page in enumerate(chosen)}
    with serve(bodies) as address, TemporaryDirectory() as scratch:
        urls = [address + path for path in bodies]
        rounds = [
            {way: crawl(way, urls, recipe, Path(scratch) / f"{number}-{way}") for way in WAYS}
            for number in range(_ROUNDS)
        ]
    return table(rounds, len(bodies))


def table(rounds: Sequence[Mapping[str, Mapping[str, float]]], pages: int) -> str:
    """Processor time carries the ratio: other processes disturb it least."""
    medians = {
        way: {figure: median(one[way][figure] for one in rounds) for figure in ("cpu", "wall", "items")}
        for way in WAYS
        if way in rounds[0]
    }
    base = medians["parse"]
    rows = [
        [
            WAYS[way],
            f"{1000 * figures['cpu'] / pages:.2f}",
            ratio(figures["cpu"] / base["cpu"]),
            f"{1000 * figures['wall'] / pages:.2f}",
            ratio(figures["wall"] / base["wall"]),
            f"{figures['items']:.0f}",
        ]
        for way, figures in medians.items()
    ]
    return markdown_table(
        [f"crawl of {pages} pages", "processor ms/page", "× parse only", "elapsed ms/page", "× parse only", "items"],
        rows,
    )


def crawl(
    way: str, urls: Sequence[str], recipe: str, directory: Path, settings: Mapping[str, object] | None = None
) -> dict[str, float]:
    """One crawl in a process of its own, so that nothing is warm; raises ``CleanCrawlError`` where it fails."""
    directory.mkdir()
    place = str(directory.resolve())
    job = json.dumps(
        {"way": way, "urls": list(urls), "recipe": recipe, "directory": place, "settings": dict(settings or {})}
    )
    package = Path(__file__).resolve().parents[3]
    search_path = os.pathsep.join(filter(None, [str(package), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-m", "cleancrawl.lab.bench.crawl_worker"],
        input=job,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": search_path},
    )
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no output"])[-1]
        raise CleanCrawlError(f"the crawl {WAYS[way]!r} failed: {reason}")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


@contextmanager
def serve(bodies: Mapping[str, bytes]) -> Iterator[str]:
    """The bodies over HTTP on loopback; gives the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = bodies.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""*The Harbour Wire*: a news site whose pages are empty until a script has run, on a server of its own.

Alone: ``python -m tests.site.client_rendered`` prints its address and serves until it is stopped.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from tests.site.source import Article, articles, plain

SCRIPT = (Path(__file__).parent / "templates" / "client.js").read_bytes()
SHELL = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The Harbour Wire</title>{}</head><body>'
    '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>{}'
    '<script defer src="/app.js"></script></body></html>'
)
STORIES = tuple(story for story in articles().values() if story.language == "en" and story.portal == "a")[:6]
EMBEDDED, BROKEN = STORIES[0].name, STORIES[1].name
"""The story whose text the shell has in its state, and the one of which the site's own API fails."""


def path_of(story: Article) -> str:
    return f"/news/{story.date[:10].replace('-', '/')}/{story.path.rpartition('/')[2]}"


def data_of(story: Article) -> dict[str, object]:
    return {
        "path": path_of(story),
        "title": story.title,
        "author": story.author,
        "date": story.date,
        "standfirst": story.standfirst,
        "body": [{"kind": block.kind, "lines": [plain(line) for line in block.lines]} for block in story.body],
        "more": [{"path": path_of(other), "title": other.title} for other in STORIES if other is not story][:4],
        "overlays": ["consent", "paywall"],
    }


def state_of(story: Article) -> str:
    """The story as Next.js would embed it."""
    lines = [story.standfirst, *(plain(line) for block in story.body for line in block.lines)]
    post = {"title": story.title, "slug": path_of(story).rpartition("/")[2], "paragraphs": lines}
    state = json.dumps({"props": {"pageProps": {"post": post}}}).replace("</", "<\\/")
    return f'<script id="__NEXT_DATA__" type="application/json">{state}</script>'


def answers(stories: Sequence[Article] = STORIES) -> dict[str, tuple[str, bytes]]:
    """Content type and body of every path."""
    front = [{"path": path_of(story), "title": story.title} for story in stories]
    html, js, as_json = "text/html; charset=utf-8", "text/javascript", "application/json"
    found = {
        "/": (html, SHELL.format("", "").encode()),
        "/app.js": (js, SCRIPT),
        "/api/front.json": (as_json, json.dumps(front).encode()),
        "/robots.txt": ("text/plain", b"User-agent: *\nDisallow: /imprint\n"),
    }
    for story in stories:
        embedded = state_of(story) if story.name == EMBEDDED else ""
        found[path_of(story)] = (html, SHELL.format("", embedded).encode())
        if story.name != BROKEN:
            found[f"/api{path_of(story)}.json"] = (as_json, json.dumps(data_of(story)).encode())
    return found


@dataclass
class ClientRendered:
    """The site while it is served."""

    url: str = ""
    paths: dict[str, tuple[str, bytes]] = field(default_factory=answers)
    log: list[str] = field(default_factory=list)
    """Paths that were asked for."""


@contextmanager
def client_rendered(stories: Sequence[Article] = STORIES) -> Iterator[ClientRendered]:
    site = ClientRendered(paths=answers(stories))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.log.append(self.path)
            kind, body = site.paths.get(self.path, ("text/plain", b""))
            self.send_response(200 if self.path in site.paths else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", '"the-same-for-all"')
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        site.url = f"http://127.0.0.1:{server.server_port}"
        yield site
        server.shutdown()
        thread.join()


if __name__ == "__main__":
    with client_rendered() as served:
        print(served.url, flush=True)
        try:
            while True:
                time.sleep(1)
        except KeyboardInterrupt:
            sys.exit(0)

"""A small HTTP server that speaks as much of the bulk API as a sink uses, and misbehaves on demand."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FakeCluster(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.documents: dict[str, dict[str, Any]] = {}
        """``index/id`` → document."""
        self.versions: dict[str, int] = {}
        """Those that were stated, of deleted documents as well."""
        self.turn = threading.Lock()
        self.indices: dict[str, dict[str, Any]] = {}
        self.bulk_answers: list[Any] = []
        """What the next bulk requests get instead: a status, bytes, a dict of status by URL, or seconds of sleep."""
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.searches: list[dict[str, Any]] = []
        self.largest: int | None = None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gave up is part of the tests."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeCluster

    def log_message(self, *arguments: object) -> None:
        pass

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0].strip("/")
        self.server.requests.append((self.command, path, {name.lower(): value for name, value in self.headers.items()}))
        if path == "_bulk":
            self._bulk(body)
        elif path.endswith("/_search"):
            self._search(path.partition("/")[0], json.loads(body or b"{}"))
        elif self.command == "PUT":
            self._create(path, json.loads(body))
        else:
            self._describe(path)

    do_GET = do_PUT = do_POST = do_HEAD = handle_any  # noqa: N815

    def _answer(self, status: int, body: Any) -> None:
        packed = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Length", str(len(packed)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(packed)

    def _create(self, name: str, body: dict[str, Any]) -> None:
        if name in self.server.indices:
            error = {"type": "resource_already_exists_exception", "reason": "exists"}
            self._answer(400, {"error": {**error, "root_cause": [error]}, "status": 400})
            return
        body["settings"] = {"index": {"uuid": f"uuid-{len(self.server.indices)}-of-{name}"}}
        self.server.indices[name] = body
        self._answer(200, {"acknowledged": True})

    def _describe(self, name: str) -> None:
        found = {
            key: body for key, body in self.server.indices.items() if key == name or name in body.get("aliases", {})
        }
        self._answer(200, found)

    def _search(self, name: str, body: dict[str, Any]) -> None:
        """All documents of an index in the order of their URLs, whatever the query, page by page; or one by its id."""
        found = {key.partition("/")[2]: doc for key, doc in self.server.documents.items() if key.startswith(f"{name}/")}
        ids = body.get("query", {}).get("ids", {}).get("values")
        found = {key: doc for key, doc in found.items() if ids is None or key in ids}
        self.server.searches.append(body)
        hits = [{"_score": 1.0, "_source": doc, "sort": [1.0, doc["url"]]} for doc in found.values()]
        hits = sorted(hits, key=lambda hit: hit["sort"][1])
        after = body.get("search_after", [0, ""])[1]
        shown = [hit for hit in hits if hit["sort"][1] > after][: body.get("size", 10)]
        self._answer(200, {"hits": {"total": {"value": len(hits)}, "hits": shown}})

    def _bulk(self, body: bytes) -> None:
        scripted = self.server.bulk_answers.pop(0) if self.server.bulk_answers else {}
        if self.server.largest and len(body) > self.server.largest:
            self._answer(413, b"")
        elif isinstance(scripted, bytes):
            self._answer(200, scripted)
        elif isinstance(scripted, int):
            self._answer(scripted, {"error": {"type": "scripted", "reason": "scripted"}, "status": scripted})
        elif isinstance(scripted, float):
            time.sleep(scripted)
            self._answer(200, {})
        else:
            self._answer(200, {"errors": bool(scripted), "items": self._apply(body, scripted)})

    def _apply(self, body: bytes, statuses: dict[str, tuple[int, str]]) -> list[dict[str, Any]]:
        with self.server.turn:
            return list(self._items(body, statuses))

    def _items(self, body: bytes, statuses: dict[str, tuple[int, str]]) -> Iterator[dict[str, Any]]:
        lines = iter([json.loads(line) for line in body.splitlines() if line])
        for action in lines:
            ((kind, target),) = action.items()
            key = f"{target['_index']}/{target['_id']}"
            if self._older(key, target):
                if kind == "index":
                    next(lines)
                error = {"type": "version_conflict_engine_exception", "reason": "a newer one is there"}
                yield {kind: {"_id": target["_id"], "status": 409, "error": error}}
                continue
            if kind == "delete":
                status = 200 if self.server.documents.pop(key, None) else 404
                yield {kind: {"_id": target["_id"], "status": status}}
                continue
            document = next(lines)
            status, error = statuses.get(document["url"], (201, ""))
            if error and not target["_index"].endswith("-rejected"):
                yield {kind: {"status": status, "error": {"type": error, "reason": "because"}}}
            else:
                self.server.documents[key] = document
                yield {kind: {"_id": target["_id"], "status": 201}}

    def _older(self, key: str, target: dict[str, Any]) -> bool:
        """Whether it is behind what was written or deleted there; else its version is the one from now on."""
        version = target.get("version")
        if version is None:
            return False
        assert target["version_type"] == "external_gte"
        if version < self.server.versions.get(key, 0):
            return True
        self.server.versions[key] = version
        return False


@contextmanager
def running(cluster: FakeCluster, tls: ssl.SSLContext | None = None) -> Iterator[FakeCluster]:
    if tls:
        cluster.socket = tls.wrap_socket(cluster.socket, server_side=True)
    thread = threading.Thread(target=cluster.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield cluster
    finally:
        cluster.shutdown()
        cluster.server_close()
        thread.join()

"""Server indexes: the sinks ``opensearch://host:port/index`` and ``elasticsearch://…``, over the bulk API."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.errors import SinkError, SinkUnavailable
from cleancrawl.sinks.analysis import base_language
from cleancrawl.sinks.clusters import (
    Address,
    Cluster,
    ElasticsearchCluster,
    OpenSearchCluster,
    RequestTooLarge,
    parse_address,
    require,
)
from cleancrawl.sinks.mapping import REJECTED_BODY, VERSION, index_body, to_source
from cleancrawl.sinks.sink import article_id

_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Waits between the attempts for what an overloaded server has not taken; then the outbox keeps it."""
_REQUEST_BYTES = 5_000_000
_PASSING = {429, 500, 502, 503, 504}
_CONFLICT = 409

Operation = tuple[dict[str, Any], dict[str, Any] | None]
_Version = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A dead letter: an article that the server will not take, kept beside the index."""

    url: str
    reason: str
    rejected: str
    article: ArticleRecord


@dataclass(slots=True)
class _Outcome:
    """What became of the operations of one request."""

    again: list[Operation] = field(default_factory=list)
    refused: list[tuple[Operation, str]] = field(default_factory=list)


def prepare_opensearch(url: str) -> Callable[[], ServerSink]:
    address = parse_address(url)
    require("opensearchpy", "opensearch-py")
    return lambda: ServerSink(address, OpenSearchCluster(address), "opensearch")


def prepare_elasticsearch(url: str) -> Callable[[], ServerSink]:
    address = parse_address(url)
    require("elasticsearch", "elasticsearch")
    return lambda: ServerSink(address, ElasticsearchCluster(address), "elasticsearch")


class ServerSink:
    """Writes through the alias ``index`` into ``index-v1``: without the alias the server takes nothing.

    The order of an article is the version of its document, so that the server itself refuses an older one.
    What the server refuses for good goes to ``index-rejected``, so that one article never stops the others.
    """

    def __init__(
        self, address: Address, cluster: Cluster, product: str, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        self._cluster, self._sleep = cluster, sleep
        self._index, self._rejected_index = address.index, f"{address.index}-rejected"
        self.name = f"{product}:{self._prepare()}"
        self._may_hold_rejected = bool(self._cluster.indices(self._rejected_index))

    def turn(self) -> AbstractContextManager[object]:
        return nullcontext()

    def write(self, articles: Sequence[ArticleRecord], orders: Sequence[int] = ()) -> None:
        by_id = {article_id(article["url"]): article for article in articles}
        versions = _versions((article["url"] for article in articles), orders)
        refused = self._send([self._index_operation(key, article, versions[key]) for key, article in by_id.items()])
        bad = {operation[0]["index"]["_id"]: reason for operation, reason in refused}
        if bad:
            self._keep([(by_id[key], versions[key], reason) for key, reason in bad.items()])
        if self._may_hold_rejected:
            self._delete(self._rejected_index, {key: version for key, version in versions.items() if key not in bad})

    def delete(self, urls: Sequence[str], orders: Sequence[int] = ()) -> None:
        versions = _versions(urls, orders)
        self._delete(self._index, versions)
        if self._may_hold_rejected:
            self._delete(self._rejected_index, versions)

    def rejected(self, limit: int = 1000) -> Iterator[Rejected]:
        """The dead letters, newest first."""
        body = {"size": limit, "sort": [{"rejected": "desc"}], "query": {"match_all": {}}}
        if not self._may_hold_rejected:
            return
        for hit in self._cluster.search(self._rejected_index, body)["hits"]["hits"]:
            source = hit["_source"]
            article = json.loads(source["article"])
            yield Rejected(source["url"], source["reason"], source["rejected"], article)

    def close(self) -> None:
        self._cluster.close()

    def _prepare(self) -> str:
        """Make the index where it is missing; its identifier, which changes when it is deleted and made again."""
        found = self._cluster.indices(self._index)
        if not found:
            self._cluster.create(f"{self._index}-v{VERSION}", index_body(self._index))
            found = self._cluster.indices(self._index)
        if len(found) != 1:
            raise SinkError(f"{self._index} is the alias of {len(found)} indexes: it must be that of one")
        ((name, info),) = found.items()
        try:
            version = info["mappings"].get("_meta", {}).get("cleancrawl", {}).get("version")
            identifier = str(info["settings"]["index"]["uuid"])
        except (KeyError, TypeError, AttributeError):
            raise SinkUnavailable("the server describes the index in a way that is not understood") from None
        if version != VERSION or name == self._index:
            raise SinkError(f"{name} is no index of this version ({VERSION}): name another one, it is filled anew")
        return identifier

    def _index_operation(self, key: str, article: ArticleRecord, version: _Version) -> Operation:
        action = {"_index": self._index, "_id": key, "require_alias": True, **version}
        return {"index": action}, to_source(article, base_language(article.get("language")))

    def _delete(self, index: str, versions: Mapping[str, _Version]) -> None:
        refused = self._send(
            [({"delete": {"_index": index, "_id": key, **version}}, None) for key, version in versions.items()]
        )
        if refused:
            raise SinkError(f"{index} refuses to delete: {refused[0][1]}")

    def _keep(self, refused: Sequence[tuple[ArticleRecord, _Version, str]]) -> None:
        self._cluster.create(self._rejected_index, REJECTED_BODY)
        self._may_hold_rejected = True
        whole = [self._letter_operation(article, version, reason) for article, version, reason in refused]
        if self._send(whole):
            # Refused for its size, most likely; the store keeps the whole article.
            brief = [self._letter_operation({"url": article["url"]}, version, why) for article, version, why in refused]
            if again := self._send(brief):
                raise SinkError(f"{self._rejected_index} refuses a rejected article: {again[0][1]}")

    def _letter_operation(self, article: ArticleRecord, version: _Version, reason: str) -> Operation:
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        packed = json.dumps(article, ensure_ascii=False, default=str)
        letter = {"url": article["url"], "reason": reason, "rejected": moment, "article": packed}
        return {"index": {"_index": self._rejected_index, "_id": article_id(article["url"]), **version}}, letter

    def _send(self, operations: list[Operation]) -> list[tuple[Operation, str]]:
        """All operations, those that fail for the moment again; returns what the server refuses for good."""
        refused: list[tuple[Operation, str]] = []
        for pause in (*_PAUSES, None):
            again: list[Operation] = []
            for chunk in _chunks(operations):
                outcome = self._request(chunk)
                again += outcome.again
                refused += outcome.refused
            if not again:
                return refused
            if pause is not None:
                self._sleep(pause)
            operations = again
        raise SinkUnavailable(f"the server is overloaded: {len(operations)} articles wait")

    def _request(self, chunk: list[Operation]) -> _Outcome:
        try:
            answer = self._cluster.bulk([part for operation in chunk for part in operation if part is not None])
        except RequestTooLarge as error:
            if len(chunk) == 1:
                return _Outcome(refused=[(chunk[0], str(error))])
            middle = len(chunk) // 2
            first, second = self._request(chunk[:middle]), self._request(chunk[middle:])
            return _Outcome(first.again + second.again, first.refused + second.refused)
        return _judge(chunk, answer)


def _versions(urls: Iterable[str], orders: Sequence[int]) -> dict[str, _Version]:
    """By identifier: what a request says of the version of a document; nothing where there are no orders.

    >>> _versions(["https://example.com/a"], [5])
    {'22a0a2b4421e124a63f764f1b952e034': {'version': 5, 'version_type': 'external_gte'}}
    """
    if not orders:
        return {article_id(url): {} for url in urls}
    # The same version again is no conflict: a batch that was not noted is written again.
    return {
        article_id(url): {"version": order, "version_type": "external_gte"}
        for url, order in zip(urls, orders, strict=True)
    }


def _judge(chunk: list[Operation], answer: Any) -> _Outcome:
    """Sort the items of a bulk answer: done, again, refused."""
    outcome = _Outcome()
    try:
        results = [next(iter(item.values())) for item in answer["items"]]
        statuses = [int(result["status"]) for result in results]
        for operation, result, status in zip(chunk, results, statuses, strict=True):
            error = result.get("error") or {}
            kind = error["type"] if isinstance(error, dict) and "type" in error else str(error)
            if status < 300 or (status == 404 and "delete" in operation[0]):
                continue
            if status == _CONFLICT:  # a newer version is there, written or deleted by another process
                continue
            if status in _PASSING or kind == "cluster_block_exception":
                outcome.again.append(operation)
            elif kind == "index_not_found_exception":
                raise SinkUnavailable("the index was deleted while it was being filled")
            else:
                outcome.refused.append((operation, f"{kind}: {error.get('reason', '')}"[:500]))
    except (KeyError, TypeError, ValueError, AttributeError, StopIteration):
        raise SinkUnavailable("the server's answer is no bulk answer") from None
    return outcome


def _chunks(operations: list[Operation]) -> Iterator[list[Operation]]:
    """Runs of operations of about ``_REQUEST_BYTES``, each at least one."""
    chunk: list[Operation] = []
    size = 0
    for operation in operations:
        cost = len(json.dumps(operation[1], default=str)) if operation[1] else 100
        if chunk and size + cost > _REQUEST_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(operation)
        size += cost
    if chunk:
        yield chunk

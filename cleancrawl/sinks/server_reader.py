"""Search in a server index, filled by the sinks ``opensearch://…`` and ``elasticsearch://…``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.errors import SinkUnavailable
from cleancrawl.sinks.clusters import Address, Cluster
from cleancrawl.sinks.query import Clause, parse_query
from cleancrawl.sinks.reader import BOOSTS, NO_FILTERS, Filters, Hit, to_hit
from cleancrawl.sinks.sink import article_id

FIELDS = [*(f"{name}^{boost:g}" for name, boost in BOOSTS.items()), "stemmed.*"]


class ServerReader:
    """Reads the index behind the alias of an address."""

    def __init__(self, address: Address, cluster: Cluster) -> None:
        self._index, self._cluster = address.index, cluster

    def search(
        self, query: str, filters: Filters = NO_FILTERS, limit: int = 10, after: Sequence[Any] = ()
    ) -> tuple[int, list[Hit], list[Any]]:
        """The number of articles found, those that come after a place in the order, and the place of the last."""
        clauses = parse_query(query)
        body: dict[str, Any] = {
            "size": limit,
            "query": query_body(clauses, filters),
            # The score alone is no order: equal ones would come twice or never.
            "sort": [{"_score": "desc"}, {"url": "asc"}],
            "track_total_hits": 10_000,
        }
        if after:
            body["search_after"] = list(after)
        count, found = self._found(body)
        hits = [to_hit(each.get("_score") or 0.0, _source(each), clauses) for each in found]
        return count, hits, found[-1].get("sort", []) if found else []

    def article(self, url: str) -> ArticleRecord | None:
        _, found = self._found({"size": 1, "query": {"ids": {"values": [article_id(url)]}}})
        return _source(found[0]) if found else None

    def close(self) -> None:
        self._cluster.close()

    def _found(self, body: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
        answer = self._cluster.search(self._index, body)
        try:
            hits = answer["hits"]
            total = hits.get("total", len(hits["hits"]))
            return int(total["value"] if isinstance(total, dict) else total), list(hits["hits"])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise SinkUnavailable("the server's answer is no answer to a search") from None


def query_body(clauses: Sequence[Clause], filters: Filters) -> dict[str, Any]:
    """A query in the servers' language; without words nothing is found.

    >>> query_body(parse_query("-sport"), NO_FILTERS)["bool"]["must_not"][0]["multi_match"]["query"]
    'sport'
    """
    if not clauses:
        return {"match_none": {}}
    parts: dict[str, list[Any]] = {"must": [], "should": [], "must_not": [], "filter": _filters(filters)}
    for clause in clauses:
        kind = "must_not" if clause.excluded else "must" if clause.required else "should"
        parts[kind].append(_match(clause))
    least = 1 if parts["should"] and not parts["must"] else 0
    return {"bool": {**{name: each for name, each in parts.items() if each}, "minimum_should_match": least}}


def _match(clause: Clause) -> dict[str, Any]:
    fields = [clause.field] if clause.field else FIELDS
    kind = "phrase" if " " in clause.text.strip() else "best_fields"
    return {"multi_match": {"query": clause.text, "fields": fields, "type": kind}}


def _filters(filters: Filters) -> list[dict[str, Any]]:
    chosen: list[dict[str, Any]] = []
    if filters.site:
        chosen.append({"term": {"site": filters.site}})
    if filters.language:
        chosen.append({"term": {"language": filters.language}})
    if filters.since:
        chosen.append({"range": {"published": {"gte": filters.since.isoformat()}}})
    return chosen


def _source(hit: dict[str, Any]) -> ArticleRecord:
    source = hit.get("_source")
    if not isinstance(source, dict) or "url" not in source:
        raise SinkUnavailable("the server's answer has a hit without an article")
    return source

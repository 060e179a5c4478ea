"""Against a real OpenSearch: what the server itself makes of our mapping, ids and requests."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from cleancrawl.errors import SinkUnavailable
from cleancrawl.sinks.filling import sync, sync_patiently
from cleancrawl.sinks.reader import Filters
from cleancrawl.sinks.searching import open_search
from cleancrawl.sinks.sink import open_sink
from tests.sinks.opensearch_node import OpenSearchNode, require_opensearch

# One node for all of them, also where several processes share the tests.
pytestmark = pytest.mark.opensearch


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSearchNode]:
    made = OpenSearchNode(tmp_path_factory.mktemp("opensearch"), require_opensearch())
    made.start()
    yield made
    made.stop()


@pytest.fixture
def node(server: OpenSearchNode) -> str:
    return server.url


def ask(node: str, path: str, body: dict[str, Any] | None = None) -> Any:
    request = urllib.request.Request(f"{node}/{path}", headers={"Content-Type": "application/json"})
    data = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(request, data) as answer:
        return json.load(answer)


def found(node: str, index: str, query: dict[str, Any]) -> list[str]:
    ask(node, f"{index}/_refresh", {})
    hits = ask(node, f"{index}/_search", {"query": query, "sort": ["url"], "size": 50})["hits"]["hits"]
    return [hit["_source"]["url"] for hit in hits]


def sink_url(node: str, index: str) -> str:
    return f"{node.replace('http', 'opensearch')}/{index}"


def test_fills_updates_deletes_and_searches_by_language(node, outbox, make_article):
    outbox.add(*(make_article(number) for number in range(20)))
    outbox.add(make_article(21, language="de-AT", title="Häuser", text="Die Bürgermeisterinnen tagten."))
    sink = open_sink(sink_url(node, "news"))
    assert sync(outbox, sink, batch=8) == 21
    outbox.add(make_article(3, text="Corrected by the editors."))
    outbox.withdraw("https://example.com/4")
    assert sync(outbox, sink) == 2
    outbox.set_cursor(sink.name, 0)
    assert sync(outbox, sink) == 21
    sink.close()
    assert len(found(node, "news", {"match_all": {}})) == 20
    assert found(node, "news", {"match": {"stemmed.en": "editor correcting"}}) == ["https://example.com/3"]
    assert found(node, "news", {"match": {"stemmed.de": "Haus"}}) == ["https://example.com/21"]
    assert len(found(node, "news", {"range": {"published": {"gte": "2026-01-15"}}})) > 5
    source = ask(node, "news/_search", {"query": {"term": {"url": "https://example.com/3"}}})
    assert "stemmed" not in source["hits"]["hits"][0]["_source"]


def test_an_older_version_is_refused_also_where_the_newer_one_was_deleted(node, make_article):
    sink = open_sink(sink_url(node, "late"))
    sink.write([make_article(1, title="new"), make_article(2)], [10, 11])
    sink.delete(["https://example.com/2"], [12])
    sink.write([make_article(1, title="old"), make_article(2)], [8, 9])
    sink.delete(["https://example.com/1"], [7])
    assert found(node, "late", {"match_all": {}}) == ["https://example.com/1"]
    assert found(node, "late", {"match": {"title": "new"}}) == ["https://example.com/1"]
    sink.write([make_article(1, title="again"), make_article(2)], [10, 13])
    assert found(node, "late", {"match": {"title": "again"}}) == ["https://example.com/1"]
    assert len(found(node, "late", {"match_all": {}})) == 2
    sink.close()


def test_one_bad_article_becomes_a_dead_letter(node, outbox, make_article):
    outbox.add(make_article(1), make_article(2, title={"not": "a text"}), make_article(3, published="some day"))
    sink = open_sink(sink_url(node, "partial"))
    assert sync(outbox, sink) == 3
    assert found(node, "partial", {"match_all": {}}) == ["https://example.com/1", "https://example.com/3"]
    ask(node, "partial-rejected/_refresh", {})
    (letter,) = sink.rejected()
    assert letter.url == "https://example.com/2"
    assert "mapper_parsing_exception" in letter.reason
    sink.close()


def test_a_deleted_index_is_made_and_filled_again(node, outbox, make_article):
    outbox.add(make_article(1))
    sink = open_sink(sink_url(node, "again"))
    assert sync(outbox, sink) == 1
    request = urllib.request.Request(f"{node}/again-v1", method="DELETE")
    urllib.request.urlopen(request).close()
    outbox.add(make_article(2))
    with pytest.raises(SinkUnavailable, match="deleted"):
        sync(outbox, sink)
    sink.close()
    assert sync_patiently(outbox, lambda: open_sink(sink_url(node, "again")), patience=0) == 2
    assert ask(node, "again/_mapping")["again-v1"]["mappings"]["_meta"]["cleancrawl"]["version"] == 1


def test_down_then_up(server, node, outbox, make_article):
    outbox.add(make_article(1))
    sink = open_sink(sink_url(node, "outage"))
    assert sync(outbox, sink) == 1
    server.stop()
    outbox.add(make_article(2))
    with pytest.raises(SinkUnavailable):
        sync(outbox, sink)
    sink.close()
    server.start()
    assert sync_patiently(outbox, lambda: open_sink(sink_url(node, "outage")), patience=60) == 1
    assert found(node, "outage", {"match_all": {}}) == ["https://example.com/1", "https://example.com/2"]


def test_its_articles_are_searched_page_by_page(node, outbox, make_article):
    outbox.add(*(make_article(number) for number in range(25)))
    outbox.add(make_article(30, language="de", title="Häuser", text="Die Bürgermeisterinnen tagten."))
    sink = open_sink(sink_url(node, "searched"))
    sync(outbox, sink)
    sink.close()
    ask(node, "searched/_refresh", {})
    searcher = open_search(sink_url(node, "searched"))
    seen, after = [], None
    while True:
        page = searcher.search_page("council -Häuser", Filters(), 10, after)
        assert page.count == 25
        seen += [hit.article["url"] for hit in page.hits]
        after = page.next
        if after is None:
            break
    assert len(seen) == len(set(seen)) == 25
    (hit,) = searcher.search_page("Haus", Filters(language="de"), 10).hits
    assert hit.title.text == "Häuser"
    assert searcher.search_page('"number 7"', Filters(site="example.com"), 10).hits[0].article["title"].endswith(" 7")
    assert searcher.search_page("council", Filters(site="other.example"), 10).hits == []
    assert searcher.article("https://example.com/7")["title"] == "Article number 7"
    assert searcher.article("https://example.com/none") is None
    searcher.close()

"""Search in any index, page by page: the embedded one, and a server's that answers as OpenSearch does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.errors import ConfigError, SinkUnavailable
from cleancrawl.sinks.query import parse_query
from cleancrawl.sinks.reader import Filters
from cleancrawl.sinks.searching import Searcher, is_index, make_cursor, open_search
from cleancrawl.sinks.server_reader import query_body
from cleancrawl.sinks.sink import open_sink
from tests.extras import needs
from tests.sinks.conftest import make_article
from tests.sinks.fake_cluster import FakeCluster, running

needs("tantivy", "search")
needs("opensearchpy", "opensearch")
needs("elasticsearch", "opensearch")


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    with running(FakeCluster()) as fake:
        yield fake


@pytest.fixture(params=["tantivy", "opensearch", "elasticsearch"])
def searcher(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Searcher]:
    url = f"tantivy:///{tmp_path}/index"
    if request.param != "tantivy":
        url = f"{request.param}://127.0.0.1:{request.getfixturevalue('cluster').port}/news"
    sink = open_sink(url)
    sink.write([make_article(number) for number in range(25)])
    sink.close()
    assert is_index(url)
    opened = open_search(url)
    yield opened
    opened.close()


def test_all_hits_are_leafed_through_once(searcher: Searcher) -> None:
    seen: list[str] = []
    after = None
    while True:
        page = searcher.search_page("council", Filters(), 10, after)
        assert page.count == 25
        seen += [hit.article["url"] for hit in page.hits]
        assert all(hit.passage.marks for hit in page.hits)
        after = page.next
        if after is None:
            break
    assert len(seen) == len(set(seen)) == 25


def test_an_article_is_found_by_its_address(searcher: Searcher) -> None:
    found = searcher.article("https://example.com/7")
    assert found is not None
    assert found["title"] == "Article number 7"
    assert searcher.article("https://example.com/none") is None


@pytest.mark.parametrize("cursor", ["nonsense", make_cursor({"a": 1}), make_cursor(None), make_cursor("x")])
def test_a_cursor_that_no_page_gave_is_refused(searcher: Searcher, cursor: str) -> None:
    with pytest.raises(ConfigError, match="no page begins there"):
        searcher.search_page("council", Filters(), 10, cursor)


def test_what_a_server_is_asked(cluster: FakeCluster) -> None:
    filters = Filters("example.com", datetime(2026, 1, 31, tzinfo=UTC), "en")
    asked = query_body(parse_query('+budget "city council" -title:sport'), filters)["bool"]
    kinds = {name: [part["multi_match"] for part in asked[name]] for name in ("must", "should", "must_not")}
    assert [part["query"] for part in kinds["must"]] == ["budget"]
    assert [(part["query"], part["type"]) for part in kinds["should"]] == [("city council", "phrase")]
    assert kinds["must_not"][0]["fields"] == ["title"]
    assert asked["minimum_should_match"] == 0
    assert asked["filter"] == [
        {"term": {"site": "example.com"}},
        {"term": {"language": "en"}},
        {"range": {"published": {"gte": "2026-01-31T00:00:00+00:00"}}},
    ]
    assert query_body(parse_query("two words"), Filters())["bool"]["minimum_should_match"] == 1
    assert query_body([], Filters()) == {"match_none": {}}


@pytest.mark.parametrize("document", [{"title": "no url"}, "no document"])
def test_an_answer_that_is_none_is_told(cluster: FakeCluster, document: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = open_search(f"opensearch://127.0.0.1:{cluster.port}/news")
    answers = {"hits": {"hits": [{"_source": document, "sort": []}]}}
    monkeypatch.setattr(searcher._reader._cluster, "search", lambda index, body: answers)  # type: ignore[attr-defined]
    with pytest.raises(SinkUnavailable):
        searcher.search_page("council", Filters(), 10)
    monkeypatch.setattr(searcher._reader._cluster, "search", lambda index, body: {"hits": 7})  # type: ignore[attr-defined]
    with pytest.raises(SinkUnavailable):
        searcher.article("https://example.com/7")
    searcher.close()


def test_a_directory_is_an_index_where_one_is_in_it(tmp_path: Path) -> None:
    assert not is_index(str(tmp_path))
    open_sink(f"tantivy:///{tmp_path}").close()
    assert is_index(str(tmp_path))
    assert open_search(str(tmp_path)).search_page("anything", Filters(), 10).count == 0

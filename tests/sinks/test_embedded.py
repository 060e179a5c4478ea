from __future__ import annotations

import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

import pytest
import tantivy
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.errors import ConfigError, MissingExtra, SinkError, SinkUnavailable
from cleancrawl.sinks import embedded
from cleancrawl.sinks.analysis import index_terms
from cleancrawl.sinks.embedded import IDENTITY, EmbeddedSink
from cleancrawl.sinks.filling import sync
from cleancrawl.sinks.query import parse_query
from cleancrawl.sinks.reader import EmbeddedReader, Filters
from cleancrawl.sinks.sink import open_sink, prepare_sink
from cleancrawl.sinks.snippets import snippet


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory: Path = tmp_path_factory.mktemp("index")
    common = {"site": "example.com", "language": "en"}
    articles = [
        {"url": "https://example.com/a", "title": "Council passes budget", "text": "It was voted on.", **common},
        {"url": "https://example.com/b", "title": "Weather", "text": "The councils of both cities met.", **common},
        {
            "url": "https://beispiel.de/c",
            "title": "Häuser in Zürich",
            "text": "Die Stadträte bauten. Council hieß das Café.",
            "site": "beispiel.de",
            "language": "de-CH",
            "published": "2026-02-03T10:00:00+01:00",
            "authors": ["Ada Schreiber"],
        },
        {"url": "https://example.jp/d", "title": "北京の天気", "text": "今日は晴れ", "site": "example.jp"},
    ]
    sink = EmbeddedSink(directory)
    sink.write(articles)
    sink.close()
    return directory


def urls(directory: Path, query: str, **filters: object) -> list[str]:
    return [hit.article["url"][-1] for hit in EmbeddedReader(directory).search(query, Filters(**filters))[1]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("councils", ["a", "b", "c"]),
        ("title:council", ["a"]),
        ("voting", ["a"]),
        ("haus", ["c"]),
        ("zurich", ["c"]),
        ("CAFE", ["c"]),
        ("council -budget", ["b", "c"]),
        ("-council", ["d"]),
        ("+council +weather", ["b"]),
        ('"both cities"', ["b"]),
        ('"cities both"', []),
        ("schreiber", ["c"]),
        ("北京", ["d"]),
        ("nothingofthesort", []),
        ("", []),
        ('"', []),
        ("---", []),
    ],
)
def test_finds(index: Path, query: str, found: list[str]):
    assert urls(index, query) == found


def test_filters(index: Path):
    assert urls(index, "council", language="de") == ["c"]
    assert urls(index, "council", site="example.com") == ["a", "b"]
    assert urls(index, "council", since=datetime(2026, 1, 1, tzinfo=UTC)) == ["c"]
    assert urls(index, "council", since=datetime(2026, 3, 1, tzinfo=UTC)) == []
    assert urls(index, "absent", site="example.com") == []


def test_a_hit_shows_why(index: Path):
    (hit,) = EmbeddedReader(index).search("cities")[1]
    assert hit.passage.highlighted("[", "]") == "The councils of both [cities] met."
    assert hit.score > 0


def test_an_update_replaces_and_a_delete_removes(tmp_path: Path, make_article):
    sink = EmbeddedSink(tmp_path)
    sink.write([make_article(1, title="First")])
    sink.write([make_article(1, title="Second"), make_article(1, title="Third")])
    assert EmbeddedReader(tmp_path).size == 1
    assert urls(tmp_path, "third") == ["1"]
    assert urls(tmp_path, "first second") == []
    sink.delete(["https://example.com/1"])
    assert EmbeddedReader(tmp_path).size == 0
    sink.close()


def test_one_writes_at_a_time(tmp_path: Path, make_article, monkeypatch: pytest.MonkeyPatch):
    first, second = EmbeddedSink(tmp_path), EmbeddedSink(tmp_path)
    first.write([make_article(1)])
    second.write([make_article(2)])
    assert EmbeddedReader(tmp_path).size == 2
    monkeypatch.setattr(embedded, "_PATIENCE", 0.05)
    other = tantivy.Index(embedded.build_schema(), str(tmp_path)).writer(15_000_000, 1)
    with pytest.raises(SinkUnavailable, match="another process"):
        first.write([make_article(3)])
    other.wait_merging_threads()
    first.write([make_article(3)])
    assert EmbeddedReader(tmp_path).size == 3


def test_a_damaged_index_is_told(tmp_path: Path, make_article):
    sink = EmbeddedSink(tmp_path)
    sink.write([make_article(1)])
    (tmp_path / "meta.json").write_text("{")
    for opened in (EmbeddedSink, EmbeddedReader):
        with pytest.raises(SinkError, match="cannot open the index"):
            opened(tmp_path)


def test_a_new_index_is_filled_from_the_start(tmp_path: Path, outbox, make_article):
    outbox.add(make_article(1))
    for name in ("one", "two"):
        sink = open_sink(f"tantivy:///{tmp_path / name}")
        assert sync(outbox, sink) == 1
        sink.close()
    reopened = open_sink(f"tantivy:{tmp_path / 'two'}")
    assert sync(outbox, reopened) == 0
    reopened.close()


def test_three_slashes_are_relative_as_in_the_name_of_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    open_sink("tantivy:///some/index").close()
    assert (tmp_path / "some" / "index" / IDENTITY).is_file()


def test_an_index_that_vanished_or_was_replaced_is_named_as_such(tmp_path: Path):
    directory = tmp_path / "index"
    sink = EmbeddedSink(directory)
    sink.write([{"url": "https://a.example/1", "text": "one"}])
    shutil.rmtree(directory)
    for _ in range(2):
        # Not SinkUnavailable, which is tried again and again.
        with pytest.raises(SinkError, match=r"index has vanished: start again") as caught:
            sink.write([{"url": "https://a.example/2", "text": "two"}])
        assert not isinstance(caught.value, SinkUnavailable)
    assert not directory.exists()
    EmbeddedSink(directory).write([{"url": "https://a.example/3", "text": "three"}])
    with pytest.raises(SinkError, match="replaced by another one"):
        sink.delete(["https://a.example/1"])


def test_says_what_is_wrong(tmp_path: Path):
    with pytest.raises(ConfigError, match="by its directory"):
        open_sink("tantivy://host/dir")
    with pytest.raises(SinkError, match="no index in"):
        EmbeddedReader(tmp_path)
    (tmp_path / IDENTITY).write_text("{")
    with pytest.raises(SinkError, match="damaged"):
        EmbeddedReader(tmp_path)
    (tmp_path / IDENTITY).write_text(json.dumps({"version": 99, "id": "x"}))
    with pytest.raises(SinkError, match="version 99"):
        EmbeddedSink(tmp_path)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SinkError, match="cannot use the directory"):
        EmbeddedSink(file)


@given(st.text(max_size=200), st.sampled_from(["en", "de", "ru", "ar", "xx", None]))
@settings(deadline=None, max_examples=80)
def test_any_text_can_be_indexed_asked_and_shown(text: str, language: str | None):
    terms = index_terms(text, language)
    assert all(term and not any(character.isspace() for character in term) for term in terms)
    parse_query(text)
    shown = snippet(text, set(terms), language, window=10)
    assert all(0 <= start < end <= len(shown.text) for start, end in shown.marks)


def test_the_snippet_is_the_richest_passage():
    text = "apple " + "x " * 100 + "pear apple plum " + "y " * 100
    shown = snippet(text, {"apple", "pear"}, None, window=20)
    assert shown.highlighted("<", ">").startswith("… x x x x x x x x <pear> <apple> plum y")
    assert shown.text.endswith(" …")


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch):
    for package, url, extra in (
        ("tantivy", "tantivy:///x", "search"),
        ("opensearchpy", "opensearch://host/x", "opensearch"),
        ("elasticsearch", "elasticsearch://host/x", "opensearch"),
    ):
        monkeypatch.setattr("cleancrawl.sinks.clusters.find_spec", lambda name: None)
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(MissingExtra, match=rf"cleancrawl\[{extra}\]"):
            prepare_sink(url)


def test_odd_articles_do_not_stop_the_others(tmp_path: Path, outbox, make_article):
    outbox.add(
        make_article(1, text="half a character \ud83d here", authors=["\udc00", None]),
        make_article(2, published="0001-01-01"),
        make_article(3, published="9999-12-31T23:59:59+00:00"),
        make_article(4, title=None, text=None, authors=None, language=17, published=[]),
        make_article(5, title={"not": "text"}, text="a\0b " + "word" * 30_000),
        {"url": "https://example.com/" + "long" * 5000},
    )
    sink = EmbeddedSink(tmp_path)
    assert sync(outbox, sink) == 6
    sink.close()
    reader = EmbeddedReader(tmp_path)
    assert reader.size == 6
    assert [hit.article["url"] for hit in reader.search("half character")[1]] == ["https://example.com/1"]
    assert reader.search("half", Filters(since=datetime(1, 1, 1, tzinfo=UTC)))[0] == 1


def test_whoever_begins_an_index_at_the_same_moment_agrees_on_its_identity(tmp_path: Path) -> None:
    begun = Barrier(8)

    def begin(directory: Path) -> str:
        begun.wait()
        return EmbeddedSink(directory).name

    with ThreadPoolExecutor(8) as pool:
        for number in range(20):
            directory = tmp_path / str(number)
            assert len(set(pool.map(begin, [directory] * 8))) == 1
            assert [path.name for path in directory.iterdir() if path.name.startswith(IDENTITY)] == [IDENTITY]

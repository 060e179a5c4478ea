from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest

from cleancrawl.errors import ConfigError, SinkUnavailable
from cleancrawl.sinks.filling import sync, sync_patiently
from cleancrawl.sinks.sink import Sink, open_sink


class ListSink:
    """A sink in memory that can be out of order for a number of writes."""

    def __init__(self, name: str = "list", failures: int = 0) -> None:
        self.name = name
        self.failures = failures
        self.articles: dict[str, dict[str, Any]] = {}
        self.writes = 0

    def turn(self) -> AbstractContextManager[None]:
        return nullcontext()

    def write(self, articles: Sequence[dict[str, Any]], orders: Sequence[int] = ()) -> None:
        if self.failures:
            self.failures -= 1
            raise SinkUnavailable("no answer")
        self.writes += 1
        self.articles.update({article["url"]: article for article in articles})

    def delete(self, urls: Sequence[str], orders: Sequence[int] = ()) -> None:
        for url in urls:
            self.articles.pop(url, None)

    def close(self) -> None:
        pass


def test_takes_all_in_batches_and_then_nothing(outbox, make_article):
    outbox.add(*(make_article(number) for number in range(7)))
    sink, counts = ListSink(), []
    assert sync(outbox, sink, batch=3, on_batch=counts.append) == 7
    assert counts == [3, 3, 1]
    assert list(sink.articles) == [entry.url for entry in outbox.entries]
    assert sync(outbox, sink) == 0


def test_a_new_version_replaces_and_a_gone_article_leaves(outbox, make_article):
    outbox.add(make_article(1), make_article(2))
    sink = ListSink()
    sync(outbox, sink)
    outbox.add(make_article(1, title="Corrected"))
    outbox.withdraw("https://example.com/2")
    assert sync(outbox, sink) == 2
    assert [article["title"] for article in sink.articles.values()] == ["Corrected"]


def test_the_cursor_waits_for_the_sink(outbox, make_article):
    outbox.add(make_article(1))
    sink = ListSink(failures=1)
    with pytest.raises(SinkUnavailable):
        sync(outbox, sink)
    assert outbox.cursor(sink.name) == 0
    assert sync(outbox, sink) == 1


def test_two_sinks_do_not_disturb_each_other(outbox, make_article):
    outbox.add(*(make_article(number) for number in range(5)))
    fast, slow = ListSink("fast"), ListSink("slow")
    stops = iter([False, True])
    assert sync(outbox, slow, batch=2, stop=lambda: next(stops)) == 2
    assert sync(outbox, fast) == 5
    outbox.add(make_article(5))
    assert (sync(outbox, fast), sync(outbox, slow)) == (1, 4)
    assert fast.articles == slow.articles


def test_sits_out_an_outage(outbox, make_article):
    outbox.add(make_article(1))
    sink, pauses = ListSink(failures=3), []
    assert sync_patiently(outbox, lambda: sink, patience=20, sleep=pauses.append) == 1
    assert pauses == [1.0, 2.0, 4.0]


def test_loses_patience(outbox, make_article):
    outbox.add(make_article(1))
    sink, pauses = ListSink(failures=99), []
    with pytest.raises(SinkUnavailable):
        sync_patiently(outbox, lambda: sink, patience=5, sleep=pauses.append)
    assert sum(pauses) == 5


def test_an_unknown_scheme_names_the_known_ones_and_no_password():
    with pytest.raises(ConfigError, match="use tantivy:") as caught:
        open_sink("solr://user:secret@host/core")
    assert "secret" not in str(caught.value)


def test_the_list_sink_is_a_sink():
    assert {name for name in vars(Sink) if not name.startswith("_")} <= set(dir(ListSink()))

"""Bring an index up to date with the articles of a store.

Each index has its own place in the store's outbox: what it has taken already is not sent again, and an index that was
deleted is filled from the start.

example:
  cleancrawl sync sqlite:///cleancrawl.db tantivy:///output/index
  cleancrawl sync sqlite:///cleancrawl.db opensearch://localhost:9200/news --wait 3600
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.errors import ConfigError, SinkUnavailable
from cleancrawl.sinks.filling import BATCH, sync_patiently
from cleancrawl.sinks.server import ServerSink
from cleancrawl.sinks.sink import Sink, prepare_sink


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("store", help="for example sqlite:///cleancrawl.db")
    parser.add_argument("sink", help="tantivy:///dir, opensearch://host:port/index or elasticsearch://host:port/index")
    parser.add_argument("--batch", type=int, default=BATCH, help="articles per write (default: %(default)s)")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds to wait for an index that is out of reach")
    parser.add_argument("--rejected", action="store_true", help="list the articles that the index has refused")


def run(args: Namespace) -> int:
    if args.batch < 1:
        raise ConfigError("--batch must be at least 1")
    opener = prepare_sink(args.sink)
    if args.rejected:
        return _list_rejected(opener)
    store = open_existing(args.store)
    try:
        with Progress("articles", store.info().articles, sys.stderr) as progress:
            taken = sync_patiently(store, opener, args.wait, progress.advance, args.batch, _report_outage)
    finally:
        store.close()
    show(f"{taken:,} articles → {without_password(args.sink)}")
    return 0


def _report_outage(error: SinkUnavailable, pause: float) -> None:
    show(f"cleancrawl sync: {error}; again in {pause:.0f} s", file=sys.stderr)


def _list_rejected(opener: Callable[[], Sink]) -> int:
    sink = opener()
    try:
        if not isinstance(sink, ServerSink):
            raise ConfigError("only server indexes refuse articles: this one takes all")
        for letter in sink.rejected():
            show(f"{letter.rejected}\t{letter.url}\t{letter.reason}")
    finally:
        sink.close()
    return 0

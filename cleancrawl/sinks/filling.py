"""From the outbox into a sink: at least once, and once in effect because writing an article again changes nothing.

Any number of processes may do it at once, with one cursor: see ``Sink`` on how the newest version stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.text.encodable import encodable
from cleancrawl.errors import SinkUnavailable
from cleancrawl.sinks.sink import Reading, Sink
from cleancrawl.stores.protocol import StoredArticle

BATCH = 500
_LONGEST_PAUSE = 60.0


def sync(
    outbox: Reading,
    sink: Sink,
    batch: int = BATCH,
    on_batch: Callable[[int], object] = lambda count: None,
    stop: Callable[[], bool] = lambda: False,
) -> int:
    """Bring the sink up to the end of the outbox and return how many articles it took."""
    taken = 0
    while not stop() and (entries := put_next(outbox, sink, batch)):
        taken += len(entries)
        on_batch(len(entries))
    return taken


def put_next(outbox: Reading, sink: Sink, batch: int = BATCH) -> Sequence[StoredArticle]:
    """The next batch of the outbox into a sink; what was in it.

    The cursor moves only after the sink has made a batch durable: a process killed in between writes that batch again.
    """
    name = sink.name
    # Looked at without a turn: mostly there is nothing new.
    if not outbox.articles(outbox.cursor(name), 1):
        return ()
    with sink.turn():
        entries = outbox.articles(outbox.cursor(name), batch)
        if entries:
            put(sink, entries, outbox.began())
            # Not back to where another process has gone on from, which would only make it write all of it again.
            if outbox.cursor(name) < entries[-1].cursor:
                outbox.set_cursor(name, entries[-1].cursor)
    return entries


def put(sink: Sink, entries: Sequence[StoredArticle], began: int = 0) -> None:
    """One batch of an outbox, begun at a time in microseconds, into a sink."""
    if present := [entry for entry in entries if entry.article is not None]:
        sink.write([to_record(entry) for entry in present], [began + entry.cursor for entry in present])
    if withdrawn := [entry for entry in entries if entry.article is None]:
        sink.delete([entry.url for entry in withdrawn], [began + entry.cursor for entry in withdrawn])


def to_record(entry: StoredArticle) -> ArticleRecord:
    """An entry of the outbox as sinks and corpus files take it: broken pages hold lone surrogates, UTF-8 does not.

    What was withdrawn says when.
    """
    article = _encodable(entry.article or entry.was or {})
    record = {**article, "url": _encodable(entry.url), "site": entry.site, **_versions(entry)}
    if entry.article is None:
        record["withdrawn"] = datetime.fromtimestamp(entry.recorded, UTC).isoformat(timespec="seconds")
    return record


def _versions(entry: StoredArticle) -> ArticleRecord:
    """What the store knew only when it had the article, so that the article does not say it."""
    return {"version": entry.version, "previous": None if entry.previous is None else f"{entry.previous:016x}"}


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return [_encodable(each) for each in value]
    if isinstance(value, dict):
        return {_encodable(name): _encodable(each) for name, each in value.items()}
    return value


def sync_patiently(
    outbox: Reading,
    open_sink: Callable[[], Sink],
    patience: float,
    on_batch: Callable[[int], object] = lambda count: None,
    batch: int = BATCH,
    on_outage: Callable[[SinkUnavailable, float], object] = lambda error, pause: None,
    sleep: Callable[[float], object] = time.sleep,
) -> int:
    """``sync`` that sits out an unreachable sink for up to ``patience`` seconds without progress, then raises."""
    taken, pause, waited = 0, 1.0, 0.0

    def progress(count: int) -> None:
        nonlocal taken, pause, waited
        taken, pause, waited = taken + count, 1.0, 0.0
        on_batch(count)

    while True:
        try:
            sink = open_sink()
            try:
                sync(outbox, sink, batch, progress)
                return taken
            finally:
                sink.close()
        except SinkUnavailable as error:
            if waited >= patience:
                raise
            pause = min(pause, patience - waited)
            on_outage(error, pause)
            sleep(pause)
            waited += pause
            pause = min(2 * pause, _LONGEST_PAUSE)

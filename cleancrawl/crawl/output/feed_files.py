"""Feed files that no later run destroys: a name per run, and files that only a run that ended well replaces."""

from __future__ import annotations

import logging
import re
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy.extensions.feedexport import FileFeedStorage

from cleancrawl.crawl.output.failure import failure_of

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

UNFINISHED = ".unfinished"
_runs: WeakKeyDictionary[Spider, str] = WeakKeyDictionary()


def uri_params(params: dict[str, Any], spider: Spider) -> dict[str, Any]:
    """For Scrapy's ``FEED_URI_PARAMS``: ``%(run)s`` is a name that no other run has."""
    return {**params, "run": run_of(spider)}


def run_of(spider: Spider) -> str:
    """When the run began, and Scrapyd's number of the job, or a random one: jobs begin in the same second."""
    if spider not in _runs:
        job = re.sub(r"[^\w.-]", "_", str(getattr(spider, "_job", None) or token_hex(3)))
        _runs[spider] = f"{datetime.now(UTC):%Y-%m-%dT%H-%M-%S}-{job}"
    return _runs[spider]


class ReplacingFileStorage(FileFeedStorage):
    """Scrapy's storage of files. Where a file is to be overwritten (``-O``, ``"overwrite": True``), the run writes
    beside it and replaces it at the end; where the run failed or was cut short, the old file stays, beside the new one.
    """

    def __init__(self, uri: str, *, stats: Any, feed_options: dict[str, Any] | None = None) -> None:
        super().__init__(uri, feed_options=feed_options)
        self.stats = stats
        self.lines = (feed_options or {}).get("format") in ("jsonlines", "jsonl", "jl")
        self.beside: Path | None = None

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, uri: str, *, feed_options: dict[str, Any] | None = None
    ) -> ReplacingFileStorage:
        return cls(uri, stats=crawler.stats, feed_options=feed_options)

    def open(self, spider: Spider) -> IO[bytes]:
        target = Path(self.path).resolve()
        # Nothing can take the place of a device or a pipe.
        if self.write_mode != "wb" or (target.exists() and not target.is_file()):
            file = super().open(spider)
            if self.lines and target.is_file():
                _end_line(target, file)
            return file
        target.parent.mkdir(parents=True, exist_ok=True)
        self.beside = target.with_name(f"{target.name}.{run_of(spider)}{UNFINISHED}")
        return self.beside.open("wb")

    def store(self, file: IO[bytes]) -> None:
        super().store(file)
        if self.beside is None:
            return
        target, stats = Path(self.path).resolve(), self.stats.get_stats()
        reason = failure_of(stats) or ("it was stopped" if stats.get("finish_reason") == "shutdown" else None)
        if reason is None or not target.exists():
            self.beside.replace(target)
        elif not stats.get("item_scraped_count"):
            self.beside.unlink()
            logger.warning("%s is left as it was: %s, and the crawl gave nothing", self.path, reason)
        else:
            logger.warning("%s is left as it was: %s; this run's items are in %s", self.path, reason, self.beside)


def _end_line(path: Path, appended: IO[bytes]) -> None:
    """A run that was killed may have left half a line; the next one's first would be lost with it."""
    with path.open("rb") as file:
        if file.seek(0, 2):
            file.seek(-1, 2)
            if file.read() != b"\n":
                appended.write(b"\n")

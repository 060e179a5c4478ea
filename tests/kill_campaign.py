"""Kills crawls, the indexes that they fill and ``cleancrawl sync`` at random moments, and counts what is left.

    python -m tests.kill_campaign --kills 50

A round crawls the sample site into a store, an index and a feed file, and brings a second index up to date with
``sync``; each of them is killed with SIGKILL again and again. After every kill the store must be sound, and neither
index nor feed have an article twice. At the end of a round the same commands run once more, undisturbed: store,
indexes and export must then have what a crawl has that nobody disturbs, each article once, to the letter.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sqlite3
import sys
import tempfile
import time
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from cleancrawl.cli import main as cleancrawl
from cleancrawl.sinks.reader import EmbeddedReader
from cleancrawl.stores.opening import open_store
from tests.crawl.crash_worker import DEADLINE, CrawlProcess, context
from tests.site.server import SampleSite

KILLS_PER_ROUND = 10
SYNCS = 3
"""One in so many kills hits ``sync``."""


def sync(store: str, index: str) -> None:
    with open(os.devnull, "w") as sys.stdout:
        sys.exit(cleancrawl(["sync", store, index, "--batch", "1"]))


@dataclass
class Tally:
    """What was killed, and what feed files lack."""

    killed: dict[str, int] = field(default_factory=dict)
    rounds: int = 0
    articles: int = 0
    not_in_feed: int = 0
    broken_lines: int = 0

    def __str__(self) -> str:
        what = ", ".join(f"{count} in {name}" for name, count in sorted(self.killed.items()))
        return (
            f"{sum(self.killed.values())} kills ({what}), {self.rounds} rounds of {self.articles} articles: none lost"
            f" or doubled in store, indexes and export; feed files lack {self.not_in_feed} articles"
            f" and have {self.broken_lines} broken lines"
        )


class Round:
    """One corpus in a directory of its own."""

    def __init__(self, site: SampleSite, directory: Path) -> None:
        directory.mkdir(parents=True)
        self.site, self.directory = site, directory
        self.store = f"sqlite:///{directory / 'store.db'}"
        self.feed = directory / "feed.jsonl"
        self.indexes = [directory / "crawled", directory / "synced0"]
        self.number = 0

    def crawl(self, **more: Any) -> CrawlProcess:
        self.number += 1
        settings: dict[str, Any] = {
            "CLEANCRAWL_ONLY_NEW": True,
            "CLEANCRAWL_INDEX": f"tantivy:///{self.indexes[0]}",
            # What is known of the site when a page comes depends on the kills: here it decides nothing.
            "CLEANCRAWL_RECIPE": "tests.recipes_for_tests.default_in_any_order",
            "CLEANCRAWL_WARMUP_PAGES": 5,
            "FEEDS": {str(self.feed): {"format": "jsonlines"}},
            **more,
        }
        return CrawlProcess(self.site, self.store, self.directory / f"log{self.number}", **settings)

    def time_of_crawl(self) -> float:
        """Seconds from the first request to the end."""
        crawl = self.crawl()
        crawl.wait_for(lambda: crawl.requests > 0)
        started = time.monotonic()
        crawl.finish()
        return time.monotonic() - started

    def kill_crawl(self, moment: float) -> bool:
        """Whether the crawl was still there to be killed, so many seconds after its first request."""
        crawl = self.crawl()
        crawl.wait_for(lambda: crawl.requests > 0)
        return _kill(crawl.process, moment)

    def sync(self, index: Path) -> ForkServerProcess:
        process = context().Process(target=sync, args=(self.store, f"tantivy:///{index}"))
        process.start()
        return process

    def kill_sync(self, moment: float) -> bool:
        hit = _kill(self.sync(self.indexes[-1]), moment)
        if not hit:
            # The next one begins an index of its own.
            self.indexes.append(self.directory / f"synced{len(self.indexes) - 1}")
        return hit

    def finish(self) -> None:
        self.crawl().finish()
        for index in self.indexes:
            process = self.sync(index)
            process.join(DEADLINE)
            assert process.exitcode == 0

    def articles(self) -> dict[str, str]:
        """The text of each article; checks that the store is sound and each there once, in its first version."""
        if not Path(self.store.removeprefix("sqlite:///")).exists():
            return {}
        with sqlite3.connect(self.store.removeprefix("sqlite:///")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        database.close()
        store = open_store(self.store)
        entries = [entry for entry in store.articles(limit=10_000) if "/live/" not in entry.url]
        store.close()
        assert all(entry.version == 1 and entry.article for entry in entries)
        return _texts([entry.article for entry in entries if entry.article])

    def indexed(self, index: Path) -> dict[str, str]:
        reader = EmbeddedReader(index)
        found = reader._searcher.search(reader._tantivy.Query.all_query(), limit=10_000)
        documents = (reader._searcher.doc(address).get_first("article") for _, address in found.hits)
        return _texts([json.loads(bytes(stored)) for stored in documents])

    def fed(self) -> tuple[dict[str, str], int]:
        """The articles of the feed file, and how many of its lines are broken."""
        whole, broken = [], 0
        for line in self.feed.read_bytes().split(b"\n") if self.feed.exists() else ():
            try:
                whole += [json.loads(line)] if line else []
            except ValueError:
                broken += 1
        return _texts(whole), broken

    def exported(self) -> dict[str, str]:
        target = self.directory / "export.jsonl"
        with redirect_stdout(StringIO()):
            assert cleancrawl(["export", self.store, "-o", str(target)]) == 0
        return _texts([json.loads(line) for line in target.read_text().splitlines()])

    def check_sound(self) -> None:
        """After a kill: nothing by half in the store, nothing twice anywhere, nothing that the store does not have."""
        articles = self.articles()
        assert self.fed()[0].items() <= articles.items()
        for index in self.indexes:
            if (index / "meta.json").exists():
                assert self.indexed(index).items() <= articles.items()

    def check_whole(self, expected: dict[str, str], tally: Tally) -> None:
        assert self.articles() == expected
        assert self.exported() == expected
        for index in self.indexes:
            assert self.indexed(index) == expected
        fed, broken = self.fed()
        tally.rounds += 1
        tally.articles = len(expected)
        tally.not_in_feed += len(expected) - len(fed)
        tally.broken_lines += broken


def _kill(process: ForkServerProcess, moment: float) -> bool:
    end = time.monotonic() + moment
    while process.is_alive() and time.monotonic() < end:
        time.sleep(0.001)
    alive = process.is_alive()
    process.kill()
    process.join()
    return alive


def _texts(articles: list[dict[str, Any]]) -> dict[str, str]:
    """By URL, each once. The live page has an entry more at each visit: it is never the same in two crawls."""
    fixed = [article for article in articles if "/live/" not in article["url"]]
    texts = {article["url"]: article["text"] for article in fixed}
    assert len(texts) == len(fixed), "an article is there twice"
    return texts


def run(kills: int, seed: int, directory: Path, per_round: int = KILLS_PER_ROUND) -> Tally:
    moments, tally = random.Random(seed), Tally()
    with SampleSite(slow=0.0, crawl_delay=0) as site:
        undisturbed = Round(site, directory / "undisturbed")
        lasted = undisturbed.time_of_crawl()
        started = time.monotonic()
        undisturbed.finish()
        longest = {"crawl": lasted, "sync": (time.monotonic() - started) / 2}
        undisturbed.check_whole(expected := undisturbed.articles(), Tally())
        assert len(expected) > 10
        while (left := kills - sum(tally.killed.values())) > 0:
            one, killed, ended = Round(site, directory / f"round{tally.rounds}"), 0, False
            # Where the crawl has come to its end nothing of it is left to kill.
            while killed < min(left, per_round) and not ended:
                name = "sync" if moments.randrange(SYNCS) == 0 and one.articles() else "crawl"
                hit = (one.kill_sync if name == "sync" else one.kill_crawl)(moments.uniform(0.0, longest[name]))
                tally.killed[name] = tally.killed.get(name, 0) + hit
                killed += hit
                ended = name == "crawl" and not hit
                one.check_sound()
            one.finish()
            one.check_whole(expected, tally)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kill-campaign-") as directory:
        print(run(args.kills, args.seed, Path(directory)))


if __name__ == "__main__":
    main()

"""A store as months of harvests leave it, of made-up articles: for trying reports, at any size.

One site has each kind of trouble that reports tell of, and is named after it; the others are healthy.

example:
  python -m cleancrawl.lab.planted_store sqlite:///planted.db --sites 1000 --articles 100000 --runs 20
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from xxhash import xxh64_intdigest

from cleancrawl.report.site_tally import SiteTally
from cleancrawl.stores.dump_rows import make_row
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store

FIRST = datetime(2026, 10, 1, 6, 0, tzinfo=UTC)
FAULTS = ("stopped", "failing", "shrunk", "grown", "same-text", "undated", "unsigned", "leaks")
"""The sites in trouble are these, with ``.example`` behind them; the trouble begins when three quarters are over."""
ROWS_AT_ONCE = 50_000
"""A store writes what it loads at once, all or nothing, so a million articles are loaded in parts."""
WALL = "We value your privacy and ask you to accept our cookies before you go on to read this page."
LEAK = "Log in or register to comment on this article and to follow the debate."


@cache
def vocabulary() -> tuple[str, ...]:
    syllables = "ba ke mi lo tu ren sal dor vin qua pel tri gos nam ver".split()
    source = Random(1)
    return tuple("".join(source.choices(syllables, k=source.randint(1, 4))) for _ in range(4000))


class PlantedSite:
    """One site; all chance comes from its name, so that the same call makes the same store."""

    def __init__(self, name: str, articles: int, runs: int) -> None:
        self.name = name
        self.fault = name.removesuffix(".example") if name.removesuffix(".example") in FAULTS else None
        self.articles, self.runs = articles, runs
        self.source = Random(name)
        self.language = self.source.choice(("en", "en", "en", "de", "fr", "es", "pl"))
        self.length = self.source.randint(180, 600)
        self.dated, self.signed = self.source.uniform(0.85, 1.0), self.source.uniform(0.75, 1.0)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of a dump: URLs, articles, and what each run counted."""
        number = 0
        for run in range(self.runs):
            started = FIRST + timedelta(days=2 * run)
            late = run >= self.runs * 3 // 4
            tally = SiteTally()
            share = self.articles * (run + 1) // self.runs - self.articles * run // self.runs
            for _ in range(share + self.source.randint(-(share // 3), share // 3)):
                number += 1
                moment = (started + timedelta(seconds=3 * number)).timestamp()
                yield from self.page(number, moment, late, tally)
            if late and self.fault == "failing":
                for place in range(max(12, 2 * share)):
                    tally.errors.add("http-403", f"https://{self.name}/blocked/{place}")
            yield make_row("run", self.name, run_name(run), started.timestamp(), tally.to_counts())

    def page(self, number: int, moment: float, late: bool, tally: SiteTally) -> Iterator[dict[str, Any]]:
        url = f"https://{self.name}/2026/{number}"
        fault = self.fault if late else None
        article = self.article(number, moment, fault)
        tally.add_page(moment, article, "too-short" if fault == "stopped" else None, url)
        if self.source.random() < 0.2:
            tally.add_page(moment, None, "listing", f"https://{self.name}/topics/{number}")
        if fault == "stopped":
            return
        tally.add_article(article, moment)
        content = xxh64_intdigest(article["text"].encode())
        yield make_row("url", url, self.name, 0, moment, moment, 200, None, None, None, content, 1, [moment], 1, 0)
        # The cursor is set by whoever loads the rows of many sites.
        yield make_row("article", 0, url, self.name, 1, None, content, content, moment, article, "", None)

    def article(self, number: int, moment: float, fault: str | None) -> dict[str, Any]:
        chance = self.source
        words = max(60, int(chance.lognormvariate(0, 0.35) * self.length))
        words = words // 4 if fault == "shrunk" else words * 4 if fault == "grown" else words
        text = WALL if fault == "same-text" else prose(chance, words)
        if fault == "leaks" and chance.random() < 0.7:
            text += f"\n{LEAK}"
        published = datetime.fromtimestamp(moment - chance.expovariate(1 / 30_000), UTC).isoformat(timespec="seconds")
        first = f"https://{self.name}/2026/1"
        return {
            "url": f"https://{self.name}/2026/{number}",
            "site": self.name,
            "title": prose(chance, 7).rstrip("."),
            "text": text,
            "language": self.language,
            "published": published if fault != "undated" and chance.random() < self.dated else None,
            "authors": ["Ann Example"] if fault != "unsigned" and chance.random() < self.signed else [],
            "word_count": len(text.split()),
            "blocks_total": 90 + number % 40,
            "blocks_kept": 8 + number % 9,
            "removed": {"site-block": 40, "learned": 20 + number % 30, "ad-keyword": number % 5, "hidden": 2},
            "duplicate_of": first if fault == "same-text" and chance.random() < 0.9 else None,
        }


def prose(chance: Random, words: int) -> str:
    """Sentences of twelve words, four to a line."""
    chosen = chance.choices(vocabulary(), k=words)
    sentences = [" ".join(chosen[place : place + 12]).capitalize() + "." for place in range(0, words, 12)]
    return "\n".join(" ".join(sentences[place : place + 4]) for place in range(0, len(sentences), 4))


def run_name(run: int) -> str:
    return f"{FIRST + timedelta(days=2 * run):%Y-%m-%dT%H-%M-%S}-planted"


def plant(store: Store, sites: int, articles: int, runs: int, *, with_runs: bool = True) -> None:
    """Fill an empty store; ``with_runs=False`` as versions without run records have left it."""
    names = [f"{fault}.example" for fault in FAULTS] + [f"site-{n:04}.example" for n in range(sites - len(FAULTS))]
    planted = (PlantedSite(name, articles // sites, runs) for name in names[:sites])
    rows = (row for row in _numbered(planted) if with_runs or row["kind"] != "run")
    while store.load(islice(rows, ROWS_AT_ONCE)):
        pass
    if with_runs:
        for run in range(runs):
            facts = {"name": "news", "ended": "finished", "seconds": 3 * articles / runs, "pages": articles // runs}
            facts |= {"requests": articles // runs + 2 * sites, "articles": articles // runs}
            store.record_run(run_name(run), (FIRST + timedelta(days=2 * run)).timestamp(), {"": facts})


def _numbered(planted: Iterator[PlantedSite]) -> Iterator[dict[str, Any]]:
    cursor = 0
    for site in planted:
        for row in site.rows():
            if row["kind"] == "article":
                cursor += 1
                row["cursor"] = cursor
            yield row


def main(arguments: list[str]) -> int:
    summary, _, details = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=details.strip(), formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", help="an empty store, for example sqlite:///planted.db")
    parser.add_argument("--sites", type=int, default=1000)
    parser.add_argument("--articles", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--without-runs", action="store_true", help="as stores of earlier versions are")
    args = parser.parse_args(arguments)
    store = open_store(args.store)
    try:
        plant(store, args.sites, args.articles, args.runs, with_runs=not args.without_runs)
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What archives in bulk cost: a loop, the local engine and Spark over the same WARC file, each in its own process.

``python -m cleancrawl.lab.bench.archive_cost --data DATA [--pages 20000] [--site-pages 200] [--ways loop,local]``

The archive is made of labelled pages, repeated under made-up hosts: each round of the pages is a host of its own with
as many pages as asked for, the words of each page changed a little so that no page is a copy of another.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from cleancrawl.archives.warc_pages import read_warc
from cleancrawl.cleaner import Cleaner, clean
from cleancrawl.core.article import FIELDS
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.article_signature import signature
from cleancrawl.core.fingerprints.block_prints import page_prints
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import decide
from cleancrawl.core.recipe import Recipe
from cleancrawl.core.site import site_key
from cleancrawl.corpus.parquet_file import ParquetWriter
from cleancrawl.lab.bench.datasets import GoldPage, load_sets, spread_out
from cleancrawl.lab.bench.text_tables import markdown_table, ratio
from cleancrawl.page_input import load_page
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.local_engine import LocalRun
from cleancrawl.stores.look_up import look_up, page_record
from cleancrawl.stores.memory.memory_store import MemoryStore
from cleancrawl.stores.protocol import Visit

FIRST_DAY = 1_760_000_000
_ADOPT = 36  # PR_SET_CHILD_SUBREAPER


def write_archive(path: Path, pages: Sequence[GoldPage], count: int, site_pages: int) -> None:
    """A packed WARC file of so many pages, of sites of so many pages each."""
    bodies = [page.read() for page in pages]
    with path.open("wb") as file:
        for number in range(count):
            site, body = number // site_pages, bodies[number % len(bodies)]
            # A page comes again on another site, with other words: it is no copy.
            body = body.replace(b" the ", f" the{_letters(site)} ".encode())
            body = body.replace(b" of ", f" of{_letters(number)} ".encode())
            file.write(gzip.compress(_record(f"https://site{site}.example/{number}/story-of-the-day", body, number), 1))


def _letters(number: int) -> str:
    """
    >>> _letters(0), _letters(27)
    ('a', 'bb')
    """
    text = chr(97 + number % 26)
    return _letters(number // 26) + text if number >= 26 else text


def _record(url: str, body: bytes, number: int) -> bytes:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    date = datetime.fromtimestamp(FIRST_DAY + number, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:uuid:{number}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(answer)}\r\n\r\n"
    )
    return head.encode() + answer + b"\r\n\r\n"


def by_loop(path: Path, out: Path) -> None:
    """``clean`` for each page, nothing known of sites; articles into one Parquet file."""
    out.mkdir()
    with path.open("rb") as stream, (out / "articles.parquet").open("wb") as file:
        writer = ParquetWriter(file, FIELDS)
        for saved in read_warc(stream, str(path), print):
            writer.write(clean(saved.body, url=saved.url).to_dict(fetched=saved.date))
        writer.close()


def by_cleaner(path: Path, out: Path) -> None:
    """The same with a ``Cleaner``: one pass, what is known of sites grows in memory."""
    out.mkdir()
    with path.open("rb") as stream, (out / "articles.parquet").open("wb") as file, Cleaner() as cleaner:
        writer = ParquetWriter(file, FIELDS)
        for saved in read_warc(stream, str(path), print):
            writer.write(cleaner.clean(saved.body, url=saved.url).to_dict(fetched=saved.date))
        writer.close()


def by_two_loops(path: Path, out: Path) -> None:
    """One process that knows all pages: each alone into a store in memory, then each again with it; as the engines."""
    out.mkdir()
    options, store = BulkOptions(), MemoryStore()
    recipe = options.made_recipe
    for page, visit in _pages(path):
        recipe.run(page)
        reason = decide(page, Document(page, recipe.name).metadata).reason
        prints = page_prints(page)
        page.known = store.seen(visit.site, visit.url, prints)
        recipe.learn_site(page, store, visit.site, visit.url)
        store.record(page_record(page, replace(visit, reason=reason), prints))
    with (out / "articles.parquet").open("wb") as file:
        writer = ParquetWriter(file, FIELDS)
        for page, visit in _pages(path):
            recipe.run(page, partial(_known, store, recipe, visit))
            document = Document(page, recipe.name)
            if decide(page, document.metadata).is_article:
                writer.write(document.to_dict(fetched=visit.fetched))
                signature(document.text)
        writer.close()


def _pages(path: Path) -> Iterator[tuple[Page, Visit]]:
    with path.open("rb") as stream:
        for saved in read_warc(stream, str(path), print):
            yield load_page(saved.body, saved.url), Visit(site_key(saved.url), saved.url, saved.date or 0.0)


def _known(store: MemoryStore, recipe: Recipe, visit: Visit, page: Page) -> None:
    look_up(store, recipe, page, visit.site, visit.url)


def by_engine(path: Path, out: Path, jobs: int = 2) -> None:
    LocalRun([path], out, BulkOptions(), jobs).run()
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB in the first process", file=sys.stderr)


def by_spark(path: Path, out: Path) -> None:
    from cleancrawl.scale.archive.spark_engine import SparkRun, open_session

    session = open_session("local[2]")
    SparkRun(session, [str(path)], str(out)).run()
    session.stop()


WAYS: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "loop": ("a loop of `clean`", by_loop),
    "cleaner": ("a loop of `Cleaner`", by_cleaner),
    "twice": ("two loops, all pages known", by_two_loops),
    "local": ("local, two processes", by_engine),
    "spark": ("Spark `local[2]`", by_spark),
}


def measured(way: str, path: Path, out: Path) -> dict[str, float]:
    """Processor seconds of a process and all below it, elapsed seconds, megabytes of the largest of them.

    A process between here and there waits for all that are left over, and for no others.
    """
    done = subprocess.run(_command("--measure", way, path, out), stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit(f"{way} failed with exit code {done.returncode}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _command(step: str, way: str, path: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "cleancrawl.lab.bench.archive_cost", step, way, str(path), str(out)]


def _measure(way: str, path: Path, out: Path) -> int:
    # Processes whose parents die become ours, and their time is counted: Spark leaves its Python behind.
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(_ADOPT, 1, 0, 0, 0)
    started = time.monotonic()
    done = subprocess.run(_command("--run", way, path, out))
    elapsed = time.monotonic() - started
    with suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps({"cpu": used.ru_utime + used.ru_stime, "elapsed": elapsed, "memory": used.ru_maxrss / 1024}))
    return done.returncode


def report(path: Path, ways: Sequence[str], count: int, scratch: Path) -> Iterator[list[str]]:
    base = 0.0
    for way in ways:
        used = measured(way, path, scratch / way)
        print(f"{way}: {json.dumps(used)}", file=sys.stderr, flush=True)
        cpu = used["cpu"]
        base = base or cpu
        yield [
            *(WAYS[way][0], f"{1000 * cpu / count:.2f}", ratio(cpu / base)),
            *(f"{used['elapsed']:,.0f}", f"{used['memory']:,.0f}"),
        ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", help="directory of labelled pages")
    parser.add_argument("--set", action="append", default=[], help="only these sets")
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--distinct", type=int, default=400, help="labelled pages that are repeated")
    parser.add_argument("--most-bytes", type=int, help="labelled pages of at most this size")
    parser.add_argument("--site-pages", type=int, default=200)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--scratch", help="directory for archive and results; else a temporary one")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.measure:
        way, path, out = args.measure
        return _measure(way, Path(path), Path(out))
    if args.run:
        way, path, out = args.run
        WAYS[way][1](Path(path), Path(out))
        return 0
    found = [page for each in load_sets(args.data, tuple(args.set)) for page in each.pages]
    if args.most_bytes:
        found = [page for page in found if len(page.read()) <= args.most_bytes]
    chosen = spread_out(found, args.distinct)
    with TemporaryDirectory(dir=args.scratch) as directory:
        scratch = Path(directory)
        path = scratch / "pages.warc.gz"
        write_archive(path, chosen, args.pages, args.site_pages)
        sites = -(-args.pages // args.site_pages)
        print(f"{args.pages:,} pages of {sites:,} sites, {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        rows = list(report(path, args.ways.split(","), args.pages, scratch))
    print(markdown_table(["way", "processor s per 1,000 pages", "× the first", "elapsed s", "MB of one process"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())

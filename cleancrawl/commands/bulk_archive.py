"""Clean all pages of WARC files, each with what the others tell about its site, into Parquet files or a store.

Directories stand for the WARC files below them. The result is a directory: articles/part-….parquet, card.md and
card.json, failed.jsonl with the records that failed, manifest.json. Started again after an interruption, the same
command goes on where it stopped. The exit code is 1 where a record failed or an archive could not be read whole.

With --store the pages go through the pipelines of a crawl instead, run by run and without any request: the store has
the versions that the crawls would have given, each at the time of its answer.

With --engine spark (extra spark, Java 17) archives and result may lie wherever Spark reads and writes, and the failed
records are in failed/.

examples:
  cleancrawl archive crawl-2026-11.warc.gz -o corpus
  cleancrawl archive warcs/ -o corpus --jobs 4 --also markdown --no-duplicates
  cleancrawl archive warc/ --store sqlite:///anew.db
  cleancrawl archive 's3a://bucket/warcs/*.warc.gz' -o s3a://bucket/corpus --engine spark --master yarn
"""

from __future__ import annotations

import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ClassVar, get_args

from cleancrawl.commands.many_pages import read_jobs
from cleancrawl.commands.printing import show
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.core.recipe import Favour
from cleancrawl.core.site import SiteKey
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.bulk_run import FAILED, Summary, find_archives
from cleancrawl.scale.archive.local_engine import LocalRun
from cleancrawl.version import __version__

SHOWN = 8
"""Reasons that the summary names."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("archives", metavar="WARC", nargs="+", help="WARC files, packed or not, or directories")
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("-o", "--output", help="directory of the result")
    target.add_argument("--store", metavar="URL", help="a store for the articles, such as sqlite:///anew.db")
    parser.add_argument(
        "--engine", choices=("local", "spark"), default="local", help="this machine, or Spark (default: %(default)s)"
    )
    parser.add_argument("--master", metavar="URL", help="of Spark, such as yarn or local[4] (default: as it is set up)")
    parser.add_argument(
        "--jobs", type=read_jobs, default="0", metavar="N", help="processes, 0 for all cores (default: %(default)s)"
    )
    parser.add_argument("--recipe", default="default", help="name or import path (default: %(default)s)")
    parser.add_argument("--favour", choices=get_args(Favour), help="lean to precision or to recall")
    parser.add_argument("--site-rules", metavar="FILE", help="corrections for single sites, a TOML file")
    parser.add_argument("--comments", action="store_true", help="keep readers' comments in the text")
    parser.add_argument("--comments-field", action="store_true", help="give them as the field comments")
    parser.add_argument(
        "--also",
        choices=("markdown", "html"),
        action="append",
        default=[],
        help="give the text as Markdown (field markdown) or HTML (field clean_html) as well",
    )
    parser.add_argument("--min-words", type=int, default=30, help="of an article (default: %(default)s)")
    parser.add_argument(
        "--every-page", action="store_true", help="take every page with enough running text, not only articles"
    )
    parser.add_argument("--site-key", choices=get_args(SiteKey), default="domain", help="what a site is (%(default)s)")
    parser.add_argument("--no-duplicates", action="store_true", help="leave out articles that repeat another one")


def run(args: Namespace) -> int:
    options = BulkOptions(
        recipe=args.recipe,
        favour=args.favour,
        site_rules=args.site_rules,
        comments=args.comments,
        comments_field=args.comments_field,
        formats=tuple(dict.fromkeys(args.also)),
        min_words=args.min_words,
        only_articles=not args.every_page,
        site_by=args.site_key,
        drop_duplicates=args.no_duplicates,
    )
    if args.store is not None:
        if args.engine == "spark":
            raise ConfigError("--store takes the articles of --engine local")
        return into_store(find_archives(args.archives), args.store, options)
    if args.engine == "spark":
        return tell(_on_spark(args, options), args.output, "failed")
    if args.master is not None:
        raise ConfigError("--master goes with --engine spark")
    with Steps() as steps:
        local = LocalRun(
            find_archives(args.archives),
            Path(args.output),
            options,
            args.jobs,
            how_made(),
            on_progress=steps.advance,
            on_trouble=steps.say,
        )
        summary = local.run()
    return tell(summary, args.output, FAILED)


def into_store(archives: list[Path], store: str, options: BulkOptions) -> int:
    """Clean the archives as crawls of their pages would have, run by run; the exit code."""
    if unnamed := next((path for path in archives if "," in str(path)), None):
        raise ConfigError(f"{unnamed}: --store takes no paths with a comma")
    settings = {
        "CLEANCRAWL_STORE": store,
        "CLEANCRAWL_RECIPE": options.recipe,
        "CLEANCRAWL_FAVOUR": options.favour,
        "CLEANCRAWL_SITE_RULES": options.site_rules,
        "CLEANCRAWL_COMMENTS": "field" if options.comments_field else options.comments,
        "CLEANCRAWL_FORMATS": ("text", *options.formats),
        "CLEANCRAWL_MIN_WORDS": options.min_words,
        "CLEANCRAWL_ONLY_ARTICLES": options.only_articles,
        "CLEANCRAWL_SITE_KEY": options.site_by,
        "CLEANCRAWL_DUPLICATES": "drop" if options.drop_duplicates else "mark",
        "LOG_LEVEL": "WARNING",
    }
    worst = 0
    for _, files in groupby(archives, key=run_of):
        # A process each: Scrapy's reactor starts once, and what waits for a site to be known is done with its run.
        source = ",".join(map(str, files))
        crawl = get_context("spawn").Process(target=_clean_run, args=(source, store, settings))
        crawl.start()
        crawl.join()
        worst = max(worst, abs(crawl.exitcode or 0))
    return worst


def run_of(path: Path) -> str:
    """What the archives of one crawl have in common: all of their names but the number, where they are ours.

    >>> run_of(Path("w/cleancrawl-20261118T060000000Z-ab12cd-00001.warc.gz")), run_of(Path("w/other-00001.warc.gz"))
    ('w/cleancrawl-20261118T060000000Z-ab12cd', 'w/other-00001.warc.gz')
    """
    ours = path.name.startswith("cleancrawl-") and path.name.count("-") == 3
    return str(path).rpartition("-")[0] if ours else str(path)


def _clean_run(source: str, store: str, settings: Mapping[str, Any]) -> None:
    from cleancrawl.crawl.crawl_process import run_crawl

    try:
        ended = run_crawl("archive", {"source": source}, settings, terse=True)
    except CleanCrawlError as error:
        show(f"cleancrawl archive: {error}", file=sys.stderr)
        sys.exit(1)
    show(ended.summary([store]), flush=True)
    sys.exit(1 if ended.stopped or ended.failure else 0)


def _on_spark(args: Namespace, options: BulkOptions) -> Summary:
    # Imported here: it is large, and most have no use for it.
    from cleancrawl.scale.archive.spark_engine import SparkRun, open_session

    session = open_session(args.master)
    try:
        with Steps() as steps:
            run = SparkRun(
                session,
                args.archives,
                args.output,
                options,
                how_made(),
                on_progress=steps.advance,
                on_trouble=steps.say,
            )
            return run.run()
    finally:
        session.stop()


class Steps:
    """A progress bar for each step of a run, one after another."""

    names: ClassVar = {
        "bytes": "MB read, pass 1",
        "files": "files, pass 1",
        "steps": "steps between the passes",
        "parts": "parts, pass 2",
        "groups": "groups of files, pass 2",
    }

    def __init__(self) -> None:
        self._what, self._bar = "", Progress("", 0, sys.stderr)
        self._left = 0

    def advance(self, what: str, more: int, total: int) -> None:
        unit = 1_000_000 if what == "bytes" else 1
        if what != self._what:
            self._bar.__exit__(None, None, None)
            self._what, self._left = what, 0
            self._bar = Progress(self.names[what], total // unit, sys.stderr)
        whole, self._left = divmod(self._left + more, unit)
        self._bar.advance(whole)

    def say(self, message: str) -> None:
        self._bar.say(f"cleancrawl archive: {' '.join(message.split())}")

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__(None, None, None)


def tell(summary: Summary, out: str, failed: str) -> int:
    """Print what came of it; the exit code."""
    marked = f", {summary.duplicates:,} of a story that is there already" if summary.duplicates else ""
    show(f"{summary.articles:,} articles, {summary.words:,} words of {summary.sites:,} sites{marked} → {out}")
    none = summary.dropped + summary.skipped
    if none:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in none.most_common(SHOWN))
        show(f"{none.total():,} of {summary.pages:,} pages gave none: {reasons}")
    if summary.failed:
        show(f"{summary.failed:,} records failed: {out.rstrip('/')}/{failed}", file=sys.stderr)
    if summary.troubles:
        show(f"{len(summary.troubles):,} archives could not be read whole", file=sys.stderr)
    if not summary.pages:
        show("there are no pages in the archives", file=sys.stderr)
    return 1 if summary.failed or summary.troubles or not summary.pages else 0


def how_made() -> dict[str, str]:
    return {
        "command": shlex.join(["cleancrawl", *sys.argv[1:]]),
        "cleancrawl": __version__,
        "python": platform.python_version(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }

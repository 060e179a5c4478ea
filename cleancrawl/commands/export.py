"""Write the articles of a store to corpus files, with a data card beside them.

An interrupted export goes on where it stopped when the same command runs again. An existing file is written anew.

example:
  cleancrawl export sqlite:///cleancrawl.db --format parquet --language en --no-duplicates -o corpus
"""

from __future__ import annotations

import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.commands.since_option import add_since, since_date
from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.corpus.exporter import Export
from cleancrawl.corpus.formats import FORMATS
from cleancrawl.corpus.selection import Selection
from cleancrawl.version import __version__


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("store", help="for example sqlite:///cleancrawl.db")
    parser.add_argument("--format", choices=tuple(FORMATS), default="jsonl", help="default: %(default)s")
    parser.add_argument("--site", help="only this site")
    add_since(parser)
    parser.add_argument("--language", help="only this language (en)")
    parser.add_argument("--min-words", type=int, default=0, help="only articles of at least so many words")
    parser.add_argument("--no-duplicates", action="store_true", help="leave out articles that repeat another one")
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="a file (jsonl, csv) or a directory (parquet, text, markdown)"
    )


def run(args: Namespace) -> int:
    selection = Selection(args.site, since_date(args.since), args.language, args.min_words, args.no_duplicates)
    store = open_existing(args.store)
    try:
        export = Export(args.output, args.format, selection, _how_made(args.store))
        with Progress("articles", store.info().articles, sys.stderr) as progress:
            counts = export.run(store, progress.advance)
    finally:
        store.close()
    print(f"{counts.articles:,} articles, {counts.words:,} words → {args.output}")
    return 0


def _how_made(store: str) -> dict[str, str]:
    command = [without_password(argument) for argument in sys.argv[1:]]
    return {
        "command": shlex.join(["cleancrawl", *command]),
        "store": without_password(store),
        "cleancrawl": __version__,
        "python": platform.python_version(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }

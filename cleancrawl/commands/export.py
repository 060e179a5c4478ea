"""Write the articles of a store to corpus files, with a data card beside them.

An interrupted export goes on where it stopped when the same command runs again. An existing file is written anew.
With -o - the articles go to standard output, without a card.

examples:
  cleancrawl export sqlite:///cleancrawl.db --format parquet --language en --no-duplicates -o corpus
  cleancrawl export sqlite:///cleancrawl.db --rights noai,tdm -o for-training.jsonl
  cleancrawl export sqlite:///cleancrawl.db -o - | jq -r .title
"""

from __future__ import annotations

import platform
import shlex
import sys
from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.commands.since_option import add_since, since_date
from cleancrawl.core.metadata.rights import CLAIMS, RESERVATIONS
from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.corpus.exporter import Export, write_lines
from cleancrawl.corpus.formats import FORMATS, RAW_CSV
from cleancrawl.corpus.selection import Selection
from cleancrawl.errors import ConfigError
from cleancrawl.version import __version__

STANDARD_OUTPUT = Path("-")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("store", help="for example sqlite:///cleancrawl.db")
    parser.add_argument(
        "--format", choices=[name for name in FORMATS if name != RAW_CSV], default="jsonl", help="default: %(default)s"
    )
    parser.add_argument("--site", help="only this site")
    add_since(parser)
    parser.add_argument("--language", help="only this language (en)")
    parser.add_argument("--min-words", type=int, default=0, help="only articles of at least so many words")
    parser.add_argument("--no-duplicates", action="store_true", help="leave out articles that repeat another one")
    parser.add_argument(
        "--no-withdrawn",
        action="store_true",
        help="leave out articles whose pages are gone; else they are marked (field withdrawn)",
    )
    parser.add_argument(
        "--rights",
        metavar="NAMES",
        default="",
        help=f"leave out articles that reserve one of these ({', '.join(RESERVATIONS)}), or do not have it "
        f"({', '.join(CLAIMS)}); commas between them",
    )
    parser.add_argument(
        "--raw-cells", action="store_true", help="csv: leave cells that a spreadsheet takes for formulas (=, +, -, @)"
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        help="a file (jsonl, csv), a directory (parquet, text, markdown), or - for standard output (jsonl, csv)",
    )


def run(args: Namespace) -> int:
    # A file of plain text has no place for a mark.
    no_withdrawn = args.no_withdrawn or args.format == "text"
    since = since_date(args.since)
    selection = Selection(
        args.site, since, args.language, args.min_words, args.no_duplicates, no_withdrawn, _rights(args.rights)
    )
    if args.raw_cells and args.format != "csv":
        raise ConfigError(f"--raw-cells goes with --format csv, not {args.format}")
    form = RAW_CSV if args.raw_cells else args.format
    store = open_existing(args.store)
    try:
        with Progress("articles", store.info().articles, sys.stderr) as progress:
            if args.output == STANDARD_OUTPUT:
                write_lines(store, form, selection, sys.stdout.buffer.write, progress.advance)
                return 0
            export = Export(args.output, form, selection, _how_made(args.store))
            counts = export.run(store, progress.advance)
    finally:
        store.close()
    show(f"{counts.articles:,} articles, {counts.words:,} words → {args.output}")
    return 0


def _rights(names: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    for name in found:
        if name not in (*RESERVATIONS, *CLAIMS):
            raise ConfigError(f"--rights must be some of {', '.join((*RESERVATIONS, *CLAIMS))}, not {name!r}")
    return found


def _how_made(store: str) -> dict[str, str]:
    command = [without_password(argument) for argument in sys.argv[1:]]
    return {
        "command": shlex.join(["cleancrawl", *command]),
        "store": without_password(store),
        "cleancrawl": __version__,
        "python": platform.python_version(),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
    }

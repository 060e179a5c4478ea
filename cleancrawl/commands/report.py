"""Show what came of the runs of a store, and which sites are in trouble, as one HTML file.

The file loads nothing and can be opened from disk or sent by mail. Exit code 0, also where sites are in trouble.

examples:
  cleancrawl report sqlite:///cleancrawl.db -o report.html
  cleancrawl report redis://host --since 2026-11-01 -o november.html
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.commands.since_option import since_date
from cleancrawl.report.harvest_report import write_report
from cleancrawl.report.trouble import KINDS

SHOWN = 20


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("store", help="for example sqlite:///cleancrawl.db")
    parser.add_argument(
        "--since",
        metavar="DAY",
        help="only runs that began on or after this day (2026-01-31); earlier ones are what they are compared with",
    )
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("report.html"), help="the file (default: %(default)s)"
    )


def run(args: Namespace) -> int:
    day = since_date(args.since)
    store = open_existing(args.store)
    try:
        harvest = write_report(store, args.output, name=args.store, since=day.timestamp() if day else 0.0)
    finally:
        store.close()
    for finding in harvest.findings[:SHOWN]:
        show(f"{finding.site}: {KINDS[finding.kind].lower()}: {finding.evidence}")
    if len(harvest.findings) > SHOWN:
        show(f"and {len(harvest.findings) - SHOWN:,} more")
    show(f"{len(harvest.sites):,} sites, {harvest.total.articles:,} articles → {args.output}")
    return 0

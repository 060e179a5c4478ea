"""Show why each block of a page was kept or removed, as one HTML file.

examples:
  cleancrawl explain page.html -o report.html
  cleancrawl explain https://news.example/story --recipe core-content > report.html
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from cleancrawl.commands.page_argument import Cleaning, add_page_arguments
from cleancrawl.commands.printing import show
from cleancrawl.report.page_report import explain


def add_arguments(parser: ArgumentParser) -> None:
    add_page_arguments(parser)
    parser.add_argument("-o", "--output", type=Path, help="where to write the report (default: standard output)")


def run(args: Namespace) -> int:
    report = explain(Cleaning.of(args, [args.page]).clean(args.page))
    if args.output is None:
        show(report, end="")
        return 0
    args.output.write_text(report, encoding="utf-8")
    show(args.output)
    return 0

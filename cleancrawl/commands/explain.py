"""Show why each block of a page was kept or removed, as one HTML file.

examples:
  cleancrawl explain page.html -o report.html
  cleancrawl explain https://news.example/story --recipe core-content > report.html
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from cleancrawl.commands.page_argument import add_page_arguments, clean_page
from cleancrawl.report.page_report import explain


def add_arguments(parser: ArgumentParser) -> None:
    add_page_arguments(parser)
    parser.add_argument("-o", "--output", type=Path, help="where to write the report (default: standard output)")


def run(args: Namespace) -> int:
    report = explain(clean_page(args))
    if args.output is None:
        print(report, end="")
        return 0
    args.output.write_text(report, encoding="utf-8")
    print(args.output)
    return 0

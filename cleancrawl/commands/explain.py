"""Show why each block of a page was kept or removed, as one HTML file.

examples:
  cleancrawl explain page.html -o report.html
  cleancrawl explain https://news.example/story --recipe core-content > report.html
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from cleancrawl.cleaner import clean
from cleancrawl.commands.clean import read_page
from cleancrawl.report.page_report import explain


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", metavar="FILE|URL|-", help="a saved page, an http(s) address, or - for standard input")
    parser.add_argument("-o", "--output", type=Path, help="where to write the report (default: standard output)")
    parser.add_argument("--recipe", default="default", help="name or import path (default: %(default)s)")
    parser.add_argument("--url", help="the page's address, where it is read from a file or standard input")
    parser.add_argument("--comments", action="store_true", help="keep the readers' comments")


def run(args: Namespace) -> int:
    html, url = read_page(args.page)
    report = explain(clean(html, url=args.url or url, recipe=args.recipe, comments=args.comments))
    if args.output is None:
        print(report, end="")
        return 0
    args.output.write_text(report, encoding="utf-8")
    print(args.output)
    return 0

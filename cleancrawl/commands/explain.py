"""Show why each block of a page was kept or removed, as one HTML file.

The page is a file, an address or standard input; or, with the URL of a store in front of it, an article that a crawl
with CLEANCRAWL_KEEP_HTML left there, cleaned with what the store knows of its site.

examples:
  cleancrawl explain page.html -o report.html
  cleancrawl explain https://news.example/story --recipe core-content > report.html
  cleancrawl explain page.html --recipes default,core-content,line-block -o report.html
  cleancrawl explain sqlite:///cleancrawl.db https://news.example/story -o report.html
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from cleancrawl.cleaner import clean
from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.page_argument import Cleaning, add_cleaning_arguments, is_address, read_page
from cleancrawl.commands.printing import show
from cleancrawl.errors import ConfigError
from cleancrawl.report.page_report import explain
from cleancrawl.report.stored_page import record_of, stored_article, stored_document

MOST_RECIPES = 4
"""More columns are too narrow to be read."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "page",
        nargs="+",
        metavar="FILE|URL|- or STORE URL",
        help="a saved page, an http(s) address, - for standard input; or a store and the URL of an article in it",
    )
    add_cleaning_arguments(parser)
    parser.set_defaults(recipe=None)
    parser.add_argument("--recipes", metavar="A,B", help="several recipes, in columns")
    parser.add_argument("-o", "--output", type=Path, help="where to write the report (default: standard output)")


def run(args: Namespace) -> int:
    if len(args.page) > 2:
        raise ConfigError("explain takes one page, or a store and a URL")
    names = _recipes(args)
    report = _of_store(args, names) if len(args.page) == 2 else _of_page(args, names)
    if args.output is None:
        show(report, end="")
        return 0
    args.output.write_text(report, encoding="utf-8")
    show(args.output)
    return 0


def _recipes(args: Namespace) -> list[str]:
    if args.recipes is None:
        return [args.recipe] if args.recipe else []
    if args.recipe is not None:
        raise ConfigError("--recipes goes without --recipe")
    names = list(dict.fromkeys(name.strip() for name in args.recipes.split(",") if name.strip()))
    if not 1 <= len(names) <= MOST_RECIPES:
        raise ConfigError(f"--recipes takes one to {MOST_RECIPES} names with commas between them")
    return names


def _cleanings(args: Namespace, names: list[str], pages: list[str]) -> list[Cleaning]:
    common = Cleaning("default", args.url, args.comments, args.favour, args.site_rules, args.model)
    cleanings = [replace(common, recipe=name) for name in names]
    for cleaning in cleanings:
        cleaning.check(pages)
    return cleanings


def _of_page(args: Namespace, names: list[str]) -> str:
    (source,) = args.page
    cleanings = _cleanings(args, names or ["default"], [source])
    html, url = read_page(source, sys.stdin.buffer.read() if source == "-" else None)
    return explain(*(clean(html, url=args.url or url, recipe=cleaning.chosen()) for cleaning in cleanings))


def _of_store(args: Namespace, names: list[str]) -> str:
    place, url = args.page
    if is_address(place) or not is_address(url):
        raise ConfigError("two names are a store and the URL of an article in it: sqlite:///cleancrawl.db https://…")
    if args.url is not None:
        raise ConfigError("--url goes with a file or standard input")
    with closing(open_existing(place)) as store:
        stored = stored_article(store, url)
        record = record_of(stored)
        cleanings = _cleanings(args, names or [record.get("recipe") or "default"], [url])
        documents = [stored_document(store, stored, cleaning.chosen()) for cleaning in cleanings]
    same = documents[0].text == record.get("text")
    facts = {
        "in the store": f"version {stored.version}" + (", withdrawn" if stored.article is None else ""),
        "stored text": "the same as here" if same else "another: the site is better known now, or the recipe differs",
    }
    return explain(*documents, facts=list(facts.items()))

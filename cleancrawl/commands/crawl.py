"""Crawl news sites and write their articles to a file; needs no Scrapy project.

Pages are found through sitemaps, feeds and links, newest first; robots.txt is obeyed. The output's name says its
format: .jsonl, .json, .csv, .xml or .parquet, with .gz or .zst behind it; - is the standard output (JSON lines). An
earlier file is replaced when the crawl has ended well, and only then. What was learnt about the sites stays in the
store. The exit code is 1 where no article was written (but for a harvest with nothing new).

examples:
  cleancrawl crawl https://news.example
  cleancrawl crawl a.example b.example -o corpus.parquet --max-pages 200 --since 2026-11-01
  cleancrawl crawl @sites.txt --harvest -o harvest.jsonl
  cleancrawl crawl https://news.example -o - -s DOWNLOAD_DELAY=2 | jq .title
  cleancrawl crawl --queue --store redis://host/0 -o worker.jsonl
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from cleancrawl.commands.printing import show
from cleancrawl.crawl.discovery.spider_arguments import QUEUE, NewsArguments, read_urls
from cleancrawl.crawl.output.corpus_files import STDOUT, CorpusFile, prepare_all
from cleancrawl.errors import ConfigError

if TYPE_CHECKING:
    from cleancrawl.crawl.crawl_process import Ended

DEFAULT_OUTPUT = "corpus.jsonl"
DONE, FAILED, INTERRUPTED = 0, 1, 130
OPTIONS = {"sites": "URL ", "max_pages": "--max-pages ", "since": "--since ", "until": "--until "}
"""What the spider's arguments are called here."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("urls", nargs="*", metavar="URL", help="front pages of sites, or @file with one per line")
    parser.add_argument(
        "--queue", action="store_true", help="be a worker: crawl what is due on the store's list (cleancrawl sites)"
    )
    parser.add_argument("--once", action="store_true", help="with --queue: end when nothing is due")
    parser.add_argument(
        "-o",
        "--output",
        action="append",
        metavar="FILE",
        help=f"where the articles go; may be repeated (default: {DEFAULT_OUTPUT})",
    )
    parser.add_argument("--max-pages", default="", metavar="N", help="pages fetched of each site (default: no limit)")
    parser.add_argument("--since", default="", metavar="DAY", help="only pages of this day (2026-01-31) and later ones")
    parser.add_argument("--until", default="", metavar="DAY", help="only pages of this day and earlier ones")
    parser.add_argument(
        "--store",
        metavar="URL",
        help="memory of the sites (default: sqlite:///cleancrawl.db; memory: keeps nothing)",
    )
    parser.add_argument("--index", metavar="URL", help="also fill a search index (tantivy:///directory)")
    parser.add_argument(
        "--harvest", action="store_true", help="fetch and add only what is new or changed since the last crawl"
    )
    parser.add_argument(
        "--browser",
        choices=("never", "auto", "always"),
        help="render pages that show nothing without their scripts, or all (extra browser; default: never)",
    )
    parser.add_argument(
        "-s", dest="settings", action="append", default=[], metavar="NAME=VALUE", help="a setting; may be repeated"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="show the log, not only what goes wrong")


def run(args: Namespace) -> int:
    arguments = spider_arguments(args)
    settings = read_settings(args)
    args.harvest = args.harvest or args.queue
    files = prepare_all(args.output or [DEFAULT_OUTPUT], adds=args.harvest)
    from cleancrawl.crawl.crawl_process import run_crawl  # Scrapy takes half a second, a wrong call should not

    sites = ["what is due"] if args.queue else arguments["sites"].split()
    limit = f", at most {args.max_pages} pages of each" if args.max_pages else ""
    show(f"Crawling {' and '.join(sites[:3])}{' …' if len(sites) > 3 else ''}{limit}", file=sys.stderr, flush=True)
    settings["FEEDS"] = {file.uri: file.options for file in files}
    return report(run_crawl("news", arguments, settings, terse=not args.verbose), files, harvest=args.harvest)


def report(ended: Ended, files: list[CorpusFile], *, harvest: bool) -> int:
    """Tell what came of the crawl."""
    places = [ended.places[file.uri] or file.name for file in files if file.uri in ended.places]
    to_stdout = any(file.name == STDOUT for file in files)
    show(ended.summary(places), file=sys.stderr if to_stdout else sys.stdout, flush=True)
    if ended.stopped:
        return INTERRUPTED
    return DONE if ended.failure is None and (places or harvest) else FAILED


def spider_arguments(args: Namespace) -> dict[str, str]:
    """The options as the spider takes them; raises ``ConfigError`` in their own words."""
    if args.queue == bool(args.urls):
        raise ConfigError("--queue takes its sites from the store, not as URL" if args.queue else "URL or --queue?")
    if args.once and not args.queue:
        raise ConfigError("--once goes with --queue")
    try:
        sites = list(dict.fromkeys(site for given in args.urls for site in read_urls("sites", given)))
        given = {"since": args.since, "until": args.until, "max_pages": args.max_pages}
        NewsArguments.read(" ".join(sites), **given)
        if args.queue:
            return {"sites": QUEUE, "once": "1" if args.once else "", **given}
    except ConfigError as error:
        ours = re.sub(r"-a (\w+)=", lambda found: OPTIONS[found[1]], str(error))
        raise ConfigError(ours.replace(" :", ":")) from None
    return {"sites": " ".join(sites), **given}


def read_settings(args: Namespace) -> dict[str, Any]:
    chosen: dict[str, Any] = {"LOG_LEVEL": "INFO" if args.verbose else "WARNING"}
    if args.harvest:
        chosen["CLEANCRAWL_ONLY_NEW"] = True
    if args.store:
        chosen["CLEANCRAWL_STORE"] = args.store
    if args.browser:
        chosen["CLEANCRAWL_BROWSER"] = args.browser
    if args.index:
        chosen["CLEANCRAWL_INDEX"] = args.index
    for setting in args.settings:
        name, equals, value = setting.partition("=")
        if not name or not equals:
            raise ConfigError(f"-s takes NAME=VALUE, not {setting!r}")
        chosen[name.strip()] = value
    return chosen

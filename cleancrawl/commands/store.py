"""Look into a store and look after it.

examples:
  cleancrawl store info sqlite:///cleancrawl.db
  cleancrawl store sites sqlite:///cleancrawl.db
  cleancrawl store blocks sqlite:///cleancrawl.db example.com --limit 20
  cleancrawl store posts sqlite:///cleancrawl.db https://news.example/live --new
  cleancrawl store prune sqlite:///cleancrawl.db --days 90
  cleancrawl store forget sqlite:///cleancrawl.db example.com
  cleancrawl store export sqlite:///cleancrawl.db | cleancrawl store import redis://host/0
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from textwrap import shorten
from typing import Any

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.core.text.shown_urls import without_password
from cleancrawl.errors import ConfigError, StoreError
from cleancrawl.report.stored_page import record_of, stored_article
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Limits, Store

DAY = 86_400
TEXT_WIDTH = 80
END = "end"
ENDS_SINCE = 2
"""The version of exports from which on the last line says how many rows there are."""


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, help: str, work: Callable[[Namespace], int]) -> ArgumentParser:
        made: ArgumentParser = actions.add_parser(name, help=help, description=help)
        made.set_defaults(work=work)
        made.add_argument("store", help="for example sqlite:///cleancrawl.db")
        return made

    for name, help, work in (
        ("info", "what is in the store", _info),
        ("sites", "the sites, with pages, articles, known blocks and held pages", _sites),
    ):
        action(name, help, work).add_argument("--json", action="store_true", help="as JSON")
    blocks = action("blocks", "the blocks that recur most on a site", _blocks)
    blocks.add_argument("site", help="for example example.com")
    blocks.add_argument("--limit", type=int, default=50, metavar="N", help="default: %(default)s")
    blocks.add_argument("--json", action="store_true", help="as JSON")
    posts = action("posts", "the posts of a live report, those included that have fallen off its page", _posts)
    posts.add_argument("url", help="the article's address")
    posts.add_argument("--new", action="store_true", help="only those that the last version has added")
    posts.add_argument("--json", action="store_true", help="as JSON")
    prune = action("prune", "forget blocks that were not seen for long", _prune)
    prune.add_argument("--days", type=float, default=Limits().max_age / DAY, help="default: %(default)g")
    forget = action("forget", "forget all about a site, its articles included", _forget)
    forget.add_argument("site", help="for example example.com")
    export = action("export", "write the whole store as JSON lines", _export)
    export.add_argument("-o", "--output", type=Path, help="a file; default: standard output")
    load = action("import", "read an export into an empty store", _import)
    load.add_argument("input", type=Path, nargs="?", help="a file; default: standard input")


def run(args: Namespace) -> int:
    code: int = args.work(args)
    return code


def _info(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        info = asdict(store.info())
    if args.json:
        show(json.dumps(info))
        return 0
    limits = info.pop("limits")
    for name, value in {**info, **limits}.items():
        show(f"{name.replace('_', ' '):16} {value:,.0f}" if isinstance(value, (int, float)) else f"{name:16} {value}")
    return 0


def _sites(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        sites = [asdict(site) for site in store.sites()]
    if args.json:
        show(json.dumps(sites))
        return 0
    width = max((len(site["site"]) for site in sites), default=4)
    show(f"{'site':{width}}    pages     urls articles   blocks  held  last fetched")
    for site in sites:
        when = datetime.fromtimestamp(site["last_fetched"], UTC).isoformat(" ", "minutes").removesuffix("+00:00")
        counts = "".join(f" {site[name]:>8,}" for name in ("pages", "urls", "articles", "blocks"))
        show(f"{site['site']:{width}}{counts} {site['held']:>5,}  {when}")
    return 0


def _blocks(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        pages = store.site_pages(args.site)
        blocks = store.blocks(args.site, args.limit)
    if args.json:
        show(json.dumps([asdict(block) for block in blocks]))
        return 0
    if not blocks:
        raise StoreError(f"nothing is known of {args.site}")
    show(f"pages  articles  text ({pages:,} pages of {args.site} are known)")
    for block in blocks:
        show(f"{block.pages:>5,}  {block.articles:>8,}  {shorten(block.text, TEXT_WIDTH, placeholder=' …')}")
    return 0


def _posts(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        article = record_of(stored_article(store, args.url))
    posts = article.get("posts") or []
    if not posts:
        raise StoreError(f"{args.url} is no live report")
    if args.new:
        posts = [post for post in posts if post["first_seen"] == article["fetched_at"]]
    if args.json:
        show(json.dumps(posts))
        return 0
    for post in posts:
        seen = f"first seen {post['first_seen']}"
        show(f"{post['time'] or '':25}  {seen}  {shorten(post['text'] or '', TEXT_WIDTH, placeholder=' …')}")
    return 0


def _prune(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        gone = store.prune(time.time() - args.days * DAY)
    show(f"{gone:,} blocks forgotten")
    return 0


def _forget(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        gone = store.forget(args.site)
    if not gone:
        raise StoreError(f"nothing is known of {args.site}")
    show(f"{gone:,} pages of {args.site} forgotten")
    return 0


def _export(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        if args.output is None:
            _write(store, sys.stdout.write)
        else:
            with args.output.open("w", encoding="utf-8") as file:
                _write(store, file.write)
    return 0


def _write(store: Store, write: Callable[[str], Any]) -> None:
    """All rows, and behind them how many there are: who reads them sees whether they are all there."""
    count = 0
    for row in store.dump():
        write(json.dumps(row) + "\n")
        count += 1
    write(json.dumps({"kind": END, "rows": count}) + "\n")


def _import(args: Namespace) -> int:
    with closing(open_store(args.store)) as store:
        if store.info().pages:
            raise StoreError(f"{without_password(args.store)} is not empty")
        if args.input is None:
            count = store.load(_rows(sys.stdin))
        else:
            with args.input.open(encoding="utf-8") as file:
                count = store.load(_rows(file))
    show(f"{count:,} rows imported", file=sys.stderr)
    return 0


def _rows(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Raises ``StoreError`` where the export breaks off, before the last row is loaded."""
    count, version = 0, 0
    for line in lines:
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            if count and next(lines, None) is None:
                raise StoreError(f"the export breaks off in line {count + 1:,}") from None
            raise ConfigError(f"line {count + 1} is no row of an export: {error}") from None
        if isinstance(row, dict) and row.get("kind") == END:
            if row.get("rows") != count:
                raise StoreError(f"the export lacks rows: {count} of {row.get('rows')} are there")
            return
        if not count and isinstance(row, dict):
            version = row.get("version", 0)
        count += 1
        yield row
    if not count:
        raise StoreError("the export is empty")
    if version >= ENDS_SINCE:
        raise StoreError(f"the export breaks off after {count:,} rows")

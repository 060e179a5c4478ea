"""Manage the sites that workers crawl again and again.

Any number of workers share the list: cleancrawl crawl --queue --store STORE, or scrapy crawl news -a sites=queue. A
site comes due by itself, by a fixed interval (--every 6h) or by how often it publishes (the default).

examples:
  cleancrawl sites add redis://host/0 https://a.example @more-sites.txt --every 6h
  cleancrawl sites add sqlite:///harvest.db b.example --since 2026-11-01 --max-pages 500 --delay 5
  cleancrawl sites list redis://host/0
  cleancrawl sites due redis://host/0
  cleancrawl sites due redis://host/0 a.example --in 10m
  cleancrawl sites pause redis://host/0 a.example
  cleancrawl sites pause redis://host/0 a.example --resume
  cleancrawl sites remove redis://host/0 a.example
"""

from __future__ import annotations

import json
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, replace

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.core.site import domain_of
from cleancrawl.crawl.discovery.spider_arguments import NewsArguments, read_urls
from cleancrawl.errors import ConfigError, StoreError
from cleancrawl.stores.listed_sites import ListedSite
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Store

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
OPTIONS = ("since", "until", "max_pages", "depth", "discover")
LONGEST_DELAY = 3600.0


def add_arguments(parser: ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, help: str, work: Callable[[Namespace], int]) -> ArgumentParser:
        made: ArgumentParser = actions.add_parser(name, help=help, description=help)
        made.set_defaults(work=work)
        made.add_argument("store", help="for example redis://host/0 or sqlite:///harvest.db")
        return made

    add = action("add", "put sites on the list, or change their options", _add)
    add.add_argument("urls", nargs="+", metavar="URL", help="front pages, or @file with one per line")
    add.add_argument("--every", default="auto", metavar="TIME", help="30m, 6h, 1d; auto: as often as it publishes")
    add.add_argument("--since", default="", metavar="DAY", help="only pages of this day and later ones")
    add.add_argument("--until", default="", metavar="DAY", help="only pages of this day and earlier ones")
    add.add_argument("--max-pages", default="", metavar="N", help="pages fetched in one run")
    add.add_argument("--depth", default="", metavar="N", help="links away from the front page (default: 3)")
    add.add_argument("--discover", default="", metavar="WAYS", help="of sitemap,feed,links (default: all)")
    add.add_argument("--delay", default="", metavar="SECONDS", help="at least so long between two requests")
    remove = action("remove", "take sites off the list; what is known of them stays", _remove)
    listing = action("list", "all sites, with due time, last outcome and owner", _list)
    due = action("due", "which sites are due; with SITE: make them due", _due)
    due.add_argument("sites", nargs="*", metavar="SITE", help="for example a.example")
    due.add_argument("--in", dest="wait", default="0s", metavar="TIME", help="after a while: 10m (default: now)")
    pause = action("pause", "leave sites alone until they are resumed; one under way ends its run", _pause)
    pause.add_argument("--resume", action="store_true", help="go on with them, now")
    for made in (remove, pause):
        made.add_argument("sites", nargs="+", metavar="SITE", help="for example a.example")
    for made in (listing, due):
        made.add_argument("--json", action="store_true", help="as JSON")


def run(args: Namespace) -> int:
    code: int = args.work(args)
    return code


def _add(args: Namespace) -> int:
    interval = None if args.every == "auto" else read_time("--every", args.every, least=1.0)
    options = read_options(args)
    urls = [url for given in args.urls for url in _read_urls(given)]
    by_name: dict[str, list[str]] = {}
    for url in urls:
        by_name.setdefault(domain_of(url), []).append(url)
    with closing(open_store(args.store)) as store:
        _check(store, args.store)
        new = 0
        for name, places in by_name.items():
            there = store.listed_site(name)
            every = tuple(dict.fromkeys([*(there.urls if there else ()), *places]))
            new += store.list_site(ListedSite(name, every, options, interval), wait=None if there else 0.0)
    changed = len(by_name) - new
    show(f"{new:,} sites added" + (f", {changed:,} changed" if changed else ""))
    return 0


def read_options(args: Namespace) -> dict[str, str]:
    """What the spider is told about a site; raises ``ConfigError`` in the words of the command line."""
    given = {name: getattr(args, name) for name in OPTIONS}
    try:
        NewsArguments.read("", **given)
    except ConfigError as error:
        raise ConfigError(_in_our_words(error)) from None
    if args.delay:
        try:
            seconds = float(args.delay)
        except ValueError:
            seconds = -1.0
        if not 0.0 <= seconds <= LONGEST_DELAY:
            raise ConfigError(f"--delay must be a number of seconds up to {LONGEST_DELAY:g}, not {args.delay!r}")
        given["delay"] = f"{seconds:g}"
    return {name: value for name, value in given.items() if value != ""}


def _read_urls(given: str) -> Sequence[str]:
    try:
        return read_urls("sites", given)
    except ConfigError as error:
        raise ConfigError(_in_our_words(error)) from None


def _in_our_words(error: ConfigError) -> str:
    return re.sub(r"-a (\w+)=", lambda found: _option(found[1]), str(error)).replace(" :", ":")


def _option(argument: str) -> str:
    return "URL " if argument == "sites" else f"--{argument.replace('_', '-')} "


def read_time(name: str, value: str, least: float = 0.0) -> float:
    """Seconds.

    >>> [read_time("--every", value) for value in ("90s", "30m", "1.5h", "1d")]
    [90.0, 1800.0, 5400.0, 86400.0]
    >>> read_time("--every", "soon")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: --every takes a time such as 30m, 6h or 1d, not 'soon'
    """
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)([smhd])", value)
    if not found or float(found[1]) * UNITS[found[2]] < least:
        raise ConfigError(f"{name} takes a time such as 30m, 6h or 1d, not {value!r}")
    return float(found[1]) * UNITS[found[2]]


def _check(store: Store, url: str) -> None:
    if not hasattr(store, "list_site"):
        raise ConfigError(f"{url} keeps no list of sites")


def _named(store: Store, sites: Sequence[str]) -> list[ListedSite]:
    """Raises ``StoreError`` where one is not on the list, before anything is changed."""
    found = []
    for given in sites:
        name = domain_of(given if "://" in given else f"https://{given}")
        site = store.listed_site(given) or store.listed_site(name)
        if site is None:
            raise StoreError(f"{given} is not on the list")
        found.append(site)
    return found


def _remove(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        for site in _named(store, args.sites):
            store.unlist_site(site.name)
    show(f"{len(args.sites):,} sites removed")
    return 0


def _pause(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        for site in _named(store, args.sites):
            store.list_site(replace(site, paused=not args.resume), wait=0.0 if args.resume else None)
    show(f"{len(args.sites):,} sites {'resumed' if args.resume else 'paused'}")
    return 0


def _list(args: Namespace) -> int:
    with closing(open_existing(args.store)) as store:
        _print(store.listed_sites(), store.store_time(), as_json=args.json)
    return 0


def _due(args: Namespace) -> int:
    wait = read_time("--in", args.wait)
    with closing(open_existing(args.store)) as store:
        now = store.store_time()
        if args.sites:
            for site in _named(store, args.sites):
                store.list_site(replace(site, paused=False), wait=wait)
            show(f"{len(args.sites):,} sites are due {'in ' + args.wait if wait else 'now'}")
            return 0
        due = [site for site in store.listed_sites() if site.due is not None and site.due <= now + wait]
        _print(sorted(due, key=lambda site: site.due or 0.0), now, as_json=args.json)
    return 0


def _print(sites: list[ListedSite], now: float, *, as_json: bool) -> None:
    if as_json:
        show(json.dumps([asdict(site) for site in sites]))
        return
    width = max([4, *(len(site.name) for site in sites)])
    show(f"{'site':{width}}  {'every':>6}  {'due':>10}  pages  articles  last outcome; owner")
    for site in sites:
        every = "auto" if site.interval is None else shown_time(site.interval)
        due = site.state if site.due is None else "now" if site.due <= now else f"in {shown_time(site.due - now)}"
        owner = f"; {site.owner}, lease {shown_time((site.until or now) - now)}" if site.owner else ""
        outcome = site.outcome or "never crawled"
        show(f"{site.name:{width}}  {every:>6}  {due:>10}  {site.pages:>5,}  {site.articles:>8,}  {outcome}{owner}")


def shown_time(seconds: float) -> str:
    """
    >>> [shown_time(seconds) for seconds in (-1, 5, 90, 5400, 86400 * 3)]
    ['0s', '5s', '90s', '90m', '72h']
    """
    for unit, size in (("h", 3600.0), ("m", 60.0)):
        if seconds >= 2 * size or (seconds >= size and seconds % size == 0):
            return f"{seconds / size:.0f}{unit}"
    return f"{max(0.0, seconds):.0f}s"

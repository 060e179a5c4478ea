"""Compare what two recipes, two models or two versions leave of a page, or of many pages.

A and B are ways to clean a page: a recipe, a model file (new.json: the recipe default with it), or both
(RECIPE+new.json); :precision or :recall behind them favours that. Or they hold articles: a store, or a file of JSON
lines that a crawl or an export wrote; behind its name @N means version N and @previous the one before the newest.

One page, or one --article, gives a diff, word by word. Several pages (files, patterns, directories, addresses), or all
articles that A and B both have, give a table of what changed most.

examples:
  cleancrawl compare default core-content page.html
  cleancrawl compare default new-model.json https://news.example/story -o diff.html
  cleancrawl compare default default:precision pages/ -o changes.html
  cleancrawl compare monday.jsonl sqlite:///cleancrawl.db --article https://news.example/story
  cleancrawl compare sqlite:///cleancrawl.db@previous sqlite:///cleancrawl.db -o changes.html
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from cleancrawl.cleaner import clean
from cleancrawl.commands.article_versions import Versions, holds_articles, open_versions
from cleancrawl.commands.diff_lines import diff_text, table_text
from cleancrawl.commands.many_pages import Task, expand, outcomes, read_jobs
from cleancrawl.commands.page_argument import Cleaning, read_page
from cleancrawl.commands.printing import show
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.commands.terminal import Terminal
from cleancrawl.core.recipe import Favour
from cleancrawl.core.text.control_characters import escaped
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.report.diff_report import MOST_SHOWN, Compared, diff_report, set_report
from cleancrawl.report.text_diff import Diff, diff

_RECIPE_AND_MODEL = re.compile(r"([\w.-]+)\+(.+)")
PAGE_FILES = (".html", ".htm", ".html.gz", ".htm.gz")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("a", metavar="A", help="a recipe or model; or a store or file of articles")
    parser.add_argument("b", metavar="B", help="what it is compared with")
    parser.add_argument("pages", metavar="PAGE", nargs="*", help="files, patterns, directories, addresses, or -")
    parser.add_argument("--article", metavar="URL", help="one article that both have")
    parser.add_argument("--url", help="the page's address, where it is read from a file or standard input")
    parser.add_argument("--comments", action="store_true", help="keep the readers' comments in the texts")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write it as HTML")
    parser.add_argument("--json", action="store_true", help="a line of counts for every page that differs")
    parser.add_argument("--most", type=int, default=20, metavar="N", help="pages to list (default: %(default)s)")
    parser.add_argument(
        "--jobs",
        type=read_jobs,
        default=1,
        metavar="N",
        help="processes, 0 for all cores (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    names = (args.a, args.b)
    if args.most < 1:
        raise ConfigError("--most must be at least 1")
    if args.json and args.output:
        raise ConfigError("--json goes without -o")
    kinds = {holds_articles(name) for name in names}
    if len(kinds) > 1:
        raise ConfigError("A and B must be two ways to clean, or two places that hold articles")
    return _articles(args, names) if kinds == {True} else _pages(args, names)


def _articles(args: Namespace, names: tuple[str, str]) -> int:
    if args.pages:
        raise ConfigError("articles are compared as they are: name none of their pages, or one with --article")
    with open_versions(names[0]) as before, open_versions(names[1]) as after:
        if args.article is not None:
            return _show_one(args, _one_article(before, after, args.article, names), names)
        found = _Set()
        with Progress("articles", 0, sys.stderr, visible=not sys.stdout.isatty()) as bar:
            for compared in _both(before, after):
                found.add(compared)
                bar.advance()
    if not found.total:
        raise CleanCrawlError(f"{names[0]} and {names[1]} have no article in common")
    return _show_set(args, found, names)


def _one_article(before: Versions, after: Versions, url: str, names: tuple[str, str]) -> Compared:
    records = []
    for place, name in zip((before, after), names, strict=True):
        record = place.article(url)
        if record is None:
            numbers = ", ".join(map(str, place.numbers(url)))
            there = f": it has version {numbers} of it" if numbers else ""
            raise CleanCrawlError(f"no such article at {url} in {name}{there}")
        records.append(record)
    return Compared(url, records[1].get("title") or "", diff(*(str(record.get("text") or "") for record in records)))


def _both(before: Versions, after: Versions) -> Iterator[Compared]:
    for url in after.urls():
        old = before.article(url)
        new = after.article(url) if old is not None else None
        if old is not None and new is not None:
            texts = (str(record.get("text") or "") for record in (old, new))
            yield Compared(url, new.get("title") or "", diff(*texts))


def _pages(args: Namespace, names: tuple[str, str]) -> int:
    if args.article is not None:
        raise ConfigError("--article goes with stores and files of articles")
    if not args.pages:
        raise ConfigError("name the pages to compare on")
    pages = list(_expanded(args.pages))
    if len(pages) > 1 and args.url is not None:
        raise ConfigError(f"--url is the address of one page, not of {len(pages):,}")
    if pages.count("-") > 1:
        raise ConfigError("standard input can be read once")
    work = Comparing(_way(names[0], args), _way(names[1], args))
    work.a.check(pages)
    work.b.check(pages)
    if len(pages) == 1 and pages == args.pages:
        body = sys.stdin.buffer.read() if pages == ["-"] else None
        return _show_one(args, work.compared(Task(pages[0], body)), names)
    return _show_set(args, _many(pages, work, args.jobs), names)


def _expanded(arguments: Sequence[str]) -> Iterator[str]:
    """Files of directories, too; raises ``ConfigError`` where one has none."""
    for name in expand(arguments):
        if not Path(name).is_dir():
            yield name
            continue
        found = sorted(str(path) for path in Path(name).rglob("*") if path.name.endswith(PAGE_FILES))
        if not found:
            raise ConfigError(f"no pages in {name}: expected {', '.join(PAGE_FILES)}")
        yield from found


def _way(name: str, args: Namespace) -> Cleaning:
    chosen, _, last = name.rpartition(":")
    favour: Favour | None = next((known for known in get_args(Favour) if chosen and known == last), None)
    recipe, model = _recipe_and_model(chosen if favour else name)
    return Cleaning(recipe, args.url, args.comments, favour, None, model)


def _recipe_and_model(name: str) -> tuple[str, str | None]:
    """
    >>> _recipe_and_model("default"), _recipe_and_model("new.json"), _recipe_and_model("mine.recipe+new.json")
    (('default', None), ('default', 'new.json'), ('mine.recipe', 'new.json'))
    """
    if not name.endswith(".json"):
        return name, None
    both = _RECIPE_AND_MODEL.fullmatch(name)
    return (both[1], both[2]) if both and not Path(name).is_file() else ("default", name)


@dataclass(frozen=True, slots=True)
class Comparing:
    """What both ways make of a page: a task's work, here or in another process."""

    a: Cleaning
    b: Cleaning

    def texts(self, task: Task) -> tuple[str, str, str]:
        html, url = read_page(task.name, task.body)
        first = clean(html, url=self.a.url or url, recipe=self.a.chosen())
        second = clean(html, url=self.b.url or url, recipe=self.b.chosen())
        return first.title, first.text, second.text

    def compared(self, task: Task) -> Compared:
        title, before, after = self.texts(task)
        return Compared(task.name, title, diff(before, after))

    def __call__(self, task: Task) -> str:
        return json.dumps(self.texts(task))


class _Set:
    """What differs in a set of texts; of those that changed least, only the counts stay in memory."""

    def __init__(self) -> None:
        self.total = self.failed = 0
        self.rows: list[Compared] = []

    def add(self, found: Compared) -> None:
        self.total += 1
        if found.diff.changed:
            self.rows.append(found)
            if len(self.rows) % (2 * MOST_SHOWN) == 0:
                self.sort()

    def sort(self) -> None:
        self.rows.sort(key=lambda row: (-row.diff.changed, row.name))
        for place, row in enumerate(self.rows[MOST_SHOWN:], MOST_SHOWN):
            if row.diff.rows:
                known = row.diff
                counts = Diff((), known.before, known.after, known.lost, known.gained)
                self.rows[place] = Compared(row.name, row.title, counts)


def _many(pages: Sequence[str], work: Comparing, jobs: int) -> _Set:
    found = _Set()
    tasks = (Task(name, sys.stdin.buffer.read() if name == "-" else None) for name in pages)
    bar = Progress("pages", len(pages), sys.stderr)
    with bar, closing(outcomes(tasks, work, min(jobs, len(pages)))) as results:
        for outcome in results:
            if outcome.error:
                found.failed += 1
                bar.say(f"cleancrawl compare: {' '.join(outcome.error.split())}")
            else:
                title, before, after = json.loads(outcome.shown)
                found.add(Compared(outcome.name, title, diff(before, after)))
            bar.advance()
    return found


def _show_one(args: Namespace, found: Compared, names: tuple[str, str]) -> int:
    if args.json:
        show(_json(found))
    elif args.output is None:
        show(diff_text(found, names, Terminal.of(sys.stdout)))
    else:
        _write(args.output, diff_report(found, names))
    return 0


def _show_set(args: Namespace, found: _Set, names: tuple[str, str]) -> int:
    found.sort()
    if args.json:
        for row in found.rows:
            show(_json(row))
    else:
        show(table_text(found.rows, found.total, names, args.most, Terminal.of(sys.stdout)))
        if args.output is not None:
            _write(args.output, set_report(found.rows, found.total, names))
    return 1 if found.failed else 0


def _json(found: Compared) -> str:
    known = found.diff
    counts = {"before": known.before, "after": known.after, "lost": known.lost, "gained": known.gained}
    return escaped(json.dumps({"page": found.name, "title": found.title, **counts}, ensure_ascii=False))


def _write(path: Path, report: str) -> None:
    path.write_text(report, encoding="utf-8")
    show(path)

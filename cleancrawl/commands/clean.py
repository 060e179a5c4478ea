"""Clean pages and print what is left of them.

One page is printed as --format says. Several (files, patterns in quotes, addresses) go with --format json: one line
each, with the fields of a crawl's item and the file's name. What cannot be read is a line on stderr, the rest goes on,
and the exit code is 1.

examples:
  cleancrawl clean page.html
  cleancrawl clean https://news.example/story --format markdown
  cleancrawl clean https://news.example/story --favour precision --site-rules corrections.toml
  curl -s https://news.example/story | cleancrawl clean - --url https://news.example/story --why
  cleancrawl clean 'pages/**/*.html' --format json --jobs 0 > articles.jsonl
"""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from cleancrawl.commands.many_pages import Task, expand, outcomes, read_jobs
from cleancrawl.commands.page_argument import Cleaning, add_cleaning_arguments, is_address
from cleancrawl.commands.printing import show
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.commands.terminal import Terminal
from cleancrawl.commands.why_lines import why
from cleancrawl.core.article import Rendering
from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.page import LEFT_OUT
from cleancrawl.core.text.control_characters import escaped
from cleancrawl.errors import ConfigError

FORMATS = ("text", "json", "markdown", "html")
RENDERINGS: tuple[Rendering, ...] = ("markdown", "html")
SNIPPET = 80


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "pages",
        metavar="FILE|URL|-",
        nargs="+",
        help="saved pages or patterns of them, http(s) addresses, or - for standard input",
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: %(default)s)")
    parser.add_argument(
        "--why",
        action="store_true",
        help="list every block with its verdict (text or json); on a terminal with runs of menu blocks folded",
    )
    parser.add_argument("--unfold", action="store_true", help="with --why on a terminal: fold nothing")
    parser.add_argument(
        "--also",
        choices=RENDERINGS,
        action="append",
        default=[],
        help="give the text as Markdown (field markdown) or HTML (field clean_html) as well, in json",
    )
    parser.add_argument(
        "--comments-field", action="store_true", help="give the readers' comments as the field comments, in json"
    )
    parser.add_argument(
        "--jobs",
        type=read_jobs,
        default=1,
        metavar="N",
        help="clean in so many processes at once, 0 for all cores (default: %(default)s)",
    )
    add_cleaning_arguments(parser)


@dataclass(frozen=True, slots=True)
class Printing:
    """How a page is cleaned and what is printed of it: a task's work, here or in another process."""

    cleaning: Cleaning
    format: str
    why: bool
    also: tuple[Rendering, ...] = ()
    comments: bool = False
    terminal: Terminal | None = None
    """Where somebody reads it."""
    unfold: bool = False

    def __call__(self, task: Task) -> str:
        started = time.time()
        document = self.cleaning.clean(task.name, task.body)
        if self.format != "json":
            if self.why and self.terminal is not None:
                return why(document, self.terminal, unfold=self.unfold)
            return render(document, self.format, why=self.why)
        record = document.to_dict(
            fetched=started if is_address(task.name) else None, comments=self.comments, formats=self.also
        )
        shown = {"file": None if is_address(task.name) else task.name, **record}
        if self.why:
            notes = document.page.notes
            shown["blocks"] = [block_json(block, notes.get(block.index)) for block in document.blocks]
        return escaped(json.dumps(shown, ensure_ascii=False))


def run(args: Namespace) -> int:
    names = expand(args.pages)
    _check(args, names)
    cleaning, terminal = Cleaning.of(args, names), Terminal.of(sys.stdout)
    work = Printing(cleaning, args.format, args.why, tuple(args.also), args.comments_field, terminal, args.unfold)
    jobs, failed = min(args.jobs, len(names)), 0
    # A bar between lines of text on one terminal would be neither.
    bar = Progress("pages", len(names), sys.stderr, visible=len(names) > 1 and not sys.stdout.isatty())
    with bar, closing(outcomes(_tasks(names), work, jobs)) as found:
        for outcome in found:
            if outcome.error:
                failed += 1
                bar.say(f"cleancrawl clean: {' '.join(outcome.error.split())}")
            else:
                show(outcome.shown)
            bar.advance()
    if failed and len(names) > 1:
        show(f"cleancrawl clean: {failed:,} of {len(names):,} pages failed", file=sys.stderr)
    return 1 if failed else 0


def _check(args: Namespace, names: Sequence[str]) -> None:
    if args.why and args.format not in ("text", "json"):
        raise ConfigError(f"--why goes with --format text or json, not {args.format}")
    if args.unfold and not args.why:
        raise ConfigError("--unfold goes with --why")
    if args.format != "json" and (args.also or args.comments_field):
        raise ConfigError(f"{'--also' if args.also else '--comments-field'} goes with --format json")
    if len(names) > 1 and args.format != "json":
        raise ConfigError(f"{len(names):,} pages go with --format json, which prints one line each")
    if len(names) > 1 and args.url is not None:
        raise ConfigError(f"--url is the address of one page, not of {len(names):,}")
    if names.count("-") > 1:
        raise ConfigError("standard input can be read once")


def _tasks(names: Sequence[str]) -> Iterator[Task]:
    # Other processes have another standard input.
    return (Task(name, sys.stdin.buffer.read() if name == "-" else None) for name in names)


def render(document: Document, kind: str, *, why: bool) -> str:
    if why:
        notes, left_out = document.page.notes, document.page.left_out
        lines = [verdict_line(block, notes.get(block.index, "")) for block in document.blocks]
        if left_out:
            lines.append(f"- {left_out} more blocks {LEFT_OUT}: only the longest were looked at")
        return "\n".join(lines)
    text: str = getattr(document, kind)
    return text


def block_json(block: Block, note: str | None = None) -> dict[str, Any]:
    removed = block.removed
    verdict = removed and {"stage": removed.stage, "rule": removed.rule, "evidence": removed.evidence}
    score = None if block.score is None else round(block.score, 4)
    shown = {"tag": block.tag, "words": block.words, "score": score, "removed": verdict, "text": block.text}
    return {**shown, "note": note} if note else shown


def verdict_line(block: Block, note: str = "") -> str:
    """
    >>> block = Block("Advertisement", 1, 0, "div")
    >>> block.remove("primary", "ad-domain", "doubleclick.net")
    >>> verdict_line(block)
    '- [div] primary: ad-domain (doubleclick.net) | Advertisement'
    >>> verdict_line(Block("A storm hit the coast.", 5, 0, "p", score=0.98))
    '+ [p] kept (0.98) | A storm hit the coast.'
    >>> verdict_line(Block("A storm hit the coast.", 5, 0, "p", score=0.02), "site-keep (.lead)")
    '+ [p] kept (0.02) site-keep (.lead) | A storm hit the coast.'
    """
    score = "" if block.score is None else f" ({block.score:.2f})"
    verdict = f"- [{block.tag}] {block.removed}" if block.removed else f"+ [{block.tag}] kept{score}"
    text = " ".join(block.text.split())
    noted = f" {note}" if note else ""
    return f"{verdict}{noted} | {text if len(text) <= SNIPPET else text[: SNIPPET - 1] + '…'}"

"""Search the embedded index of a crawl: ranked hits with the passages that match.

example:
  cleancrawl search 'budget "city council" -sport' --index output/index --since 2026-01-01
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from cleancrawl.commands.printing import Styled, show
from cleancrawl.commands.since_option import add_since, since_date
from cleancrawl.core.text.control_characters import shown
from cleancrawl.errors import ConfigError
from cleancrawl.sinks.reader import EmbeddedReader, Filters, Hit

_BOLD, _DIM, _PLAIN = "\033[1m", "\033[2m", "\033[0m"
_WIDEST = 100


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("query", help='words, "phrases", +required, -excluded, title:word, authors:word')
    parser.add_argument("--index", type=Path, default=Path("output/index"), help="directory (default: %(default)s)")
    parser.add_argument("--site", help="only this site, for example example.com")
    add_since(parser)
    parser.add_argument("--language", help="only this language (en)")
    parser.add_argument("--limit", type=int, default=10, help="hits to show (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="one JSON object per hit")


def run(args: Namespace) -> int:
    """0 where something was found, 1 where not, as grep does."""
    if args.limit < 1:
        raise ConfigError("--limit must be at least 1")
    filters = Filters(args.site, since_date(args.since), args.language)
    count, hits = EmbeddedReader(args.index).search(args.query, filters, args.limit)
    if args.json:
        for hit in hits:
            show(json.dumps(_to_json(hit), ensure_ascii=False))
    else:
        width = shutil.get_terminal_size().columns
        show(Styled(render(hits, count, args.query, sys.stdout.isatty(), width)))
    return 0 if hits else 1


def _to_json(hit: Hit) -> dict[str, object]:
    marks = asdict(hit.passage)["marks"]
    return {**hit.article, "score": round(hit.score, 4), "snippet": hit.passage.text, "highlights": marks}


def render(hits: list[Hit], count: int, query: str, colour: bool, width: int) -> str:
    """Hits as a person reads them: number and title, where and when, the passage."""
    bold, dim, plain = (_BOLD, _DIM, _PLAIN) if colour else ("", "", "")
    width = min(width, _WIDEST)
    indent = " " * (len(str(len(hits))) + 2)
    lines = []
    for number, hit in enumerate(hits, 1):
        about = shown(" · ".join(filter(None, _about(hit))))
        lines.append(f"{number:>{len(indent) - 2}}. {bold}{_line(hit.title.text)}{plain}")
        lines.append(f"{indent}{dim}{about}{plain}")
        lines.append(f"{indent}{dim}{_line(hit.article['url'])}{plain}")
        lines += _wrap(hit, width, indent, bold, plain)
        lines.append("")
    found = f"{len(hits)} of {count} articles" if count != 1 else "1 article"
    return "\n".join([*lines, f"{found} for {shown(query)}" if hits else f"nothing found for {shown(query)}"])


def _line(text: str) -> str:
    return shown(" ".join(text.split()))


def _about(hit: Hit) -> list[str | None]:
    copy_of = hit.article.get("duplicate_of")
    day = str(hit.article.get("published") or "")[:10]
    return [hit.article.get("site"), day, hit.article.get("language"), copy_of and f"same story as {copy_of}"]


def _wrap(hit: Hit, width: int, indent: str, bold: str, plain: str) -> list[str]:
    # Marks have no width on screen: wrap the bare text and put them back line by line.
    text, marks = shown(hit.passage.text), list(hit.passage.marks)
    lines, position = [], 0
    for line in textwrap.wrap(text, width - len(indent), break_on_hyphens=False):
        start = text.index(line, position)
        position = start + len(line)
        pieces, end = [], 0
        for left, right in ((a - start, b - start) for a, b in marks if start <= a and b <= position):
            pieces += [line[end:left], bold, line[left:right], plain]
            end = right
        lines.append(indent + "".join(pieces) + line[end:])
    return lines

"""Clean one page and print what is left of it.

examples:
  cleancrawl clean page.html
  cleancrawl clean https://news.example/story --format markdown
  cleancrawl clean https://news.example/story --favour precision --site-rules corrections.toml
  curl -s https://news.example/story | cleancrawl clean - --url https://news.example/story --why
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from typing import Any

from cleancrawl.commands.page_argument import add_page_arguments, clean_page
from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.errors import ConfigError

FORMATS = ("text", "json", "markdown", "html")
SNIPPET = 80


def add_arguments(parser: ArgumentParser) -> None:
    add_page_arguments(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: %(default)s)")
    parser.add_argument("--why", action="store_true", help="list every block with its verdict (text or json)")


def run(args: Namespace) -> int:
    if args.why and args.format not in ("text", "json"):
        raise ConfigError(f"--why goes with --format text or json, not {args.format}")
    print(render(clean_page(args), args.format, why=args.why))
    return 0


def render(document: Document, kind: str, *, why: bool) -> str:
    if kind == "json":
        return json.dumps(as_json(document, why=why), ensure_ascii=False, indent=2)
    if why:
        notes = document.page.notes
        return "\n".join(verdict_line(block, notes.get(block.index, "")) for block in document.blocks)
    text: str = getattr(document, kind)
    return text


def as_json(document: Document, *, why: bool) -> dict[str, Any]:
    page = document.page
    shown: dict[str, Any] = {
        "url": document.url,
        "title": document.title,
        "language": page.language,
        "text": document.text,
        "score": round(document.score, 4),
        "recipe": document.recipe,
        "blocks_total": len(page.blocks),
        "blocks_kept": len(page.kept),
    }
    if why:
        shown["blocks"] = [block_json(block, page.notes.get(block.index)) for block in document.blocks]
    return shown


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

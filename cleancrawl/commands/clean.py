"""Clean one page and print what is left of it.

examples:
  cleancrawl clean page.html
  cleancrawl clean https://news.example/story --format markdown
  curl -s https://news.example/story | cleancrawl clean - --url https://news.example/story --why
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from cleancrawl.cleaner import clean
from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.html.decode import decode
from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.version import __version__

FORMATS = ("text", "json", "markdown", "html")
TIMEOUT_SECONDS = 30
MAX_BYTES = 20_000_000
SNIPPET = 80
HTML_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("page", metavar="FILE|URL|-", help="a saved page, an http(s) address, or - for standard input")
    parser.add_argument("--recipe", default="default", help="name or import path (default: %(default)s)")
    parser.add_argument("--format", choices=FORMATS, default="text", help="what to print (default: %(default)s)")
    parser.add_argument("--why", action="store_true", help="list every block with its verdict (text or json)")
    parser.add_argument("--url", help="the page's address, where it is read from a file or standard input")
    parser.add_argument("--comments", action="store_true", help="keep the readers' comments")


def run(args: Namespace) -> int:
    if args.why and args.format not in ("text", "json"):
        raise ConfigError(f"--why goes with --format text or json, not {args.format}")
    html, url = read_page(args.page)
    document = clean(html, url=args.url or url, recipe=args.recipe, comments=args.comments)
    print(render(document, args.format, why=args.why))
    return 0


def read_page(source: str) -> tuple[str | bytes, str | None]:
    """The page and, where it is known, its address."""
    if source == "-":
        return sys.stdin.buffer.read(), None
    if source.partition("://")[0].lower() in ("http", "https"):
        return fetch(source)
    return Path(source).read_bytes(), None


def fetch(url: str) -> tuple[str, str]:
    """Download one page; raises ``CleanCrawlError`` with one line on whatever goes wrong."""
    try:
        request = Request(url, headers={"User-Agent": f"cleancrawl/{__version__}", "Accept": "text/html,*/*;q=0.5"})
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            kind = response.headers.get_content_type()
            if kind not in HTML_TYPES:
                raise CleanCrawlError(f"{url}: {kind} is not a web page")
            body = response.read(MAX_BYTES + 1)
            content_type, final = response.headers.get("Content-Type"), response.url
    except HTTPError as error:
        error.close()
        raise CleanCrawlError(f"{url}: HTTP {error.code} {error.reason}") from None
    except URLError as error:
        raise CleanCrawlError(f"{url}: {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        raise CleanCrawlError(f"{url}: {error or type(error).__name__}") from None
    if len(body) > MAX_BYTES:
        raise CleanCrawlError(f"{url}: larger than {MAX_BYTES:,} bytes")
    return decode(body, content_type)[0], final


def render(document: Document, kind: str, *, why: bool) -> str:
    if kind == "json":
        return json.dumps(as_json(document, why=why), ensure_ascii=False, indent=2)
    if why:
        return "\n".join(verdict_line(block) for block in document.blocks)
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
        shown["blocks"] = [block_json(block) for block in document.blocks]
    return shown


def block_json(block: Block) -> dict[str, Any]:
    removed = block.removed
    verdict = removed and {"stage": removed.stage, "rule": removed.rule, "evidence": removed.evidence}
    score = None if block.score is None else round(block.score, 4)
    return {"tag": block.tag, "words": block.words, "score": score, "removed": verdict, "text": block.text}


def verdict_line(block: Block) -> str:
    """
    >>> block = Block("Advertisement", 1, 0, "div")
    >>> block.remove("primary", "ad-domain", "doubleclick.net")
    >>> verdict_line(block)
    '- [div] primary: ad-domain (doubleclick.net) | Advertisement'
    >>> verdict_line(Block("A storm hit the coast.", 5, 0, "p", score=0.98))
    '+ [p] kept (0.98) | A storm hit the coast.'
    """
    score = "" if block.score is None else f" ({block.score:.2f})"
    verdict = f"- [{block.tag}] {block.removed}" if block.removed else f"+ [{block.tag}] kept{score}"
    text = " ".join(block.text.split())
    return f"{verdict} | {text if len(text) <= SNIPPET else text[: SNIPPET - 1] + '…'}"

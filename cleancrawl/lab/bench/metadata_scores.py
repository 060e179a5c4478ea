"""How often title, authors and date are exactly right, beside trafilatura on the same pages in the same run.

python -m cleancrawl.lab.bench.metadata_scores --data DATA [--set wcxb-dev,news-read]
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from time import process_time

from cleancrawl.cleaner import clean
from cleancrawl.core.text.language import load_detector
from cleancrawl.errors import CleanCrawlError, MissingExtra
from cleancrawl.lab.bench.datasets import GoldPage, load_sets

Fields = dict[str, str]
_QUOTES = str.maketrans("’‘“”", "''\"\"")
_NAMES = re.compile(r"[;,&/|\n]|\s(?:and|und|et|y)\s")


def normalised(field: str, value: str | list[str]) -> object:
    """What is compared: titles without case and spacing, authors as a set of names, dates by day.

    >>> sorted(normalised("author", "B C and A")), normalised("date", "2024-05-03T10:00")
    (['a', 'b c'], '2024-05-03')
    """
    value = value if isinstance(value, str) else "; ".join(value)
    folded = " ".join(unicodedata.normalize("NFKC", value).translate(_QUOTES).casefold().split())
    if field == "author":
        return frozenset(name for part in _NAMES.split(folded) if (name := part.strip()))
    return folded[:10] if field == "date" else folded


def ours(html: str, url: str | None) -> tuple[Fields, float, float]:
    """Our fields, and the seconds of cleaning and of metadata."""
    started = process_time()
    document = clean(html, url)
    _ = document.text
    cleaned = process_time()
    found = document.metadata
    finished = process_time()
    fields = {"title": found.title, "author": "; ".join(found.authors), "date": found.published or ""}
    return fields, cleaned - started, finished - cleaned


def trafilatura_fields() -> Callable[[str, str | None], Fields]:
    try:
        from trafilatura.metadata import extract_metadata
    except ImportError:
        raise MissingExtra("trafilatura", "bench") from None

    def fields(html: str, url: str | None) -> Fields:
        found = extract_metadata(html, default_url=url)
        return {"title": found.title or "", "author": found.author or "", "date": found.date or ""}

    return fields


def gold_fields(page: GoldPage) -> Fields:
    return {"title": page.title or "", "author": page.author or "", "date": page.publish_date or ""}


def compare(pages: list[GoldPage]) -> tuple[Counter[tuple[str, str]], float]:
    """Counts by (field, labelled | cleancrawl | trafilatura), and metadata's share of the cleaning time."""
    peer = trafilatura_fields()
    counts: Counter[tuple[str, str]] = Counter()
    cleaning = metadata = 0.0
    for page in pages:
        html = page.html()
        found, clean_seconds, metadata_seconds = ours(html, page.url)
        cleaning += clean_seconds
        metadata += metadata_seconds
        theirs = peer(html, page.url)
        for field, value in gold_fields(page).items():
            gold = normalised(field, value)
            if not gold:
                continue
            counts[field, "labelled"] += 1
            counts[field, "cleancrawl"] += normalised(field, found[field]) == gold
            counts[field, "trafilatura"] += normalised(field, theirs[field]) == gold
    return counts, metadata / cleaning if cleaning else 0.0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m cleancrawl.lab.bench.metadata_scores", description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--set", default="", help="comma list of sets; all by default")
    parser.add_argument("--limit", type=int, default=None)
    options = parser.parse_args(arguments)
    try:
        sets = load_sets(options.data, [name for name in options.set.split(",") if name], options.limit)
        load_detector()
        for found in sets:
            pages = [page for page in found.pages if page.page_type in (None, "article")]
            counts, share = compare(pages)
            print(f"{found.name}: {len(pages)} pages; metadata takes {share:.0%} of the cleaning time")
            for field in ("title", "author", "date"):
                total = counts[field, "labelled"]
                if total:
                    mine, theirs = counts[field, "cleancrawl"] / total, counts[field, "trafilatura"] / total
                    print(f"  {field:7} {total:5} labelled   cleancrawl {mine:.3f}   trafilatura {theirs:.3f}")
    except CleanCrawlError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Does it help to know a site? Labelled pages of a few sites, crawled through the real pipelines, with and without."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

from cleancrawl.core.fingerprints.url_sections import section_of
from cleancrawl.lab.bench.crawl_cost import crawl, serve
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import shingle_score, shingle_shares, tokens, word_score
from cleancrawl.lab.bench.optional_lines import without_optional
from cleancrawl.lab.bench.text_tables import markdown_table

FIRST = 5
NO_COLD_START: dict[str, object] = {"CLEANCRAWL_WARMUP_PAGES": 0}


class Way(NamedTuple):
    """How the pages are crawled."""

    settings: Mapping[str, object]
    apart: bool = False
    """Every page at an address of its own, so that none is known to belong to a site."""
    backwards: bool = False


WAYS = {
    "without site knowledge": Way(NO_COLD_START, apart=True),
    "with it, nothing held": Way(NO_COLD_START),
    "with it, first pages held": Way({}),
    "with it, first pages fetched last": Way(NO_COLD_START, backwards=True),
}
SETTINGS: dict[str, object] = {"CONCURRENT_REQUESTS": 1, "CLEANCRAWL_MIN_WORDS": 0, "CLEANCRAWL_ONLY_ARTICLES": False}
"""One after another, so that the first pages of a site are the same each time."""

F1 = tuple[float, float]


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """Word and shingle F1 of all pages, of the first five of each site, and of the rest; pages won and lost by it."""
    # Some sets mark a page without content by a comment in its place.
    gold = [page for page in pages if tokens(page.text or "") and not (page.text or "").startswith("<!--")]
    rows = []
    before: dict[str, F1] = {}
    ways: dict[str, dict[str, F1]] = {}
    with TemporaryDirectory() as directory:
        for number, (name, way) in enumerate(WAYS.items()):
            place = Path(directory, str(number))
            with served(gold, apart=way.apart) as urls:
                crawl("clean", [*urls][:: -1 if way.backwards else 1], recipe, place, {**SETTINGS, **way.settings})
            texts = read_texts(place / "items.jsonl")
            scores = {url: score(texts.get(url, ""), page) for url, page in urls.items()}
            first = first_of_sites(urls)
            parts = ([*urls], first, [url for url in urls if url not in first])
            by_page = {page.key: scores[url] for url, page in urls.items()}
            before = before or by_page
            ways[name] = by_page
            rows.append([name, *(mean([scores[url] for url in part]) for part in parts), won_and_lost(before, by_page)])
    sites = len({page.domain for page in gold})
    head = [
        f"{len(gold)} pages of {sites} sites",
        "all",
        f"first {FIRST} of a site",
        "the others",
        "pages better, worse",
    ]
    table = markdown_table(head, rows) + "\nword F1 / 4-gram shingle F1"
    return f"{table}\n\n{by_site(gold, ways)}" if sites > 1 else table


def by_site(pages: Sequence[GoldPage], ways: Mapping[str, Mapping[str, F1]]) -> str:
    """The same, site by site."""
    sites: dict[str, list[str]] = {}
    for page in sorted(pages, key=lambda page: page.domain):
        sites.setdefault(page.domain, []).append(page.key)
    rows = [
        [site, str(len(keys)), *(mean([scores[key] for key in keys]) for scores in ways.values())]
        for site, keys in sites.items()
    ]
    return markdown_table(["site", "pages", *ways], rows)


@contextmanager
def served(pages: Sequence[GoldPage], *, apart: bool) -> Iterator[dict[str, GoldPage]]:
    """Each site, or each page, at an address of its own, in its sections; gives the pages by URL, site after site."""
    hosts: dict[str, list[GoldPage]] = {}
    for page in sorted(pages, key=lambda page: page.domain):
        hosts.setdefault(page.key if apart else page.domain, []).append(page)
    with ExitStack() as stack:
        urls = {}
        for host in hosts.values():
            by_path = {f"/{quote(section_of(page.url)) or 'news'}/{page.id}": page for page in host}
            address = stack.enter_context(serve({path: page.read() for path, page in by_path.items()}))
            urls.update({address + path: page for path, page in by_path.items()})
        yield urls


def first_of_sites(urls: Mapping[str, GoldPage]) -> set[str]:
    by_site: dict[str, list[str]] = {}
    for url, page in urls.items():
        by_site.setdefault(page.domain, []).append(url)
    return {url for site in by_site.values() for url in site[:FIRST]}


def read_texts(path: Path) -> dict[str, str]:
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {item["url"]: item["text"] for item in map(json.loads, lines)}


def score(text: str, page: GoldPage) -> F1:
    gold = page.text or ""
    got, wanted = tokens(without_optional(text, gold, page.optional)), tokens(gold)
    return word_score(got, wanted).f1, shingle_score(shingle_shares(got, wanted)).f1


def won_and_lost(before: Mapping[str, F1], after: Mapping[str, F1]) -> str:
    """How many pages have a higher word F1 than before, and how many a lower one.

    >>> won_and_lost({"a": (0.5, 0.5), "b": (0.5, 0.5)}, {"a": (0.6, 0.6), "b": (0.5, 0.5)})
    '1, 0'
    """
    changes = [after[key][0] - before[key][0] for key in after]
    return f"{sum(change > 0 for change in changes)}, {sum(change < 0 for change in changes)}"


def mean(scores: Sequence[F1]) -> str:
    """
    >>> mean([(1.0, 0.5), (0.5, 0.5)]), mean([])
    ('.7500 / .5000', '')
    """
    if not scores:
        return ""
    return " / ".join(f"{fmean(column):.4f}".lstrip("0") for column in zip(*scores, strict=True))

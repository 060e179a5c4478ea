"""What cleaning saves: bytes of pages as they came, of all text, of kept text, and of an index, site by site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cleancrawl.cleaner import clean
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.search_gain import index_of, raw_text
from cleancrawl.lab.bench.text_tables import markdown_table
from cleancrawl.recipes import get_recipe

RECIPES = ("core-content", "line-block")
"""Those of the papers that speak of storage."""
PAGES_OF_SITE = 5
"""Sites with fewer pages are one row."""
OTHERS = "other sites"
PAPER = "The line-block paper reports 70 % of the space saved, on five news sites."

Texts = dict[str, str]


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """A row for each site: bytes, and what is saved of them by the papers' recipes and by ``recipe``."""
    names = tuple(dict.fromkeys([*RECIPES, recipe]))
    chosen = {name: get_recipe(name) for name in names}
    html = {page.key: len(page.read()) for page in pages}
    raw = {page.key: raw_text(page) for page in pages}
    kept = {name: {page.key: clean(page.html(), page.url, one).text for page in pages} for name, one in chosen.items()}
    sites = by_site(pages)
    rows = [row(site, [page.key for page in found], html, raw, kept, recipe) for site, found in sites.items()]
    if len(sites) > 1:
        rows.append(row("all", [page.key for page in pages], html, raw, kept, recipe))
    header = ["site", "pages", "HTML, KB/page", "text, KB/page"]
    header += [f"{name}: saved of HTML, of text" for name in names]
    header += ["index of text, KB/page", f"index, {recipe}: saved"]
    return f"{markdown_table(header, rows)}\n\n{PAPER}"


def row(
    site: str, keys: Sequence[str], html: Mapping[str, int], raw: Texts, kept: Mapping[str, Texts], recipe: str
) -> list[str]:
    page, text = sum(html[key] for key in keys), size_of(raw, keys)
    cells = [site, str(len(keys)), _per_page(page, keys), _per_page(text, keys)]
    cells += [f"{saved(size_of(texts, keys), page)}, {saved(size_of(texts, keys), text)}" for texts in kept.values()]
    before, after = index_size(raw, keys), index_size(kept[recipe], keys)
    return [*cells, _per_page(before, keys), saved(after, before)]


def by_site(pages: Sequence[GoldPage]) -> dict[str, list[GoldPage]]:
    """Sites with enough pages, and all others together."""
    found: dict[str, list[GoldPage]] = {}
    for page in pages:
        found.setdefault(page.domain, []).append(page)
    large = {site: listed for site, listed in sorted(found.items()) if len(listed) >= PAGES_OF_SITE}
    others = [page for page in pages if page.domain not in large]
    return large | ({OTHERS: others} if others else {})


def size_of(texts: Texts, keys: Sequence[str]) -> int:
    return sum(len(texts[key].encode()) for key in keys)


def index_size(texts: Texts, keys: Sequence[str]) -> int:
    with index_of({key: texts[key] for key in keys}, {}) as (_, _, size):
        return size


def saved(after: int, before: int) -> str:
    """
    >>> saved(30, 100), saved(0, 0)
    ('70 %', '–')
    """
    return f"{100 * (1 - after / before):.0f} %" if before else "–"


def _per_page(size: int, keys: Sequence[str]) -> str:
    return f"{size / 1000 / max(len(keys), 1):.1f}"

"""Templates of real pages: of several sites at once, and of several kinds of pages of one site (METHODS C)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from cleancrawl.core.page import Page
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import overlap_score
from cleancrawl.lab.bench.rule_precision import gold_share
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.methods.site_template.path_blocks import PathBlocks, PathLayout
from cleancrawl.methods.site_template.site_templates import METHODS, Method, SiteTemplates, find_templates
from cleancrawl.methods.site_template.template_paths import TemplatePaths

TOLERANCES = (0.0, 0.1)
PAGES_OF_SITE = 5
"""Sites with fewer pages are left out."""
MOST_PAGES = 400
"""The time of ``mdl`` grows with the square of the pages."""
PAPER = "Of the paper we have no figures of accuracy to compare with, only time and memory of ten pages (METHODS C5)."

Label = Callable[[GoldPage], str]


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The pages of all sites clustered at once, and those of each site by themselves, with what templates remove."""
    sites: dict[str, list[GoldPage]] = {}
    for page in pages:
        sites.setdefault(page.domain, []).append(page)
    sites = {site: found for site, found in sorted(sites.items()) if len(found) >= PAGES_OF_SITE}
    if not sites:
        raise ConfigError(f"--templates needs a site with {PAGES_OF_SITE} labelled pages")
    listed = [page for found in sites.values() for page in found][:MOST_PAGES]
    cut = {page.key: _cut(page) for page in listed}
    tables = [f"### {len(listed)} pages of {len(sites)} sites at once\n\n" + together(listed, cut, _site)]
    if kinds := {site: found for site, found in sites.items() if len({_kind(page) for page in found}) > 1}:
        mixed = [page for found in kinds.values() for page in found if page.key in cut]
        title = f"### Kinds of pages: {len(mixed)} pages of {len(kinds)} sites, each site by itself"
        tables.append(f"{title}\n\n{apart(kinds, cut, _kind)}")
    tables.append(f"### What the templates of a site remove, each site by itself\n\n{removed(sites, cut)}")
    return "\n\n".join([*tables, PAPER])


def _site(page: GoldPage) -> str:
    return page.domain


def _kind(page: GoldPage) -> str:
    return page.page_type or ""


def _cut(gold: GoldPage) -> Page:
    page = Page(gold.html(), gold.url)
    PathBlocks()(page)
    return page


def templates_of(pages: Sequence[Page], method: Method, tolerance: float) -> SiteTemplates:
    return find_templates([page.layout_of(PathLayout).paths for page in pages], method, tolerance)


def together(pages: Sequence[GoldPage], cut: Mapping[str, Page], label: Label) -> str:
    """Pairs of pages in one cluster against pairs of one label."""
    labels = [label(page) for page in pages]
    rows = []
    for method, tolerance in _ways():
        found = templates_of([cut[page.key] for page in pages], method, tolerance)
        both, clustered, wanted = pairs([template.pages for template in found.templates], labels)
        score = overlap_score(both, clustered, wanted)
        rows.append([_name(method, tolerance), str(len(found.templates)), str(len(set(labels))), *map(share, score)])
    return markdown_table(["method", "clusters", "labels", "pairs P", "R", "F1"], rows)


def apart(sites: Mapping[str, Sequence[GoldPage]], cut: Mapping[str, Page], label: Label) -> str:
    """The same within each site, counted over all of them."""
    rows = []
    for method, tolerance in _ways():
        counts, clusters, kinds = Counter[str](), 0, 0
        for pages in sites.values():
            known = [page for page in pages if page.key in cut]
            found = templates_of([cut[page.key] for page in known], method, tolerance)
            labels = [label(page) for page in known]
            names = ("both", "clustered", "wanted")
            counts.update(dict(zip(names, pairs([one.pages for one in found.templates], labels), strict=True)))
            clusters, kinds = clusters + len(found.templates), kinds + len(set(labels))
        score = overlap_score(counts["both"], counts["clustered"], counts["wanted"])
        rows.append([_name(method, tolerance), str(clusters), str(kinds), *map(share, score)])
    return markdown_table(["method", "clusters", "kinds", "pairs P", "R", "F1"], rows)


def pairs(clusters: Iterable[Sequence[int]], labels: Sequence[str]) -> tuple[int, int, int]:
    """Pairs of pages of one cluster and label, of one cluster, and of one label.

    >>> pairs([(0, 1), (2,)], ["a", "a", "a"])
    (1, 1, 3)
    """
    inside = [pair for cluster in clusters for pair in combinations(cluster, 2)]
    both = sum(labels[first] == labels[second] for first, second in inside)
    return both, len(inside), sum(count * (count - 1) // 2 for count in Counter(labels).values())


def removed(sites: Mapping[str, Sequence[GoldPage]], cut: Mapping[str, Page]) -> str:
    """Words that the templates remove, how much of the noise that is, and how much of them is no gold text."""
    rows = []
    for method, tolerance in _ways():
        words = gold_words = noise = 0.0
        for pages in sites.values():
            known = [page for page in pages if page.text and page.key in cut]
            found = templates_of([cut[page.key] for page in known], method, tolerance)
            for labelled in known:
                page = cut[labelled.key]
                page.start_over()
                page.layout_of(PathLayout).templates = found
                TemplatePaths()(page)
                for block, gold in zip(page.blocks, gold_share(labelled.text or "", page.blocks), strict=True):
                    noise += block.words * (1 - gold)
                    if block.removed is not None:
                        words += block.words
                        gold_words += block.words * gold
        precision = 1 - gold_words / words if words else None
        recall = (words - gold_words) / noise if noise else None
        rows.append([_name(method, tolerance), f"{words:,.0f}", share(precision), share(recall)])
    return markdown_table(["method", "words removed", "share of them that is noise", "share of the noise"], rows)


def _ways() -> list[tuple[Method, float]]:
    return [(method, tolerance) for method in METHODS for tolerance in TOLERANCES]


def _name(method: str, tolerance: float) -> str:
    return f"{method}, tolerance {tolerance:g}" if tolerance else method

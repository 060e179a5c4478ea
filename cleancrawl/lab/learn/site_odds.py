"""How much less likely a block is content when another page of its site has it too: ``LearnedScore.seen_odds``.

python -m cleancrawl.lab.learn.site_odds --data DATA --set wcxb-dev

A logistic regression of the gold labels on the model's own log-odds and on whether the block was seen, over the sites
of which the set has several pages. The model may have been trained on these pages: then its log-odds say too much, and
the odds that are printed are too mild rather than too harsh.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.recipe import Recipe
from cleancrawl.errors import CleanCrawlError
from cleancrawl.lab.bench.datasets import GoldPage, load_sets
from cleancrawl.lab.learn.labels import align
from cleancrawl.methods.learned.learned_score import seen_elsewhere
from cleancrawl.page_input import load_page
from cleancrawl.recipes import get_recipe
from cleancrawl.stores.look_up import look_up, page_record
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Visit

MIN_PAGES = 3
_SAMPLES = 40
_STEPS = 30
_SURE = 0.001

Floats = NDArray[np.float64]


class Sightings(NamedTuple):
    """The blocks of one site."""

    log_odds: Floats
    seen: Floats
    content: Floats
    words: Floats


def sightings(pages: Sequence[GoldPage], recipe: Recipe) -> Sightings:
    """All blocks of a site's pages, each looked up among the blocks of all its other pages."""
    rows: list[tuple[float, bool, float, int]] = []
    site = pages[0].domain
    done = []
    with_store = open_store("memory:")
    for gold in pages:
        page = load_page(gold.html(), gold.url)
        recipe.run_phase("segment", page)
        recipe.run_phase("score", page)
        prints = look_up(with_store, recipe, page, site, gold.key)
        with_store.record(page_record(page, Visit(site, gold.key, 0.0), prints))
        done.append((gold, page, prints))
    for gold, page, prints in done:
        page.known = with_store.seen(site, gold.key, prints)
        labels = align(page.blocks, gold.text or "") >= 0.5
        for block, seen, label in zip(page.blocks, seen_elsewhere(page), labels.tolist(), strict=True):
            rows.append((block.score or 0.0, seen, label, block.words))
    score, seen_column, content, words = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    score = np.clip(score, _SURE, 1 - _SURE)
    return Sightings(np.log(score / (1 - score)), seen_column, content, words)


def fit(sites: Sequence[Sightings]) -> float:
    """The odds of a block that was seen, against one that was not and has the same score; blocks weigh by words."""
    log_odds, seen, content, words = (np.concatenate(columns) for columns in zip(*sites, strict=True))
    table = np.column_stack([np.ones(len(seen)), log_odds, seen])
    weights = np.zeros(3)
    for _ in range(_STEPS):
        # Newton's method; the ridge keeps it steady where nothing was seen.
        guess = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        curve = table.T @ (table * (words * guess * (1 - guess))[:, None]) + 1e-6 * np.eye(3)
        weights += np.linalg.solve(curve, table.T @ (words * (content - guess)))
    return float(np.exp(weights[2]))


def interval(sites: Sequence[Sightings], seed: int = 0) -> tuple[float, float]:
    """A 90 % bootstrap interval over sites."""
    generator = np.random.default_rng(seed)
    drawn = [fit([sites[i] for i in generator.integers(len(sites), size=len(sites))]) for _ in range(_SAMPLES)]
    low, high = np.percentile(drawn, [5, 95]).tolist()
    return low, high


def by_site(pages: Sequence[GoldPage], least: int = MIN_PAGES) -> Iterator[list[GoldPage]]:
    sites: defaultdict[str, list[GoldPage]] = defaultdict(list)
    for page in pages:
        if page.text:
            sites[page.domain].append(page)
    return (found for found in sites.values() if len(found) >= least)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m cleancrawl.lab.learn.site_odds", description=__doc__)
    parser.add_argument("--data", required=True, metavar="DIR")
    parser.add_argument("--set", default="wcxb-dev", metavar="NAME")
    args = parser.parse_args(argv)
    try:
        (found,) = load_sets(args.data, (args.set,))
    except CleanCrawlError as error:
        print(error, file=sys.stderr)
        return 1
    recipe = get_recipe("default")
    sites = [sightings(pages, recipe) for pages in by_site(found.pages)]
    if not sites:
        print(f"{args.set}: no site has {MIN_PAGES} labelled pages", file=sys.stderr)
        return 1
    blocks, (low, high) = sum(len(site.seen) for site in sites), interval(sites)
    print(f"{len(sites)} sites, {blocks} blocks: odds {fit(sites):.2f} ({low:.2f} to {high:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())

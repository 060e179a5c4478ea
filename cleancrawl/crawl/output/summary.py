"""The end of a crawl in a few lines: where the articles are, what was dropped and removed, and why there is nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cleancrawl.core.app_shells import NEEDS_BROWSER
from cleancrawl.core.metadata.rights import RESERVATIONS
from cleancrawl.core.text.control_characters import shown

OPENING_LINES = 3
LINE_WIDTH = 100
MOST_RULES = 12


def summary(
    stats: Mapping[str, Any],
    examples: Mapping[str, str],
    places: Sequence[str] = (),
    first: tuple[str, str] | None = None,
    failure: str | None = None,
) -> str:
    """
    >>> print(summary({"cleancrawl/pages": 2, "cleancrawl/articles": 1, "cleancrawl/removed/ad-domain": 3,
    ...     "cleancrawl/dropped/listing": 1}, {}, ["output/corpus.jsonl"], ("Storm", "A storm hit the coast.")))
    corpus          output/corpus.jsonl
    pages crawled   2
    articles kept   1
    dropped         listing 1
    blocks removed  3: ad-domain 3
    first article   Storm
                    A storm hit the coast.
    """
    pages, articles = stats.get("cleancrawl/pages", 0), stats.get("cleancrawl/articles", 0)
    removed = counted(stats, "cleancrawl/removed/")
    rows = [("corpus", place) for place in places]
    if "cleancrawl/index/url" in stats:
        deleted = stats.get("cleancrawl/index/deleted", 0)
        filled = f"{stats.get('cleancrawl/index/articles', 0):,} articles" + (f", {deleted:,} deleted" * bool(deleted))
        rows += [("index", f"{filled} → {stats['cleancrawl/index/url']}")]
    rows += [("report", stats.get("cleancrawl/report", ""))]
    rows += [("pages crawled", f"{pages:,}"), ("articles kept", f"{articles:,}")]
    withdrawn = stats.get("cleancrawl/withdrawn", 0)
    rows += [("withdrawn", f"{withdrawn:,}: their pages are gone" if withdrawn else "")]
    rows += [("not read", unread) for unread in over_budget(stats)]
    rows += [("dropped", _listed(counted(stats, "cleancrawl/dropped/")))]
    rows += [("rendered", rendered) for rendered in by_browser(stats)]
    rows += [("need a browser", shells) for shells in unrendered(stats, examples)]
    rows += [("skipped", _listed(counted(stats, "cleancrawl/skipped/")))]
    rows += [("failed", _listed(counted(stats, "cleancrawl/failed/")))]
    rows += [("blocks removed", f"{sum(removed.values()):,}: {_listed(removed)}" if removed else "")]
    if first is not None:
        rows += [("first article", first[0] or "(no title)")]
        rows += [("", _cut(line)) for line in first[1].splitlines()[:OPENING_LINES]]
    if not articles:
        rows += [("no articles", reason) for reason in why_nothing(stats, examples)]
    if failure is not None:
        rows += [("crawl failed", failure)]
    return "\n".join(f"{name:15} {shown(value)}".rstrip() for name, value in rows if value)


def why_nothing(stats: Mapping[str, Any], examples: Mapping[str, str]) -> list[str]:
    """Every reason for an empty harvest, most frequent first, with its count and one URL.

    >>> why_nothing({"cleancrawl/outcome/robots.txt": 2}, {"robots.txt": "https://a.example/"})
    ['2 × forbidden by robots.txt, e.g. https://a.example/']
    >>> why_nothing({"cleancrawl/discovery/front-pages": 1, "cleancrawl/dropped/front-page": 1}, {})
    ['1 × page was no article: front-page', 'no links to pages were found']
    """
    reasons = []
    for prefix, words in PREFIXES.items():
        for name, count in counted(stats, prefix).items():
            example = f", e.g. {examples[name]}" if name in examples else ""
            reasons.append((count, f"{count} × {WORDS.get(name, words.format(name))}{example}"))
    for name in LEFT_ASIDE:
        count = stats.get(f"cleancrawl/discovery/{name}", 0)
        if count:
            reasons.append((count, f"{count} × link left aside: {name}"))
    found = [text for _, text in sorted(reasons, key=lambda reason: -reason[0])]
    # Only where pages were read that should have had some.
    looked = stats.get(f"cleancrawl/discovery/{FRONT_PAGES}", 0)
    if looked and not counted(stats, "cleancrawl/discovery/found-by-"):
        found.append("no links to pages were found")
    return found or ["nothing was asked for"]


def unrendered(stats: Mapping[str, Any], examples: Mapping[str, str]) -> list[str]:
    """Pages that show nothing without their scripts.

    >>> unrendered({"cleancrawl/dropped/needs-browser": 3}, {"needs-browser": "https://a.example/"})
    ['3 pages, e.g. https://a.example/ (docs: CLEANCRAWL_BROWSER)']
    """
    count = stats.get(f"cleancrawl/dropped/{NEEDS_BROWSER}", 0)
    example = f", e.g. {examples[NEEDS_BROWSER]}" if NEEDS_BROWSER in examples else ""
    return [f"{count:,} pages{example} (docs: CLEANCRAWL_BROWSER)"] if count else []


def by_browser(stats: Mapping[str, Any]) -> list[str]:
    """What the browser has done, and what a page of it costs.

    >>> by_browser({f"cleancrawl/browser/{name}": value for name, value in
    ...     {"rendered": 4, "in-vain": 1, "milliseconds": 6000, "bytes": 2_000_000}.items()})
    ['4 pages by a browser, 1 in vain; 1.5 s and 0.50 MB each']
    """
    found = counted(stats, "cleancrawl/browser/")
    pages = found.get("rendered", 0)
    if not pages and not found.get("failed"):
        return []
    told = "".join(f", {found[name]:,} {words}" for name, words in BROWSER.items() if found.get(name))
    seconds, megabytes = found.get("milliseconds", 0) / 1000, found.get("bytes", 0) / 1e6
    cost = f"; {seconds / pages:.1f} s and {megabytes / pages:.2f} MB each" if pages else ""
    return [f"{pages:,} pages by a browser{told}{cost}"]


def over_budget(stats: Mapping[str, Any]) -> list[str]:
    """What budgets for discovery have ended.

    >>> over_budget({"cleancrawl/discovery/over-documents": 1200})
    ['1,200 sitemaps and feeds: over the budget of documents (CLEANCRAWL_DISCOVERY_DOCUMENTS)']
    """
    found = []
    for name, words in BUDGETS.items():
        count = stats.get(f"cleancrawl/discovery/over-{name}", 0)
        if count:
            setting = f"CLEANCRAWL_DISCOVERY_{name.upper()}"
            found.append(f"{count:,} {words}: over the budget of {name} ({setting})")
    return found


FRONT_PAGES = "front-pages"
"""Front pages that were searched for links, as discovery counts them."""
LEFT_ASIDE = ("outside-dates", "off-site", "off-site-redirect", "over-max-pages", "trap", "broken-url")
PREFIXES = {
    "cleancrawl/outcome/": "{}",
    "cleancrawl/skipped/": "skipped: {}",
    "cleancrawl/dropped/": "page was no article: {}",
    "cleancrawl/revisit/": "{}",
    "cleancrawl/archive/": "archive file {}",
}
BUDGETS = {
    "documents": "sitemaps and feeds",
    "bytes": "sitemaps and feeds, or their ends",
    "entries": "sitemaps and feeds, or their ends",
}
BROWSER = {"in-vain": "in vain", "failed": "failures", "not-asked": "not asked for where it does not help"}
WORDS = {
    "robots.txt": "forbidden by robots.txt",
    "left-out": "left out by the limits of this crawl",
    "left-for-later": "site left for the next crawl because it did not answer",
    "private-address": "refused: a private address (CLEANCRAWL_ALLOW_PRIVATE_HOSTS)",
    "unchanged": "unchanged since the last crawl",
    "part": "part of an article that another page begins",
    "part-missing": "a part was not to be had, and the store has the whole article",
    "feed-missing": "the store has the text that a feed had",
    **{f"reserved-{name}": f"reserved by the page: {name} (CLEANCRAWL_RESPECT)" for name in RESERVATIONS},
    NEEDS_BROWSER: "page shows nothing without its scripts (CLEANCRAWL_BROWSER)",
    "not-due": "not due to be looked at again",
}


def counted(stats: Mapping[str, Any], prefix: str) -> dict[str, int]:
    """The counts under a prefix, largest first."""
    found = {key.removeprefix(prefix): value for key, value in stats.items() if key.startswith(prefix)}
    return dict(sorted(found.items(), key=lambda entry: -entry[1]))


def _cut(line: str) -> str:
    return line if len(line) <= LINE_WIDTH else line[: LINE_WIDTH - 1] + "…"


def _listed(counts: Mapping[str, int]) -> str:
    shown = [f"{name} {count:,}" for name, count in list(counts.items())[:MOST_RULES]]
    rest = sum(list(counts.values())[MOST_RULES:])
    return ", ".join([*shown, f"others {rest:,}"] if rest else shown)

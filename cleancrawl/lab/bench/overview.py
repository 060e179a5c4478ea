"""All sets in one table: what each extractor is worth on them, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cleancrawl.lab.bench.comparison import mean_milliseconds
from cleancrawl.lab.bench.evaluate import summarise
from cleancrawl.lab.bench.runner import Results
from cleancrawl.lab.bench.text_tables import markdown_table, ratio, share

BEST_KNOWN = ("trafilatura", "readability-lxml", "newspaper4k", "resiliparse")
"""The peers of the short table."""


def joined(parts: Sequence[Results]) -> Results:
    """The results of several runs with the same extractors as those of one."""
    whole = Results(kinds=parts[0].kinds, versions=parts[0].versions, outcomes={name: [] for name in parts[0].outcomes})
    for part in parts:
        whole.pages += part.pages
        whole.languages += part.languages
        whole.sizes += part.sizes
        for name, outcomes in part.outcomes.items():
            whole.outcomes[name] += outcomes
    return whole


def overview_table(by_set: Mapping[str, Results], peers: Sequence[str] | None = None) -> str:
    """A row per set with word F1 / shingle F1 of each extractor, then the cost of each over all pages."""
    whole = joined([*by_set.values()])
    names = [
        name
        for name, kind in whole.kinds.items()
        if kind in ("recipe", "texts") or (kind == "peer" and (peers is None or name in peers))
    ]
    rows = []
    for title, results in by_set.items():
        summaries = [summarise(outcome.score for outcome in results.outcomes[name]) for name in names]
        if any(summary.texts for summary in summaries):
            cells = [f"{share(summary.word.f1)} / {share(summary.shingle.f1)}" for summary in summaries]
            rows.append([f"{title}, {summaries[0].texts} pages", *cells])
    milliseconds = {name: mean_milliseconds(whole, name) for name in [*names, "lxml parse"] if name in whole.outcomes}
    parse = milliseconds.get("lxml parse")
    rows.append(["ms per page", *(_digits(milliseconds[name]) for name in names)])
    rows.append(["× lxml's bare parse", *(ratio(_over(milliseconds[name], parse)) for name in names)])
    return markdown_table(["word F1 / shingle F1", *names], rows)


def _over(ours: float | None, theirs: float | None) -> float | None:
    return ours / theirs if ours is not None and theirs else None


def _digits(milliseconds: float | None) -> str:
    """
    >>> _digits(5.268), _digits(None)
    ('5.3', '–')
    """
    return "–" if milliseconds is None else f"{milliseconds:.1f}"

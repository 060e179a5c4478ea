"""Results as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from platform import python_version
from typing import Any

from cleancrawl.core.native import in_use
from cleancrawl.lab.bench.evaluate import PageScore, Summary, summarise
from cleancrawl.lab.bench.runner import Outcome, Results
from cleancrawl.lab.bench.text_tables import markdown_table, ratio, share
from cleancrawl.version import __version__

REFERENCE = "trafilatura"
_LENGTHS = ((200, "< 200"), (500, "200–499"), (1000, "500–999"), (2000, "1000–1999"))
_LONGEST = "≥ 2000"
_COMMON_LANGUAGES = 6


def versions() -> str:
    """What figures of cost depend on, in one line."""
    return f"cleancrawl {__version__} ({in_use()}), lxml {version('lxml')}, Python {python_version()}"


def peer_versions(results: Results) -> str:
    """The peers that took part, with their versions."""
    return ", ".join(f"{name} {results.versions[name]}" for name in results.names("peer")) or "no peers"


def main_table(results: Results) -> str:
    """All measures of all extractors; columns that no extractor has are left out."""
    names = [name for name in results.outcomes if results.kinds[name] != "parse"]
    summaries = {name: summarise(outcome.score for outcome in results.outcomes[name]) for name in names}
    columns: list[tuple[str, Callable[[str], str]]] = [
        *_text_columns(summaries),
        *_snippet_columns(summaries),
        ("ms/page", lambda name: _milliseconds(results, name)),
        ("× lxml parse", lambda name: ratio(_time_ratio(results, name, "lxml parse"))),
        (f"× {REFERENCE}", lambda name: ratio(_time_ratio(results, name, REFERENCE))),
        ("errors", lambda name: str(sum(outcome.error is not None for outcome in results.outcomes[name]))),
    ]
    rows = [[name, *(cell(name) for _, cell in columns)] for name in names]
    parse = results.names("parse")
    rows += [[name, *("–" for _ in columns[:-4]), _milliseconds(results, name), "1.0 ×", "–", "0"] for name in parse]
    return markdown_table(["extractor", *(title for title, _ in columns)], rows)


def _text_columns(summaries: dict[str, Summary]) -> list[tuple[str, Callable[[str], str]]]:
    if not any(summary.texts for summary in summaries.values()):
        return []
    return [
        ("words P", lambda name: share(summaries[name].word.precision)),
        ("R", lambda name: share(summaries[name].word.recall)),
        ("F1", lambda name: f"{share(summaries[name].word.f1)} ± {share(summaries[name].word_spread)}"),
        ("shingles P", lambda name: share(summaries[name].shingle.precision)),
        ("R", lambda name: share(summaries[name].shingle.recall)),
        ("F1", lambda name: f"{share(summaries[name].shingle.f1)} ± {share(summaries[name].shingle_spread)}"),
        ("mean F1", lambda name: share(summaries[name].shingle_mean)),
        ("LCS F1", lambda name: share(summaries[name].lcs.f1)),
        ("wholly right", lambda name: share(summaries[name].right)),
    ]


def _snippet_columns(summaries: dict[str, Summary]) -> list[tuple[str, Callable[[str], str]]]:
    if not any(summary.wanted or summary.unwanted for summary in summaries.values()):
        return []
    return [
        ("must-have found", lambda name: share(summaries[name].found)),
        ("must-not-have avoided", lambda name: share(summaries[name].avoided)),
    ]


def breakdowns(results: Results) -> list[str]:
    """Tables by page type, by length of the gold text and by declared language, as far as the pages differ in them."""
    groupings = {
        "page type": [page.page_type or "–" for page in results.pages],
        "words of gold text": [_length_group(page.text) for page in results.pages],
        "declared language": _language_groups(results.languages),
    }
    order = [label for _, label in _LENGTHS] + [_LONGEST]
    tables = []
    for title, labels in groupings.items():
        names = sorted(set(labels) - {"–"}, key=lambda label: (order.index(label) if label in order else -1, label))
        if len(names) > 1:
            groups = {name: [place for place, label in enumerate(labels) if label == name] for name in names}
            tables.append(f"By {title}: {_measure_name(results)}\n\n{_group_table(results, groups)}")
    return tables


def _group_table(results: Results, groups: dict[str, list[int]]) -> str:
    header = ["extractor", *(f"{name} ({len(places)})" for name, places in groups.items())]
    names = [name for name in results.outcomes if results.kinds[name] != "parse"]
    rows = []
    for name in names:
        outcomes = results.outcomes[name]
        scores = ([outcomes[place].score for place in places] for places in groups.values())
        rows.append([name, *(_headline(summarise(group, spreads=False)) for group in scores)])
    return markdown_table(header, rows)


def _headline(summary: Summary) -> str:
    if summary.texts:
        return share(summary.word.f1)
    return f"{share(summary.found)} / {share(summary.avoided)}"


def _measure_name(results: Results) -> str:
    return "word F1" if any(page.text is not None for page in results.pages) else "snippets found / avoided"


def _length_group(text: str | None) -> str:
    if text is None:
        return "–"
    words = len(text.split())
    return next((label for limit, label in _LENGTHS if words < limit), _LONGEST)


def _language_groups(languages: Sequence[str | None]) -> list[str]:
    """The commonest languages by name, the others as one group."""
    counts = {language: languages.count(language) for language in set(languages) if language}
    common = sorted(counts, key=lambda language: (-counts[language], language))[:_COMMON_LANGUAGES]
    return ["undeclared" if not language else language if language in common else "other" for language in languages]


def worst_table(results: Results, recipe: str, count: int) -> str:
    """The pages where the recipe loses most against the peer that is best on that page."""
    peers = results.names("peer")
    losses = []
    for place, page in enumerate(results.pages):
        ours = page_value(results.outcomes[recipe][place].score)
        values = {name: page_value(results.outcomes[name][place].score) for name in peers}
        best = max(values, key=lambda name: values[name], default=None)
        if best is not None and values[best] > ours:
            losses.append((values[best] - ours, ours, values[best], best, page))
    losses.sort(key=lambda loss: (-loss[0], loss[4].key))
    rows = [
        [page.key, share(ours), share(theirs), best, page.page_type or "–", page.url or "–"]
        for _, ours, theirs, best, page in losses[:count]
    ]
    return markdown_table(["page", recipe, "best peer", "which", "type", "url"], rows)


def page_value(score: PageScore) -> float:
    """One figure per page: word F1, or the share of snippets treated rightly where there is no gold text."""
    if score.word is not None:
        return score.word.f1
    total = score.wanted + score.unwanted
    return (score.found + score.avoided) / total if total else 0.0


def as_json(results: Results) -> dict[str, Any]:
    """Everything that was measured: per extractor the summary, per page the scores."""
    return {
        name: {
            "kind": results.kinds[name],
            "version": results.versions.get(name),
            "milliseconds": mean_milliseconds(results, name),
            "errors": {
                page.key: outcome.error
                for page, outcome in zip(results.pages, outcomes, strict=True)
                if outcome.error is not None
            },
            "summary": asdict(summarise(outcome.score for outcome in outcomes)),
            "pages": {page.key: _page_json(outcome) for page, outcome in zip(results.pages, outcomes, strict=True)},
        }
        for name, outcomes in results.outcomes.items()
    }


def _page_json(outcome: Outcome) -> dict[str, Any]:
    score = outcome.score
    return {
        "word": score.word,
        "shingles": score.shingles,
        "lcs": score.lcs,
        "found": [score.found, score.wanted],
        "avoided": [score.avoided, score.unwanted],
        "seconds": outcome.seconds,
    }


def mean_milliseconds(results: Results, name: str) -> float | None:
    """Mean processor time per page; None for texts that were made elsewhere."""
    seconds = [outcome.seconds for outcome in results.outcomes[name] if outcome.seconds is not None]
    return 1000 * sum(seconds) / len(seconds) if seconds else None


def _milliseconds(results: Results, name: str) -> str:
    value = mean_milliseconds(results, name)
    return "–" if value is None else f"{value:.2f}"


def _time_ratio(results: Results, name: str, base: str) -> float | None:
    ours = mean_milliseconds(results, name)
    theirs = mean_milliseconds(results, base) if base in results.outcomes else None
    return ours / theirs if ours is not None and theirs else None

"""Training of the decision whether a page is an article, and its cross-validation by domain.

python -m cleancrawl.lab.learn.page_kind_training --data DATA/wcxb-dev [--write cleancrawl/data/page_kind.json]
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cleancrawl.cleaner import clean
from cleancrawl.core.page_kind import features
from cleancrawl.errors import CleanCrawlError, MissingExtra
from cleancrawl.lab.bench.datasets import GoldPage, load_sets
from cleancrawl.lab.learn.examples import FOLDS, fold_of

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
STRENGTH = 0.3
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Table:
    names: list[str]
    values: Floats
    labels: Bools
    folds: NDArray[np.int64]


def table(pages: list[GoldPage]) -> Table:
    """The facts of all pages whose kind is labelled; folds by registrable domain, the same on every machine."""
    rows = []
    for page in pages:
        document = clean(page.html(), page.url)
        rows.append(features(document.page, document.metadata))
    names = sorted(rows[0])
    return Table(
        names,
        np.array([[row[name] for name in names] for row in rows]),
        np.array([page.page_type == "article" for page in pages]),
        np.array([fold_of(page.domain) for page in pages]),
    )


def fit(values: Floats, labels: Bools) -> tuple[Floats, float]:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtra("scikit-learn", "train") from None
    model = LogisticRegression(C=STRENGTH, max_iter=5_000).fit(values, labels)
    return model.coef_[0], float(model.intercept_[0])


def mean_of_addresses(data: Table, weights: Floats) -> float:
    """What the facts about addresses add to the outcome, on average."""
    about = [name.startswith("url-") for name in data.names]
    return float((data.values[:, about] @ weights[about]).mean())


def cross_validated(data: Table) -> Floats:
    """For each page the probability by a model that saw no page of its domain."""
    scores = np.zeros(len(data.labels))
    for fold in range(FOLDS):
        held = data.folds == fold
        weights, intercept = fit(data.values[~held], data.labels[~held])
        scores[held] = 1 / (1 + np.exp(-(data.values[held] @ weights + intercept)))
    return scores


def precision_recall(guessed: Bools, labels: Bools) -> tuple[float, float, float]:
    """Precision, recall and F1 of "article".

    >>> precision_recall(np.array([True, True, False]), np.array([True, False, True]))
    (0.5, 0.5, 0.5)
    """
    right = float((guessed & labels).sum())
    precision = right / max(1.0, float(guessed.sum()))
    recall = right / max(1.0, float(labels.sum()))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def report(data: Table, scores: Floats) -> str:
    facts = dict(zip(data.names, data.values.T, strict=True))
    methods: dict[str, Bools] = {
        f"cleancrawl (by domain, {FOLDS} folds)": scores >= THRESHOLD,
        "og:type alone": facts["og-article"] > 0,
        "JSON-LD type alone": facts["type-article"] > 0,
        "URL pattern alone (slug of 4 words, or a date)": (facts["url-date"] > 0)
        | (facts["url-slug-words"] >= np.log1p(3)),
        "every page": np.ones(len(data.labels), dtype=bool),
    }
    lines = [f"{'method':48} precision  recall      F1"]
    for name, guessed in methods.items():
        precision, recall, f1 = precision_recall(guessed, data.labels)
        lines.append(f"{name:48} {precision:9.3f} {recall:7.3f} {f1:7.3f}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m cleancrawl.lab.learn.page_kind_training", description=__doc__)
    parser.add_argument("--data", required=True, help="a set of labelled pages with page types (wcxb-dev)")
    parser.add_argument("--write", metavar="FILE", help="write the model here")
    options = parser.parse_args(arguments)
    try:
        pages = [page for found in load_sets(options.data) for page in found.pages if page.page_type]
        data = table(pages)
        scores = cross_validated(data)
        weights, intercept = fit(data.values, data.labels)
    except CleanCrawlError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{len(pages)} pages, {int(data.labels.sum())} articles, threshold {THRESHOLD}")
    print(report(data, scores))
    if options.write:
        precision, recall, f1 = precision_recall(scores >= THRESHOLD, data.labels)
        model = {
            "about": "Logistic regression over core.page_kind.features; "
            "made by python -m cleancrawl.lab.learn.page_kind_training",
            "data": sorted({page.set for page in pages}),
            "pages": len(pages),
            "cross_validated": {"precision": round(precision, 4), "recall": round(recall, 4), "f1": round(f1, 4)},
            "threshold": THRESHOLD,
            "intercept": round(intercept, 4),
            "unknown_address": round(mean_of_addresses(data, weights), 4),
            "weights": {name: round(float(weight), 4) for name, weight in zip(data.names, weights, strict=True)},
        }
        Path(options.write).write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Train the model of the default recipe on labelled pages, and say what it is worth on sites that it has not seen.

examples:
  cleancrawl train --data DATA -o model.json
  cleancrawl train --data my-pages --texts out-of-fold.json -o model.json
  cleancrawl train --data DATA --set wcxb-dev,news-read --also publishers-dev --texts out-of-fold.json -o model.json
  cleancrawl train --data DATA --set wcxb-dev --tree -o shallow_tree.json     (the tree of shallow-features)

Point CLEANCRAWL_MODEL (or LearnedScore(model=...)) to the file to use it.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.evaluate import Summary


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", required=True, metavar="DIR", help="labelled pages, or a directory of such sets")
    parser.add_argument("--set", default="", metavar="a,b", help="only these sets of the directory")
    parser.add_argument(
        "--also", default="", metavar="a,b", help="sets that are not learned from, but cleaned out of fold as well"
    )
    parser.add_argument(
        "--types", default="", metavar="a,b", help="page types to learn from (default: all; article for --tree)"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most N pages of each set")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same model (default: 1)")
    parser.add_argument("--epochs", type=int, default=10, help="passes over the pages (default: 10)")
    parser.add_argument("--texts", metavar="FILE", help="write the out-of-fold texts, for cleancrawl bench --texts")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the model")
    parser.add_argument("--tree", action="store_true", help="train the decision tree of shallow-features instead")
    parser.add_argument("--min-leaf", type=int, default=3000, metavar="WORDS", help="words in a leaf of it at least")


def run(args: Namespace) -> int:
    return _train_tree(args) if args.tree else _train_model(args)


def _train_tree(args: Namespace) -> int:
    from cleancrawl.lab.learn.tree_training import train_tree

    outcome = train_tree(
        args.data,
        sets=tuple(filter(None, args.set.split(","))),
        types=tuple(filter(None, (args.types or "article").split(","))),
        min_leaf=args.min_leaf,
        limit=args.limit,
        report=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(f"each page by a tree that has not seen its site: {_line(outcome.summary)}")
    _write(args.output, json.dumps(outcome.model, separators=(",", ":")))
    return 0


def _train_model(args: Namespace) -> int:
    from cleancrawl.lab.learn.training import train

    outcome = train(
        args.data,
        sets=tuple(filter(None, args.set.split(","))),
        also=tuple(filter(None, args.also.split(","))),
        types=tuple(filter(None, args.types.split(","))),
        limit=args.limit,
        options={"seed": args.seed, "epochs": args.epochs},
        report=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(f"segmentation ceiling: word F1 {outcome.ceiling:.4f} (blocks chosen by their gold labels)")
    for name, summary in outcome.summaries.items():
        print(f"{name}, each page by a model that has not seen its site: {_line(summary)}")
    print("what each group of features is worth (fall in word F1 on a fold when it is shuffled):")
    for name, fall in outcome.importance.items():
        print(f"  {name:32} {fall:+.4f}")
    _write(args.texts, json.dumps(outcome.texts, ensure_ascii=False, indent=0))
    _write(args.output, outcome.model.to_json())
    return 0


def _line(summary: Summary) -> str:
    figures: dict[str, Any] = asdict(summary)
    parts = [f"{summary.pages} pages"]
    if summary.texts:
        word, shingle = summary.word, summary.shingle
        parts.append(f"word P {word.precision:.4f} R {word.recall:.4f} F1 {word.f1:.4f} ± {summary.word_spread:.4f}")
        parts.append(f"shingle P {shingle.precision:.4f} R {shingle.recall:.4f} F1 {shingle.f1:.4f}")
    if figures["wanted"]:
        parts.append(f"must-have found {summary.found:.4f}, must-not-have avoided {summary.avoided:.4f}")
    return "; ".join(parts)


def _write(path: str | None, text: str) -> None:
    if path:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"cannot write {path}: {error}") from None
        print(f"wrote {path}")

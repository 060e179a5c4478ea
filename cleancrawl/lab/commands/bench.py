"""Compare recipes and other extractors on labelled pages: accuracy and cost.

examples:
  cleancrawl bench --data DATA --set wcxb-dev --types article --plot benchmark.png
  cleancrawl bench --data DATA --recipes default,line-block --peers trafilatura --limit 100 --worst 20
  cleancrawl bench --data DATA --set wcxb-dev,news-read --types article --out-of-fold out-of-fold.json
      --panel "all kinds=wcxb-dev" --panel "news=news-read" --plot benchmark.png --renew README.md
  cleancrawl bench --data DATA --errors --texts before.json --texts after.json
  cleancrawl bench --data DATA --profile
  cleancrawl bench --hostile
  cleancrawl bench --hostile --recipes core-content,line-block --sizes 1,9 --attacks "tiny paragraphs,nested lists"

DATA is a set of labelled pages or a directory of such sets: html/ID.html[.gz] beside truth.jsonl[.gz], WCXB's
ground-truth/ID.json or article-extraction-benchmark's ground-truth.json; or CleanEval's pages and gold files, or
L3S-GN1's original/ and annotated/.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.comparison import as_json, breakdowns, main_table, peer_versions, versions, worst_table
from cleancrawl.lab.bench.datasets import Dataset, load_sets
from cleancrawl.lab.bench.overview import BEST_KNOWN, joined, overview_table
from cleancrawl.lab.bench.peers import PEERS, bare_parse, load_peers, recipe_extractor
from cleancrawl.lab.bench.predictions import read_predictions, refuse_gaps
from cleancrawl.lab.bench.renewed_pages import parts_of, renew
from cleancrawl.lab.bench.runner import Results, progress
from cleancrawl.lab.bench.runner import run as run_extractors

REPORTS = {
    "profile": ("cleancrawl.lab.bench.step_costs", None, "cost of each step of the recipe"),
    "rules": (
        "cleancrawl.lab.bench.rule_precision",
        None,
        "what each rule of the recipe removed, and how much of it is not gold",
    ),
    "memory": ("cleancrawl.lab.bench.memory_use", 20_000, "memory over N pages, the given ones again and again"),
    "crawl": (
        "cleancrawl.lab.bench.crawl_cost",
        300,
        "time a crawl of N pages: parse only, with cleaning, with trafilatura",
    ),
    "duplicates": ("cleancrawl.lab.bench.article_duplicates", None, "find edited copies of the articles among them"),
    "distances": (
        "cleancrawl.lab.learn.near_distances",
        None,
        "in how many bits fingerprints may differ: of edited blocks, blocks of sites, articles",
    ),
    "growth": ("cleancrawl.lab.bench.look_up_growth", 100_000, "time the look-up of an article among N"),
    "tables": (
        "cleancrawl.lab.bench.paper_tables",
        None,
        "the tables of the papers: primary and secondary noise, core content",
    ),
    "blocks": (
        "cleancrawl.lab.learn.block_tables",
        None,
        "the table of the shallow-features paper: classifiers by block and by words, on sites they have not seen",
    ),
    "readings": (
        "cleancrawl.lab.bench.other_readings",
        None,
        "what each ruling on a paper is worth: the recipe beside the field's other value",
    ),
    "sites": (
        "cleancrawl.lab.bench.site_gain",
        None,
        "crawl the pages site by site, without and with what recurs on a site",
    ),
    "storage": (
        "cleancrawl.lab.bench.storage_saved",
        None,
        "bytes of pages, of their text, of what is kept and of an index, site by site",
    ),
    "times": (
        "cleancrawl.lab.bench.recipe_times",
        None,
        "time per page of every recipe and its growth with the page, against lxml's parse",
    ),
    "templates": (
        "cleancrawl.lab.bench.template_sites",
        None,
        "templates of the pages of several sites, and of several kinds of pages of one",
    ),
    "patterns": (
        "cleancrawl.lab.bench.pattern_pages",
        None,
        "how well key patterns part content from the rest, page by page",
    ),
    "search": ("cleancrawl.lab.bench.search_gain", None, "search in raw pages against search in cleaned ones"),
}
"""Other reports, by option: the module with ``report(pages, recipe[, count]) -> str``, its count, the help text."""
SIZES = (1.0, 3.0, 9.0)
"""Megabytes of hostile input: the largest is near what a crawl takes at all."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", help="labelled pages; needed for all but --hostile")
    parser.add_argument("--set", type=_names, default=(), metavar="a,b", help="only these sets of the directory")
    parser.add_argument("--types", type=_names, default=(), metavar="a,b", help="only these page types")
    parser.add_argument("--recipes", type=_names, default=("default",), metavar="a,b", help="recipes (default)")
    parser.add_argument(
        "--peers",
        type=_names,
        default=tuple(PEERS),
        metavar="a,b",
        help=f"other extractors, or none (default: {','.join(PEERS)})",
    )
    parser.add_argument(
        "--texts", action="append", default=[], metavar="FILE", help="JSON of texts made elsewhere, by page"
    )
    parser.add_argument(
        "--out-of-fold", metavar="FILE", help="texts that the first recipe is judged by, also in --search"
    )
    parser.add_argument("--limit", type=_count, metavar="N", help="at most N pages of each set, evenly spread")
    parser.add_argument("--json", metavar="FILE", help="write all figures, page by page")
    parser.add_argument("--plot", metavar="FILE.png", help="draw F1 against pages per second")
    parser.add_argument(
        "--panel",
        type=_panel,
        action="append",
        default=[],
        metavar="TITLE=a,b",
        help="a panel of the plot with these sets (default: one for each set)",
    )
    parser.add_argument("--renew", type=_names, default=(), metavar="a.md,b.md", help="write the figures into pages")
    parser.add_argument("--worst", type=_count, metavar="N", help="list the pages where the first recipe loses most")
    others = parser.add_argument_group("instead of the comparison, for the first recipe")
    others.add_argument("--errors", action="store_true", help="kinds of false and of lost text (also of --texts)")
    others.add_argument(
        "--recall", action="store_true", help="how much of each kind of wanted block is kept (also of --texts)"
    )
    for option, (_, count, text) in REPORTS.items():
        if count is None:
            others.add_argument(f"--{option}", action="store_true", help=text)
        else:
            help_text = f"{text} (default: {count})"
            others.add_argument(f"--{option}", type=_count, nargs="?", const=count, metavar="N", help=help_text)

    hostile = parser.add_argument_group("instead of labelled pages")
    hostile.add_argument(
        "--hostile",
        action="store_true",
        help="time and memory on input made to hurt, each in a process with limits; fails where a bar is missed",
    )
    hostile.add_argument("--attacks", type=_names, default=(), metavar="a,b", help="only these (default: all)")
    hostile.add_argument(
        "--sizes", type=_sizes, default=SIZES, metavar="a,b", help="megabytes of input (default: 1,3,9)"
    )
    hostile.add_argument(
        "--through",
        choices=("page", "crawl"),
        default="page",
        help="what pages go through: clean alone, or a crawl with a store (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    if args.hostile:
        from cleancrawl.lab.bench.hostile.hostile_report import run_hostile

        return run_hostile(args.recipes, args.attacks, args.sizes, args.through)
    if args.data is None:
        raise ConfigError("say where labelled pages are: --data DIR")
    for name in args.renew:
        parts_of(Path(name))
    sets = load_sets(args.data, args.set, args.limit, args.types)
    for found in sets:
        if found.missing:
            print(f"{found.name}: no HTML for {len(found.missing)} labelled pages", file=sys.stderr)
    print(f"{versions()}\n")
    if args.errors or args.recall:
        return _by_kind(args, sets)
    chosen = [option for option in REPORTS if getattr(args, option)]
    if chosen:
        pages = [page for found in sets for page in found.pages]
        for option in chosen:
            module, count, _ = REPORTS[option]
            counts = () if count is None else (getattr(args, option),)
            texts = {"texts": _out_of_fold(args, sets)} if option == "search" and args.out_of_fold else {}
            print(import_module(module).report(pages, args.recipes[0], *counts, **texts))
        return 0
    return _compare(args, sets)


def _by_kind(args: Namespace, sets: list[Dataset]) -> int:
    from cleancrawl.lab.bench.error_changes import changes

    module = "cleancrawl.lab.bench.error_kinds" if args.errors else "cleancrawl.lab.learn.block_recall"
    report = import_module(module).report
    texts_by_name = _texts(args)
    if args.errors and len(texts_by_name) == 2:
        table = changes([page for found in sets for page in found.pages], texts_by_name)
        print(f"{table}\n")
        _renew(args, {"error kinds": table})
        return 0
    for found in sets:
        for name in texts_by_name or args.recipes[:1]:
            texts = texts_by_name.get(name)
            print(f"## {found.name}: {name}, {len(found.pages)} pages\n\n{report(found.pages, name, texts)}\n")
    return 0


def _compare(args: Namespace, sets: list[Dataset]) -> int:
    peers, missing = load_peers([name for name in args.peers if name != "none"])
    for line in missing:
        print(line, file=sys.stderr)
    recipes = [recipe_extractor(name) for name in args.recipes if name != "none"]
    texts = _texts(args)
    if args.out_of_fold and recipes:
        recipes[0] = replace(recipes[0], name=f"{recipes[0].name}, out of fold")
        texts[recipes[0].name] = _out_of_fold(args, sets)
    panels = _panels(args, sets)
    everything: dict[str, Results] = {}
    for found in sets:
        results = run_extractors(progress(found.pages, found.name), [*recipes, *peers, bare_parse()], texts)
        print(f"## {found.name}: {len(found.pages)} pages\n\n{main_table(results)}\n", flush=True)
        print(*(f"{table}\n" for table in breakdowns(results)), sep="\n")
        if args.worst and recipes and peers:
            print(f"Worst pages of {recipes[0].name}\n\n{worst_table(results, recipes[0].name, args.worst)}\n")
        everything[found.name] = results
    figures = {f"set {name}": main_table(results) for name, results in everything.items()}
    figures |= {
        "overview": overview_table(everything),
        "short overview": overview_table(everything, BEST_KNOWN),
        "versions": f"{versions()}; {peer_versions(next(iter(everything.values())))}",
    }
    print(f"{figures['overview']}\n")
    _renew(args, figures)
    if args.plot:
        from cleancrawl.lab.bench.plot import save_plot

        shown = {title: joined([everything[name] for name in names]) for title, names in panels.items()}
        save_plot(shown, Path(args.plot))
    print(*(f"Not installed: {line}" for line in missing), sep="\n", end="\n" if missing else "")
    if args.json:
        Path(args.json).write_text(
            json.dumps({name: as_json(results) for name, results in everything.items()}, indent=1), encoding="utf-8"
        )
    return 0


def _out_of_fold(args: Namespace, sets: list[Dataset]) -> dict[str, str]:
    texts = read_predictions(Path(args.out_of_fold))
    for found in sets:
        refuse_gaps(texts, found.pages, Path(args.out_of_fold))
    return texts


def _texts(args: Namespace) -> dict[str, dict[str, str]]:
    """By the file's name without its suffix; by the whole path where two files are named alike."""
    stems = [Path(name).stem for name in args.texts]
    names = stems if len(set(stems)) == len(stems) else args.texts
    return {name: read_predictions(Path(path)) for name, path in zip(names, args.texts, strict=True)}


def _panels(args: Namespace, sets: list[Dataset]) -> dict[str, tuple[str, ...]]:
    """The sets of each panel; raises ``ConfigError`` for a set that is not measured."""
    known = [found.name for found in sets]
    panels: dict[str, tuple[str, ...]] = dict(args.panel) or {name: (name,) for name in known}
    for name in (name for names in panels.values() for name in names):
        if name not in known:
            raise ConfigError(f"--panel: {name!r} is not measured: there is {', '.join(known)}")
    return panels


def _renew(args: Namespace, figures: dict[str, str]) -> None:
    for name in args.renew:
        parts = renew(Path(name), figures)
        print(f"{name}: renewed {', '.join(parts) or 'nothing'}")


def _panel(value: str) -> tuple[str, tuple[str, ...]]:
    title, _, names = value.partition("=")
    if not title.strip() or not _names(names):
        raise ArgumentTypeError(f"{value!r} is not TITLE=set,set")
    return title.strip(), _names(names)


def _sizes(value: str) -> tuple[float, ...]:
    try:
        found = tuple(float(size) for size in _names(value))
    except ValueError:
        found = ()
    if not found or not all(0 < size <= 100 for size in found):
        raise ArgumentTypeError(f"{value!r} are no sizes in megabytes")
    return found


def _names(value: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in value.split(",") if name.strip())


def _count(value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r} is not a positive number")
    return int(value)

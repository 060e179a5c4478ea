"""The table of attacks that ``cleancrawl bench --hostile`` prints."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.hostile.attack_table import Attack, attacks
from cleancrawl.lab.bench.hostile.trials import OK, Bars, Row, trials
from cleancrawl.lab.bench.hostile.victims import VICTIMS
from cleancrawl.lab.bench.text_tables import markdown_table
from cleancrawl.recipes import get_recipe

_HEADER = ["attack", "MB", "s/MB", "peak MB", "growth", "outcome"]


def run_hostile(recipes: Sequence[str], names: Sequence[str], sizes: Sequence[float], victim: str) -> int:
    """Run the named attacks, or all; print a table per recipe. 1 where a bar is missed, else 0.

    Raises ``ConfigError`` where a name is unknown.
    """
    if victim not in VICTIMS:
        raise ConfigError(f"no such victim: {victim!r}; there is {', '.join(VICTIMS)}")
    chosen, bars, missed = _chosen(names), Bars(), 0
    for recipe in map(get_recipe, recipes):
        rows = []
        for row in trials(chosen, sizes, recipe.name, bars, victim):
            rows.append(row)
            print(f"{recipe.name}: {row.attack}, {row.megabytes:.1f} MB: {_outcome(row, bars)}", file=sys.stderr)
        failed = [row for row in rows if row.missed(bars)]
        missed += len(failed)
        print(f"## {recipe.name}\n\n{table(rows, bars)}\n\n{summary(rows, bars)}\n", flush=True)
    return 1 if missed else 0


def table(rows: Sequence[Row], bars: Bars) -> str:
    """A line for each attack and size."""
    lines = [
        [
            row.attack if row.victim == "page" else f"{row.attack} ({row.victim})",
            f"{row.megabytes:.1f}",
            _number(row.seconds_per_megabyte, 2),
            _number(row.peak, 0),
            _number(row.growth, 2),
            _outcome(row, bars),
        ]
        for row in rows
    ]
    return markdown_table(_HEADER, lines)


def summary(rows: Sequence[Row], bars: Bars) -> str:
    """What the worst of them cost, and how many missed a bar."""
    done = [row for row in rows if row.outcome == OK]
    failed = sum(bool(row.missed(bars)) for row in rows)
    worst = "no attack ended"
    if done:
        slowest = max(done, key=lambda row: row.seconds_per_megabyte)
        largest = max(done, key=lambda row: row.peak)
        worst = (
            f"slowest {slowest.seconds_per_megabyte:.2f} s/MB ({slowest.attack}), "
            f"most memory {largest.peak:.0f} MB ({largest.attack})"
        )
    limits = f"{bars.seconds:g} s/MB, {bars.megabytes:g} MB above idle, growth {bars.growth:g}"
    return f"{len(rows)} attacks: {failed} missed a bar ({limits}); {worst}."


def _chosen(names: Sequence[str]) -> list[Attack]:
    known = attacks()
    for name in names:
        if name not in known:
            raise ConfigError(f"no such attack: {name!r}; there is {', '.join(known)}")
    return [known[name] for name in names or known]


def _outcome(row: Row, bars: Bars) -> str:
    missed = row.missed(bars)
    return ", ".join(missed) if row.outcome != OK else f"missed: {', '.join(missed)}" if missed else OK


def _number(value: float, digits: int) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"

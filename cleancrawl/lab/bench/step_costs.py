"""What each step of a recipe costs."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import PHASES, Recipe
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.peers import Source, bare_parse
from cleancrawl.lab.bench.text_tables import markdown_table, ratio, share
from cleancrawl.page_input import load_page
from cleancrawl.recipes import get_recipe

Result = TypeVar("Result")
PARSE, DECODE, RENDER = "lxml parse", "decode", "render"


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """A table of the steps: milliseconds per page, times the bare parse, share of the whole."""
    chosen = get_recipe(recipe)
    seconds = profile((page.read() for page in pages), chosen)
    parse = seconds.pop(PARSE)
    rows = [_row(name, value, len(pages), parse, sum(seconds.values())) for name, value in seconds.items()]
    whole = _row(f"{chosen.name}, in all", sum(seconds.values()), len(pages), parse, sum(seconds.values()))
    yardstick = [PARSE, f"{1000 * parse / len(pages):.3f}", "1.0 ×", "–"]
    return markdown_table(["step", "ms/page", "× lxml parse", "share"], [*rows, whole, yardstick])


def profile(bodies: Iterable[bytes], recipe: Recipe) -> dict[str, float]:
    """Processor seconds by step over all bodies, each page cleaned once."""
    seconds: dict[str, float] = {PARSE: 0.0, DECODE: 0.0, **dict.fromkeys(PHASES, 0.0), RENDER: 0.0}
    parse = bare_parse().extract
    recipe.run(Page("<p>Loads what is loaded lazily.</p>"))
    gc.collect()
    gc.freeze()
    try:
        for body in bodies:
            _profile_page(body, recipe, parse, seconds)
    finally:
        gc.unfreeze()
    return seconds


def _profile_page(body: bytes, recipe: Recipe, parse: Callable[[Source], str], seconds: dict[str, float]) -> None:
    page = _timed(seconds, DECODE, lambda: load_page(body))
    _timed(seconds, PARSE, lambda: parse(Source(page.source)))
    for phase in PHASES:
        _timed(seconds, phase, partial(recipe.run_phase, phase, page))
    _timed(seconds, RENDER, lambda: Document(page, recipe.name).text)


def _timed(seconds: dict[str, float], step: str, call: Callable[[], Result]) -> Result:
    gc.collect()
    begin = time.process_time()
    result = call()
    seconds[step] += time.process_time() - begin
    return result


def _row(name: str, seconds: float, pages: int, parse: float, whole: float) -> list[str]:
    return [
        name,
        f"{1000 * seconds / pages:.3f}",
        ratio(seconds / parse if parse else None),
        share(seconds / whole if whole else None),
    ]

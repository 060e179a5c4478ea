"""Accuracy against speed, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cleancrawl.bench.evaluate import summarise
from cleancrawl.bench.report import mean_milliseconds
from cleancrawl.bench.runner import Results
from cleancrawl.errors import MissingExtra

_COLOURS = {"recipe": "#c1272d", "peer": "#335c81"}


def points(results: Results) -> list[tuple[str, str, float, float]]:
    """Name, kind, pages per second and word F1 (snippets treated rightly where there is no gold text)."""
    found = []
    for name in results.names("recipe", "peer"):
        summary = summarise(outcome.score for outcome in results.outcomes[name])
        milliseconds = mean_milliseconds(results, name)
        if milliseconds:
            value = summary.word.f1 if summary.texts else (summary.found + summary.avoided) / 2
            found.append((name, results.kinds[name], 1000 / milliseconds, value))
    return found


def save_plot(results: Results, path: Path, title: str) -> None:
    """Write a PNG (or what the file's suffix says); raises ``MissingExtra`` where matplotlib is not installed."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("matplotlib", "bench") from None
    figure: Any = Figure(figsize=(8, 5), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    marks = points(results)
    for name, kind, speed, value in marks:
        ours = kind == "recipe"
        axes.scatter(speed, value, s=90 if ours else 45, color=_COLOURS[kind], marker="D" if ours else "o", zorder=3)
        axes.annotate(
            name,
            (speed, value),
            textcoords="offset points",
            xytext=(0, 9),
            ha="center",
            fontsize=9,
            color=_COLOURS[kind],
            fontweight="bold" if ours else "normal",
        )
    axes.set_xscale("log")
    axes.margins(x=0.15, y=0.15)
    axes.set_xlabel("pages per second on one core (logarithmic)")
    has_texts = any(page.text is not None for page in results.pages)
    axes.set_ylabel("word F1" if has_texts else "snippets treated rightly")
    axes.set_title(title)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)

"""Accuracy against speed, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cleancrawl.errors import MissingExtra
from cleancrawl.lab.bench.comparison import mean_milliseconds
from cleancrawl.lab.bench.evaluate import summarise
from cleancrawl.lab.bench.runner import Results

Mark = tuple[str, str, float, float]
_PLACES = (
    ((0, 8), "center", "bottom"),
    ((0, -8), "center", "top"),
    ((9, 0), "left", "center"),
    ((-9, 0), "right", "center"),
    ((0, 20), "center", "bottom"),
)
_COLOURS = {"recipe": "#c1272d", "peer": "#335c81"}


def points(results: Results) -> list[Mark]:
    """Name, kind, pages per second and word F1 (snippets treated rightly where there is no gold text)."""
    found = []
    for name in results.names("recipe", "peer"):
        summary = summarise(outcome.score for outcome in results.outcomes[name])
        milliseconds = mean_milliseconds(results, name)
        if milliseconds:
            value = summary.word.f1 if summary.texts else (summary.found + summary.avoided) / 2
            found.append((name, results.kinds[name], 1000 / milliseconds, value))
    return found


def save_plot(panels: Mapping[str, Results], path: Path) -> None:
    """A panel per title, with one scale of accuracy for all; the file's suffix says the format.

    Raises ``MissingExtra`` where matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("matplotlib", "bench") from None
    figure: Any = Figure(figsize=(8 if len(panels) == 1 else 6 * len(panels), 5), dpi=150, layout="constrained")
    # A background of its own: on a dark page the letters would be dark on dark.
    figure.set_facecolor("white")
    FigureCanvasAgg(figure)
    drawn = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    marks = [points(results) for results in panels.values()]
    for axes, (title, results), found in zip(drawn, panels.items(), marks, strict=True):
        _draw(axes, found, f"{title}: {len(results.pages)} pages")
    has_texts = any(page.text is not None for results in panels.values() for page in results.pages)
    drawn[0].set_ylabel("word F1" if has_texts else "snippets treated rightly")
    figure.supxlabel("pages per second on one core (logarithmic)", fontsize=10)
    figure.canvas.draw()
    for axes, found in zip(drawn, marks, strict=True):
        _label(axes, found)
    figure.savefig(path)


def _draw(axes: Any, marks: Sequence[Mark], title: str) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for _, kind, speed, value in marks:
        ours = kind == "recipe"
        axes.scatter(speed, value, s=90 if ours else 45, color=_COLOURS[kind], marker="D" if ours else "o", zorder=3)
    axes.set_xscale("log")
    axes.margins(x=0.15, y=0.1)
    axes.set_title(title, fontsize=11)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda speed, _: f"{speed:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _label(axes: Any, marks: Sequence[Mark]) -> None:
    """Name each point at the first place around it where the name meets no other name or point."""
    taken = [_box_around(axes.transData.transform(mark[2:])) for mark in marks]
    for name, kind, speed, value in marks:
        for offset, horizontal, vertical in _PLACES:
            label = axes.annotate(
                name,
                (speed, value),
                textcoords="offset points",
                xytext=offset,
                ha=horizontal,
                va=vertical,
                fontsize=9,
                color=_COLOURS[kind],
                fontweight="bold" if kind == "recipe" else "normal",
            )
            box = label.get_window_extent().extents
            if not any(_overlap(box, other) for other in taken):
                break
            if offset != _PLACES[-1][0]:
                label.remove()
        taken.append(box)


def _box_around(point: Sequence[float], half: float = 7) -> Sequence[float]:
    return point[0] - half, point[1] - half, point[0] + half, point[1] + half


def _overlap(first: Sequence[float], second: Sequence[float]) -> bool:
    """
    >>> _overlap((0, 0, 2, 2), (1, 1, 3, 3)), _overlap((0, 0, 2, 2), (2, 0, 3, 3))
    (True, False)
    """
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]

"""Time and peak memory of the three clusterings against the number of pages (METHODS C5, the paper's table 2).

python -m cleancrawl.lab.bench.template_cost [--pages 10,50,100,200] [--most mdl=200] [--tolerance 0.1] [--plot FILE]
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import dataclass

from cleancrawl.errors import MissingExtra
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.methods.site_template.essential import BY_THE_LETTER, LEAST_SUPPORT, Essential, essential_paths
from cleancrawl.methods.site_template.mdl import RULINGS, ClusterRulings
from cleancrawl.methods.site_template.paths import read_paths
from cleancrawl.methods.site_template.site_templates import METHODS, Method, find_templates

_PAPER = "the paper, 10 pages: mdl 8 s, 8,324 bytes; minhash 6 s, 6,452 bytes; lsh 3 s, 3,124 bytes"


@dataclass(frozen=True, slots=True)
class Cost:
    method: str
    pages: int
    seconds: float
    bytes: int
    clusters: int


def measure(method: Method, essential: Essential) -> Cost:
    """Two runs: memory is traced in the second, as tracing takes time of its own."""
    started = time.process_time()
    clusters = METHODS[method](essential)
    seconds = time.process_time() - started
    tracemalloc.start()
    METHODS[method](essential)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Cost(method, essential.pages, seconds, peak, len(clusters))


def costs(sizes: Sequence[int], most: dict[str, int], tolerance: float = BY_THE_LETTER) -> list[Cost]:
    found = []
    for size in sizes:
        pages = [read_paths(html) for _, html in sample_site(size)]
        essential = essential_paths(pages, tolerance)
        found += [measure(method, essential) for method in METHODS if size <= most.get(method, size)]
    return found


READINGS: dict[str, tuple[int, ClusterRulings]] = {
    "as ruled": (LEAST_SUPPORT, RULINGS),
    "a mode of 1 counts": (1, RULINGS),
    "no difference matrix": (LEAST_SUPPORT, ClusterRulings(difference=False)),
    "stop at one cluster": (LEAST_SUPPORT, ClusterRulings(stop="one-cluster")),
    "all by the letter": (1, ClusterRulings(difference=False, stop="one-cluster")),
}
"""Of METHODS C2 to C4, with the least support of an essential path."""


def readings(sizes: Sequence[int], tolerance: float = BY_THE_LETTER) -> str:
    """How many clusters each reading makes of a site of four templates, and the paths in their templates."""
    lines = [f"{'pages':>6} {'reading':22} {'clusters':>9} {'template paths':>15}"]
    for size in sizes:
        pages = [read_paths(html) for _, html in sample_site(size)]
        for name, (least, rulings) in READINGS.items():
            found = find_templates(pages, "mdl", tolerance, least=least, rulings=rulings).templates
            paths = sum(len(template.paths) for template in found)
            lines.append(f"{size:>6} {name:22} {len(found):>9} {paths:>15}")
    return "\n".join(lines)


def table(found: Sequence[Cost]) -> str:
    lines = [f"{'pages':>6} {'method':8} {'seconds':>9} {'peak KB':>9} {'clusters':>9}"]
    lines += [
        f"{cost.pages:>6} {cost.method:8} {cost.seconds:>9.3f} {cost.bytes / 1024:>9.0f} {cost.clusters:>9}"
        for cost in found
    ]
    return "\n".join([*lines, _PAPER])


def plot(found: Sequence[Cost], path: str) -> None:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("matplotlib", "bench") from None
    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    for method in METHODS:
        mine = [cost for cost in found if cost.method == method]
        left.plot([cost.pages for cost in mine], [cost.seconds for cost in mine], marker="o", label=method)
        right.plot([cost.pages for cost in mine], [cost.bytes / 1e6 for cost in mine], marker="o", label=method)
    for axes, name in ((left, "seconds"), (right, "peak memory, MB")):
        axes.set(xlabel="pages", ylabel=name, xscale="log", yscale="log")
        axes.legend()
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", default="10,50,100,200", help="numbers of pages")
    parser.add_argument("--most", default="mdl=200", help="the most pages for a method, as mdl=200,minhash=2000")
    parser.add_argument("--tolerance", type=float, default=BY_THE_LETTER, help="of the mode of supports; default: 0")
    parser.add_argument("--readings", action="store_true", help="clusters by mdl, as ruled and by the paper's letter")
    parser.add_argument("--plot", metavar="FILE", help="write a plot (svg, png or pdf)")
    args = parser.parse_args(arguments)
    sizes = [int(size) for size in args.pages.split(",")]
    if args.readings:
        print(readings(sizes, args.tolerance))
        return 0
    most = {name: int(pages) for name, _, pages in (part.partition("=") for part in args.most.split(","))}
    found = costs(sizes, most, args.tolerance)
    print(table(found))
    if args.plot:
        plot(found, args.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What users of the library pay before the first page: to import it, and to have its packages on disk.

python -m cleancrawl.lab.import_cost
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from statistics import median

_CLEAN = "import cleancrawl; document = cleancrawl.clean('<p>A storm hit the coast.</p>' * 9, url='https://a.example/')"
STATEMENTS = {
    "`import numpy, lxml.html`": "import numpy, lxml.html",
    "`import cleancrawl`": "import cleancrawl",
    "and `clean(…).text`": f"{_CLEAN}; document.text",
    "and `.to_dict()`": f"{_CLEAN}; document.to_dict()",
    "`import scrapy.crawler`": "import scrapy.crawler",
    "and the add-on": "import scrapy.crawler, cleancrawl.crawl.addon",
}
_MEASURE = "\nimport sys, resource\nprint(len(sys.modules), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
_NAME = re.compile(r"[\w.-]+")


def processor_time(statement: str, runs: int) -> float:
    """Seconds of a fresh interpreter, the median of some runs."""
    found = []
    for _ in range(runs):
        before = os.times()
        subprocess.run([sys.executable, "-c", statement], check=True)
        after = os.times()
        found.append(sum(after[2:4]) - sum(before[2:4]))
    return median(found)


def import_rows(runs: int = 9) -> Iterator[str]:
    idle = processor_time("pass", runs)
    for name, statement in STATEMENTS.items():
        cost = processor_time(statement, runs) - idle
        command = [sys.executable, "-c", statement + _MEASURE]
        modules, megabytes = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        yield f"| {name} | {cost * 1000:.0f} ms | {modules} | {megabytes} MB |"


def needed(packages: Iterable[str]) -> set[str]:
    """The packages and all that they need, without extras, as far as they are installed here."""
    found: set[str] = set()
    waiting = list(packages)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        try:
            requires = distribution(name).requires or []
        except PackageNotFoundError:  # for another platform or Python
            continue
        if name not in found:
            found.add(name)
            waiting += [_NAME.match(text)[0] for text in requires if "extra ==" not in text]  # type: ignore[index]
    return found


def size(package: str) -> int:
    """Bytes of a package's files, without what Python compiles of them."""
    place = distribution(package)
    paths = (Path(str(place.locate_file(file))) for file in place.files or () if file.suffix != ".pyc")
    return sum(path.stat().st_size for path in paths if path.is_file())


def package_rows() -> Iterator[str]:
    direct = [_NAME.match(text)[0] for text in distribution("cleancrawl").requires or [] if "extra ==" not in text]  # type: ignore[index]
    with_scrapy = needed(direct)
    without = needed(set(direct) - {"scrapy", "itemadapter"})
    for name, packages in {"with Scrapy": with_scrapy, "without": without}.items():
        yield f"| {name} | {len(packages)} | {sum(map(size, packages)) / 1e6:.0f} MB |"


def main() -> int:
    print("| | processor time | modules | memory |\n| --- | ---: | ---: | ---: |", *import_rows(), sep="\n")
    print("\n| | packages | on disk |\n| --- | ---: | ---: |", *package_rows(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

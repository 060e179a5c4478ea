"""The project's settings and spiders as an egg for Scrapyd; the package itself is installed beside Scrapyd.

python -m cleancrawl.crawl.egg [OUT] [--settings settings.corpus]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from cleancrawl.errors import CleanCrawlError, ConfigError
from cleancrawl.version import __version__

NAME = "cleancrawl_settings"
PACKAGES = ("settings", "spiders")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_TIME = (2026, 1, 1, 0, 0, 0)
"""The same tree gives the same egg, byte for byte."""


def build_egg(root: Path, out: Path, settings: str = "settings.corpus") -> Path:
    """Write the egg; raises ``ConfigError`` where the project or the settings module is not there."""
    missing = [package for package in PACKAGES if not (root / package / "__init__.py").is_file()]
    if missing:
        raise ConfigError(f"{root} is not the cleancrawl project: no package {', '.join(missing)}")
    if not _MODULE.fullmatch(settings) or not (root / (settings.replace(".", "/") + ".py")).is_file():
        raise ConfigError(f"no settings module {settings} in {root}")
    if out.suffix != ".egg":
        out = out / f"{NAME}-{__version__}.egg"
    out.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(out, "w", ZIP_DEFLATED) as egg:
        for path in _members(root):
            egg.writestr(ZipInfo(path.relative_to(root).as_posix(), _TIME), path.read_bytes(), ZIP_DEFLATED)
        for name, text in _info(settings).items():
            egg.writestr(ZipInfo(f"EGG-INFO/{name}", _TIME), text, ZIP_DEFLATED)
    return out


def _members(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _info(settings: str) -> dict[str, str]:
    return {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {__version__}\n",
        "entry_points.txt": f"[scrapy]\nsettings = {settings}\n",
        "top_level.txt": "".join(f"{package}\n" for package in PACKAGES),
        "zip-safe": "\n",
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m cleancrawl.crawl.egg", description="Build an egg for Scrapyd.")
    parser.add_argument("out", nargs="?", default="dist", type=Path, help="a directory or an .egg file (default: dist)")
    parser.add_argument("--settings", default="settings.corpus", help="the settings module (default: %(default)s)")
    options = parser.parse_args(arguments)
    try:
        print(build_egg(Path.cwd(), options.out, options.settings))
    except CleanCrawlError as error:
        print(f"egg: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

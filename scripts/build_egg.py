"""Pack this project for Scrapyd: `python scripts/build_egg.py dist/cleancrawl.egg`.

Unlike the wheel, the egg has the settings and spiders too. The dependencies have to be installed where Scrapyd runs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).parents[1]
PACKAGES = ("cleancrawl", "settings", "spiders")
SETTINGS = "settings.harvest"


def build(target: Path) -> Path:
    sys.path.insert(0, str(ROOT))
    from cleancrawl.version import __version__

    target.parent.mkdir(parents=True, exist_ok=True)
    metadata = {
        "PKG-INFO": f"Metadata-Version: 2.1\nName: cleancrawl-project\nVersion: {__version__}\n",
        "entry_points.txt": f"[scrapy]\nsettings = {SETTINGS}\n",
        "top_level.txt": "\n".join(PACKAGES) + "\n",
        "zip-safe": "\n",
    }
    with ZipFile(target, "w", ZIP_DEFLATED) as egg:
        for name, text in metadata.items():
            egg.writestr(f"EGG-INFO/{name}", text)
        for package in PACKAGES:
            for path in sorted((ROOT / package).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    egg.write(path, path.relative_to(ROOT).as_posix())
    return target


if __name__ == "__main__":
    print(build(Path(sys.argv[1] if len(sys.argv) > 1 else "dist/cleancrawl.egg")))

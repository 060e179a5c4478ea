"""Find the templates of a site: cluster its saved pages by what they have in common.

examples:
  cleancrawl templates saved-pages/
  cleancrawl templates saved-pages/ --method mdl -o templates.json
  cleancrawl templates sqlite:///cleancrawl.db          (what a crawl with the recipe site-template has learned)
  cleancrawl clean page.html --recipe site-template     (a page by itself: nothing is known of its site)
"""

from __future__ import annotations

import gzip
import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cleancrawl.commands.progress import Progress
from cleancrawl.core.decode import decode
from cleancrawl.core.outline import read_outline
from cleancrawl.core.page import Page
from cleancrawl.core.templates.essential import BY_THE_LETTER
from cleancrawl.core.templates.paths import Paths, named_paths, read_paths
from cleancrawl.core.templates.site import METHODS, SiteTemplates, Template, find_templates
from cleancrawl.errors import ConfigError

_SUFFIXES = (".html", ".htm", ".html.gz")
_EXAMPLES = 3


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "pages",
        metavar="DIR|STORE",
        help="directory with saved pages of one site (.html, .htm, .html.gz), or the URL of a crawl's store",
    )
    parser.add_argument("--method", choices=METHODS, default="lsh", help="how pages are clustered (default: lsh)")
    parser.add_argument(
        "--tolerance",
        type=_share_below_one,
        default=BY_THE_LETTER,
        metavar="SHARE",
        help="take numbers of pages that differ by this share for one when looking for the most frequent, as 0.1: "
        "fewer clusters on large sites of several templates (default: 0, the paper's letter)",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write the templates as JSON, paths by name")


def _share_below_one(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share < 1:
        raise ArgumentTypeError(f"{text!r} is no number from 0 to below 1")
    return share


def run(args: Namespace) -> int:
    return _of_store(args) if "://" in args.pages else _of_directory(args)


def _of_store(args: Namespace) -> int:
    from cleancrawl.stores.open import open_store
    from cleancrawl.stores.templates import NOTE, Samples

    store = open_store(args.pages)
    try:
        learned = {info.site: Samples.from_text(store.note(info.site, NOTE)).templates for info in store.sites()}
    finally:
        store.close()
    print(f"{'pages':>7} {'template paths':>15} {'bytes':>9}  site")
    for site, found in learned.items():
        for template in found.templates if found else ():
            print(f"{template.size:>7} {len(template.paths):>15} {template.paths.nbytes:>9}  {site}")
    if args.output:
        _write(args.output, {site: found.to_json() for site, found in learned.items() if found})
    return 0


def _of_directory(args: Namespace) -> int:
    files = _files(Path(args.pages))
    paths = []
    with Progress("pages", len(files), sys.stderr) as progress:
        for file in files:
            paths.append(read_paths(_source(file)))
            progress.advance()
    found = find_templates(paths, args.method, args.tolerance)
    print(f"{len(files)} pages, {len(found.templates)} clusters ({args.method})")
    print(f"{'pages':>7} {'template paths':>15} {'share':>6} {'bytes':>9}  examples")
    records = []
    for template, names in _named(found, files):
        share = _share(template, [paths[page] for page in template.pages])
        size = sum(len(name.encode("utf-8", "replace")) for name in names)
        examples = ", ".join(files[page].name for page in template.pages[:_EXAMPLES])
        print(f"{template.size:>7} {len(names):>15} {share:>6.1%} {size:>9}  {examples}")
        records.append({"pages": [str(files[page]) for page in template.pages], "paths": sorted(names)})
    if args.output:
        _write(args.output, {"method": args.method, "clusters": records, **found.to_json()})
    return 0


def _files(directory: Path) -> list[Path]:
    if not directory.is_dir():
        raise ConfigError(f"{directory} is not a directory")
    files = sorted(file for file in directory.rglob("*") if file.name.endswith(_SUFFIXES) and file.is_file())
    if not files:
        raise ConfigError(f"no saved pages ({', '.join(_SUFFIXES)}) in {directory}")
    return files


def _source(file: Path) -> str:
    body = file.read_bytes()
    if file.suffix == ".gz":
        try:
            body = gzip.decompress(body)
        except (OSError, EOFError) as error:
            raise ConfigError(f"{file} is no gzip file: {error}") from None
    return decode(body)[0]


def _named(found: SiteTemplates, files: list[Path]) -> Iterator[tuple[Template, list[str]]]:
    """Each template with the names of its paths, read again from as many of its pages as it takes."""
    for template in found.templates:
        wanted = set(template.paths.tolist())
        names: list[str] = []
        for page in template.pages:
            if not wanted:
                break
            for path, name in named_paths(read_outline(Page(_source(files[page])))):
                if path in wanted:
                    wanted.discard(path)
                    names.append(name)
        yield template, names


def _share(template: Template, pages: list[Paths]) -> float:
    """The mean share of template paths among the paths of a page."""
    shares = [np.isin(page, template.paths, assume_unique=True).sum() / max(len(page), 1) for page in pages]
    return float(sum(shares)) / len(shares)


def _write(path: str, record: dict[str, Any]) -> None:
    Path(path).write_text(json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8")
    print(f"templates written to {path}", file=sys.stderr)

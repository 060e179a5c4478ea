"""Find the templates of a site: cluster its saved pages by what they have in common.

examples:
  cleancrawl templates saved-pages/
  cleancrawl templates saved-pages/ --method mdl -o templates.json
  cleancrawl templates sqlite:///cleancrawl.db          (pages that a crawl kept, or what it has learned of its sites)
  cleancrawl clean page.html --recipe site-template     (a page by itself: nothing is known of its site)
"""

from __future__ import annotations

import gzip
import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.commands.progress_bar import Progress
from cleancrawl.core.html.decode import decode
from cleancrawl.core.html.outline import read_outline
from cleancrawl.errors import ConfigError
from cleancrawl.methods.site_template.essential import BY_THE_LETTER
from cleancrawl.methods.site_template.paths import named_paths, read_paths
from cleancrawl.methods.site_template.site_templates import METHODS, SiteTemplates, Template, find_templates

if TYPE_CHECKING:
    from cleancrawl.methods.site_template.samples import Samples
    from cleancrawl.stores.protocol import Store

_SUFFIXES = (".html", ".htm", ".html.gz")
_EXAMPLES = 3
_HEADER = f"{'pages':>7} {'template paths':>15} {'share':>6} {'bytes':>9}  examples"


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


def _of_directory(args: Namespace) -> int:
    files = {str(file): file for file in _files(Path(args.pages))}
    record = _cluster(list(files), lambda name: _source(files[name]), args)
    if args.output:
        _write(args.output, record)
    return 0


def _of_store(args: Namespace) -> int:
    """Clusters the pages that a store keeps, site by site; shows what the crawl has learned where it keeps none."""
    from cleancrawl.methods.site_template.samples import NOTE, Samples

    store = open_existing(args.pages)
    records: dict[str, Any] = {}
    try:
        for site in [info.site for info in store.sites()]:
            urls = [url for url in _urls(store, site) if _stored(store, url)]
            samples = Samples.from_text(store.note(site, NOTE))
            if urls:
                show(f"{site}: ", end="")
                records[site] = _cluster(urls, lambda url: _stored(store, url), args)
            elif samples.templates is not None:
                records[site] = _show_learned(site, samples)
    finally:
        store.close()
    if not records:
        show(
            "no pages and no templates in this store: CLEANCRAWL_KEEP_HTML keeps pages, the recipe site-template learns"
        )
    elif args.output:
        _write(args.output, records)
    return 0


def _urls(store: Store, site: str) -> Iterator[str]:
    after = 0
    while batch := store.articles(after, site=site):
        after = batch[-1].cursor
        yield from (stored.url for stored in batch if stored.article)


def _stored(store: Store, url: str) -> str:
    """The page of an article, where the crawl kept it."""
    found = store.article(url)
    html = found.article.get("html") if found and found.article else None
    return html if isinstance(html, str) else ""


def _show_learned(site: str, samples: Samples) -> dict[str, Any]:
    found = samples.templates or SiteTemplates(())
    show(f"{site}: {len(found.templates)} clusters, learned in the crawl")
    show(_HEADER)
    for template, _, _, share, urls in samples.followed:
        _print_line(template.size, len(template.paths), share, template.paths.nbytes, list(urls))
    return found.to_json()


def _cluster(names: list[str], source: Callable[[str], str], args: Namespace) -> dict[str, Any]:
    """Cluster pages and print the clusters. Pages are read one by one; only the numbers of their paths stay."""
    paths = []
    with Progress("pages", len(names), sys.stderr) as progress:
        for name in names:
            paths.append(read_paths(source(name)))
            progress.advance()
    found = find_templates(paths, args.method, args.tolerance)
    show(f"{len(names)} pages, {len(found.templates)} clusters ({args.method})")
    show(_HEADER)
    clusters = []
    for template in found.templates:
        members = [names[page] for page in template.pages]
        listed = _names_of_paths(template, map(source, members))
        size = sum(len(path.encode("utf-8", "replace")) for path in listed)
        _print_line(template.size, len(listed), template.share(paths), size, members)
        clusters.append({"pages": members, "paths": sorted(listed)})
    return {"method": args.method, "clusters": clusters, **found.to_json()}


def _print_line(pages: int, paths: int, share: float, size: int, names: list[str]) -> None:
    examples = ", ".join(name if "://" in name else Path(name).name for name in names[:_EXAMPLES])
    show(f"{pages:>7} {paths:>15} {share:>6.1%} {size:>9}  {examples}")


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


def _names_of_paths(template: Template, pages: Iterable[str]) -> list[str]:
    """The paths of a template by name, read again from as many of its pages as it takes."""
    wanted = set(template.paths.tolist())
    names: list[str] = []
    for html in pages:
        for path, name in named_paths(read_outline(html)[0]):
            if path in wanted:
                wanted.discard(path)
                names.append(name)
        if not wanted:
            break
    return names


def _write(path: str, record: dict[str, Any]) -> None:
    Path(path).write_text(json.dumps(record, ensure_ascii=False, indent=1), encoding="utf-8")
    show(f"templates written to {path}", file=sys.stderr)

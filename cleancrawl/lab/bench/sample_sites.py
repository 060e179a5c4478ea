"""Made-up sites of any size whose templates are known: what the clustering of pages is measured on.

python -m cleancrawl.lab.bench.sample_sites DIR [--pages 5000] [--rows 40]      (writes such a site)
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_WORDS = (
    "river council harbour season bridge winter market school engine letter garden mountain village doctor summer paper"
    " island number station window train report minister public question answer kitchen teacher library forest"
).split()
_ROWS = ("<ul><li>{}</li><li>{}</li></ul>", "<div><span>{}</span><p>{}</p></div>", "<table><tr><td>{}<td>{}</table>")


def sample_site(
    pages: int, templates: int = 4, missing: float = 0.03, seed: int = 1, rows: int = 40
) -> Iterator[tuple[int, str]]:
    """Pages as (number of the template, HTML).

    Each template has its own frame of ``rows``, of which every page lacks a share of ``missing``. Each page has its own
    article, and teasers of other pages, which repeat too but belong to no template.
    """
    generator = random.Random(seed)
    frames = [_frame(random.Random(seed * 1000 + number), rows) for number in range(templates)]
    teasers = [_sentence(generator, 6) for _ in range(max(pages // 4, 8))]
    for page in range(pages):
        kind = page % templates
        kept = [row for row in frames[kind] if generator.random() >= missing]
        chosen = "".join(f"<li>{teaser}</li>" for teaser in generator.sample(teasers, 6))
        paragraphs = "".join(f"<p>{_sentence(generator)}</p>" for _ in range(generator.randint(4, 12)))
        article = f"<article><h1>{_sentence(generator, 5)} {page}</h1>{paragraphs}<ul>{chosen}</ul></article>"
        body = "<div>" * (kind + 1) + "".join(kept[:25]) + article + "".join(kept[25:]) + "</div>" * (kind + 1)
        yield kind, f"<html><head><title>{page}</title></head><body>{body}</body></html>"


def _frame(generator: random.Random, rows: int) -> list[str]:
    return [generator.choice(_ROWS).format(_sentence(generator, 2), _sentence(generator, 3)) for _ in range(rows)]


def _sentence(generator: random.Random, words: int = 14) -> str:
    return " ".join(generator.choice(_WORDS) for _ in range(words)) + "."


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--rows", type=int, default=40, help="rows of each template's frame")
    args = parser.parse_args(arguments)
    args.directory.mkdir(parents=True, exist_ok=True)
    for number, (kind, html) in enumerate(sample_site(args.pages, rows=args.rows)):
        (args.directory / f"{number:05}-template-{kind}.html").write_text(html, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

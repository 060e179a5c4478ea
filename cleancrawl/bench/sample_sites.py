"""Made-up sites of any size whose templates are known: what the clustering of pages is measured on."""

from __future__ import annotations

import random
from collections.abc import Iterator

_WORDS = (
    "river council harbour season bridge winter market school engine letter garden mountain village doctor summer paper"
    " island number station window train report minister public question answer kitchen teacher library forest"
).split()
_ROWS = ("<ul><li>{}</li><li>{}</li></ul>", "<div><span>{}</span><p>{}</p></div>", "<table><tr><td>{}<td>{}</table>")


def sample_site(pages: int, templates: int = 4, missing: float = 0.03, seed: int = 1) -> Iterator[tuple[int, str]]:
    """Pages as (number of the template, HTML).

    Each template has its own frame, of which every page lacks a share of ``missing`` rows. Each page has its own
    article, and teasers of other pages, which repeat too but belong to no template.
    """
    generator = random.Random(seed)
    frames = [_frame(random.Random(seed * 1000 + number)) for number in range(templates)]
    teasers = [_sentence(generator, 6) for _ in range(max(pages // 4, 8))]
    for page in range(pages):
        kind = page % templates
        rows = [row for row in frames[kind] if generator.random() >= missing]
        chosen = "".join(f"<li>{teaser}</li>" for teaser in generator.sample(teasers, 6))
        paragraphs = "".join(f"<p>{_sentence(generator)}</p>" for _ in range(generator.randint(4, 12)))
        article = f"<article><h1>{_sentence(generator, 5)} {page}</h1>{paragraphs}<ul>{chosen}</ul></article>"
        body = "<div>" * (kind + 1) + "".join(rows[:25]) + article + "".join(rows[25:]) + "</div>" * (kind + 1)
        yield kind, f"<html><head><title>{page}</title></head><body>{body}</body></html>"


def _frame(generator: random.Random) -> list[str]:
    return [generator.choice(_ROWS).format(_sentence(generator, 2), _sentence(generator, 3)) for _ in range(40)]


def _sentence(generator: random.Random, words: int = 14) -> str:
    return " ".join(generator.choice(_WORDS) for _ in range(words)) + "."

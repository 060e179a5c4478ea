"""How well a segmentation cuts hand-segmented pages, as METHODS D measures it.

Run ``python -m cleancrawl.lab.bench.segmentation_scores DIR``.
In such a page every element of an ideal block carries the block's name in ``data-block``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Stage
from cleancrawl.core.text.words import normalise
from cleancrawl.lab.bench.metrics import Score, overlap_score
from cleancrawl.methods.key_pattern.pattern_blocks import KeyPatternBlocks

VARIANTS: dict[str, Stage] = {
    "key patterns": KeyPatternBlocks(),
    "patterns may overlap": KeyPatternBlocks(overlap=True),
    "one level deep": KeyPatternBlocks(share=1.0),
}


def ideal_blocks(html: str) -> list[str]:
    """The texts of the ideal blocks.

    >>> ideal_blocks('<h2 data-block=a>A</h2><p data-block=a>b <i>c</i><p data-block=d>d')
    ['A b c', 'd']
    """
    texts: dict[str, list[str]] = {}
    for element in Page(html).tree.iter():
        name = element.get("data-block")
        if name is not None:
            texts.setdefault(name, []).append(_text(element))
    return [normalise(" ".join(parts)) for parts in texts.values()]


def _text(element: object) -> str:
    pieces: Sequence[str] = list(element.itertext())  # type: ignore[attr-defined]
    return "".join(pieces)


def segmentation_score(found: Sequence[str], ideal: Sequence[str]) -> Score:
    """P = correct/segmented, R = correct/ideal; a block is correct where its text is that of an ideal block.

    >>> segmentation_score(["a b", "c", "d"], ["ab", "c"]).precision
    0.6666666666666666
    """
    wanted = {_key(text) for text in ideal}
    return overlap_score(sum(_key(text) in wanted for text in found), len(found), len(ideal))


def _key(text: str) -> str:
    """White space between tags depends on how a text was put together, so it does not count."""
    return "".join(text.split())


def score_pages(directory: Path, stage: Stage) -> dict[str, Score]:
    scores = {}
    for path in sorted(directory.glob("*.html")):
        page = Page(path.read_text("utf-8"))
        stage(page)
        scores[path.stem] = segmentation_score([block.text for block in page.blocks], ideal_blocks(page.html))
    return scores


def table(directory: Path) -> str:
    """Means over the pages per variant, and the pages of the first one."""
    lines = [f"{'':24}     P      R      F"]
    for name, stage in VARIANTS.items():
        scores = score_pages(directory, stage)
        means = [sum(score[part] for score in scores.values()) / len(scores) for part in range(3)]
        lines.append(f"{name:24}" + "".join(f"{value:7.3f}" for value in means))
    lines += [f"  {name:22}" + "".join(f"{value:7.3f}" for value in score) for name, score in _details(directory)]
    lines.append(f"{'the paper, its own pages':24}  0.732  0.802  0.738")
    return "\n".join(lines)


def _details(directory: Path) -> list[tuple[str, Score]]:
    return list(score_pages(directory, next(iter(VARIANTS.values()))).items())


if __name__ == "__main__":
    print(table(Path(sys.argv[1])))

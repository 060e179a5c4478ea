from __future__ import annotations

from pathlib import Path

import numpy as np

from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.learn.examples import Weighting, make_example
from cleancrawl.lab.learn.rule_words import removal_table, tally_removals
from cleancrawl.methods.learned import recipe

STORY = "".join(f"<p>The mill of Aldbury burnt down on day {number}, and nobody was hurt.</p>" for number in range(9))


def test_rules_are_judged_by_labels_and_copies_by_number(tmp_path: Path) -> None:
    pages = tmp_path / "own" / "html"
    pages.mkdir(parents=True)
    (pages / "1.html").write_text(
        f"<article>{STORY}</article><div class=print>{STORY}</div><p>Our own shop has it.</p>"
    )
    text = STORY.replace("<p>", "").replace("</p>", "\\n")
    (tmp_path / "own" / "truth.jsonl").write_text(f'{{"id": "1", "url": "https://example.org/1", "text": "{text}"}}')
    (found,) = load_sets(str(tmp_path), ("own",))
    example = make_example(found.pages[0], recipe().segment, Weighting())
    assert example is not None
    scores = np.full(len(example.page.blocks), 0.9, dtype=np.float32)
    scores[[0, -1]] = 0.01
    tallies = tally_removals([example], {example.gold.key: scores}, 0.5, recipe())
    assert (tallies["score: learned"].blocks, tallies["score: learned"].pages) == (2, 1)
    assert tallies["score: learned"].precision == 5 / 18
    assert (tallies["score: repeated"].blocks, tallies["score: repeated"].precision) == (8, 1.0)
    assert "| score: repeated |" in removal_table(tallies)

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.learn.near_distances import (
    BITS,
    DISTANCES,
    article_table,
    histogram,
    least_distances,
    pair_table,
    report,
    site_blocks,
    site_table,
)
from cleancrawl.stores.page_rules import NEAR_DISTANCE
from tests.stores.pages import story

LINE = "Subscribe to our daily letter, {n} read all that the town talks about before breakfast, free for readers"


@pytest.fixture
def pages(tmp_path: Path) -> list[GoldPage]:
    """Three pages of a site: articles of their own, a line with one word that changes, a line that does not."""
    found = []
    for number, word in enumerate(("today", "tomorrow", "always")):
        text = " ".join(story(number))
        path = tmp_path / f"{number}.html"
        frame = f"<p>{LINE.format(n=word)}</p><p>{LINE.format(n='')} at home and abroad</p>"
        path.write_text(f"<title>{number}</title><div><p>{text}</p></div>{frame}", encoding="utf-8")
        found.append(GoldPage("sample", str(number), path, f"https://example.org/{number}", "article", text=text))
    return found


def test_distances_between_prints() -> None:
    prints = np.array([0b1111, 0b0111, 0b1 << 63], dtype=np.uint64)
    others = ~np.eye(3, dtype=np.bool_)
    assert least_distances(prints, prints).tolist() == [0, 0, 0]
    assert least_distances(prints, prints, others).tolist() == [1, 1, 4]
    assert least_distances(prints, prints[:0]).tolist() == [BITS + 1] * 3
    counts = histogram(prints, others)
    assert (counts[1], counts[4], counts[5], counts.sum()) == (2, 2, 2, 6)


def test_blocks_that_other_pages_have_in_other_words(pages: list[GoldPage]) -> None:
    found = site_blocks(pages)
    # Not the line that is the same everywhere: its exact text settles it.
    assert found.content.tolist() == [True, False] * 3
    near, far = found.nearest[~found.content], found.nearest[found.content]
    assert near.max() < far.min()
    assert near.max() > NEAR_DISTANCE, "one word in twenty moves more bits than a store reaches"


def test_all_tables_go_through_all_distances(pages: list[GoldPage]) -> None:
    printed = report(pages, "default")
    assert printed.count("###") == 3
    for table in (pair_table(pages), site_table(pages), article_table(pages)):
        assert sum(line.startswith("| ") for line in table.splitlines()) >= len(DISTANCES) + 2
    assert "MinHash signature" in printed
    assert "no site has three" in site_table(pages[:2])

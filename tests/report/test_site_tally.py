"""Counts of constant size, whatever a site does."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.report.recurring_sentences import COUNTED, RecurringSentences
from cleancrawl.report.site_tally import MOST_DAYS, MOST_NAMES, SiteTally, median_size, size_of

NOON = 1_790_000_000.0


def test_counts_are_what_they_were_after_the_store() -> None:
    tally = SiteTally()
    article = {"word_count": 120, "authors": ["Ann"], "published": "2026-09-21T10:00:00Z", "language": "en"}
    for place in range(5):
        tally.add_page(NOON + place, {"removed": {"hidden": 2}, "blocks_total": 9, "blocks_kept": 3}, None)
        tally.add_article({**article, "text": "Subscribe to our newsletter, it is free.\nMore."}, NOON)
    tally.add_page(NOON, None, "listing", "https://a.example/list")
    counts = json.loads(json.dumps(tally.to_counts()))
    assert SiteTally.of(counts).to_counts() == counts
    assert counts["dropped"] == {"listing": [1, "https://a.example/list"]}
    assert counts["sentences"] == [["Subscribe to our newsletter, it is free.", 5]]
    twice = SiteTally.of(counts, counts)
    assert twice.dropped.to_counts() == {"listing": [2, "https://a.example/list"]}
    assert (twice.pages, twice.articles, twice.removed["hidden"], twice.median_words) == (12, 10, 20, 117)


def test_hostile_articles_do_not_make_it_grow() -> None:
    def size_after(articles: int) -> int:
        tally, chance = SiteTally(), Random(1)
        for place in range(articles):
            tally.add_page(
                NOON, {"removed": {f"rule {place}": 1}}, f"reason {place}", "https://a.example/" + "x" * 9999
            )
            day = f"{chance.randint(1, 2026):04}-{chance.randint(1, 12):02}-01"
            text = " ".join(f"{chance.random()} is a number that stands in no other article." for _ in range(50))
            text += "\n" + "This very long sentence stands in every article" * 50
            tally.add_article({"language": f"x{place}", "published": day, "text": text, "word_count": place}, NOON)
            tally.errors.add(f"error {place}", "\ud800")
        assert len(tally.published) <= MOST_DAYS + 1
        assert len(tally.languages) <= MOST_NAMES + 2
        return len(json.dumps(tally.to_counts()))

    assert size_after(1200) < 1.1 * size_after(600) < 100_000


@given(st.lists(st.integers(1, 5000), min_size=1))
def test_the_median_is_right_within_a_fifth(words: list[int]) -> None:
    sizes: dict[int, int] = {}
    for count in words:
        sizes[size_of(count)] = sizes.get(size_of(count), 0) + 1
    middle = sorted(words)[(len(words) - 1) // 2]
    assert 0.8 * middle - 1 <= median_size(sizes) <= 1.2 * middle + 1


def test_a_recurring_sentence_is_found_among_a_hundred_thousand() -> None:
    sketch, chance = RecurringSentences(), Random(2)
    leak = "Share this article with your friends and family."
    for place in range(2000):
        own = " ".join(f"{chance.random()} is a number that stands in no other article." for _ in range(50))
        sketch.add(f"{own}\n{leak}" if place % 10 == 0 else own)
    ((sentence, count), *_) = sketch.most_common()
    assert sentence == leak
    assert 190 <= count <= 200
    assert len(sketch._counts) <= COUNTED

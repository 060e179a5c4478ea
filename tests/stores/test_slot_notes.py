"""What the default recipe knows of a site's template is the same in every store, and survives it."""

from __future__ import annotations

from cleancrawl import Cleaner
from cleancrawl.methods.learned.site_slots import NOTE, SlotSamples
from cleancrawl.stores.protocol import Store
from tests.methods.learned.test_site_slots import page_of


def test_slots_of_a_site_are_notes(store: Store) -> None:
    for name in ("one", "two", "six", "two"):
        Cleaner(store=store).clean(page_of(name).source, f"https://news.example/{name}")
    samples = SlotSamples.from_text(store.note("news.example", NOTE))
    assert len(samples.pages) == 3
    assert store.note("other.example", NOTE) is None
    store.forget("news.example")
    assert store.note("news.example", NOTE) is None

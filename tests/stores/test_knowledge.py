"""What a store knows about a site's blocks."""

from __future__ import annotations

from cleancrawl.stores.protocol import Store
from tests.stores.conftest import OpenStore
from tests.stores.pages import FOOTER, NOON, SITE, prints_of, record_of, story, url_of


def pages_of(store: Store, *lines: str, url: str = url_of("new"), site: str = SITE) -> list[int]:
    """Counts for these lines on a page that has a text of its own beside them."""
    return list(store.seen(site, url, prints_of(*lines, *story(100, 8))).pages)[: len(lines)]


def test_a_new_site_is_unknown(store: Store) -> None:
    known = store.seen(SITE, url_of(1), prints_of(FOOTER, *story(1)))
    assert list(known.pages) == [0] * 5
    assert known.site_pages == 0
    assert store.site_pages(SITE) == 0


def test_a_page_without_blocks(store: Store) -> None:
    store.record(record_of(url_of(1)))
    assert store.seen(SITE, url_of(2), prints_of()).site_pages == 1


def test_counts_other_pages(store: Store) -> None:
    for number in range(1, 4):
        store.record(record_of(url_of(number), *story(number), FOOTER))
    known = store.seen(SITE, url_of("new"), prints_of("Something else", FOOTER))
    assert list(known.pages) == [0, 3]
    assert known.site_pages == 3


def test_a_page_does_not_count_for_itself(store: Store) -> None:
    for number in range(1, 4):
        store.record(record_of(url_of(number), *story(number), FOOTER))
    known = store.seen(SITE, url_of(2), prints_of(*story(2), FOOTER))
    assert list(known.pages) == [0, 0, 0, 0, 2]
    assert known.site_pages == 2


def test_sites_are_apart(store: Store) -> None:
    for number in range(1, 4):
        store.record(record_of(url_of(number), *story(number), FOOTER))
    assert pages_of(store, FOOTER, site="other.example") == [0]


def test_fetched_twice_counts_once(store: Store) -> None:
    for fetched in range(5):
        store.record(record_of(url_of(1), *story(1), FOOTER, fetched=NOON + fetched))
    assert pages_of(store, FOOTER) == [1]
    assert store.site_pages(SITE) == 1


def test_a_block_twice_on_a_page_counts_once(store: Store) -> None:
    store.record(record_of(url_of(1), "Share this", "Share this", *story(1)))
    assert pages_of(store, "Share this") == [1]


def test_a_live_page_is_one_page(store: Store) -> None:
    for minute in range(5):
        lines = [line for number in range(minute + 1) for line in story(number, 1)]
        store.record(record_of(url_of("live"), *lines, FOOTER, fetched=NOON + 60 * minute))
    assert pages_of(store, story(0, 1)[0], story(4, 1)[0], FOOTER) == [1, 1, 1]
    assert pages_of(store, story(0, 1)[0], FOOTER, url=url_of("live")) == [0, 0]


def test_pages_that_are_no_article_count_as_one(store: Store) -> None:
    teaser = "The harbour opens again after four years of work on the new pier, says the mayor"
    for number in range(4):
        store.record(record_of(url_of(f"list{number}"), teaser, *story(number), reason="listing"))
    assert pages_of(store, teaser) == [1]
    store.record(record_of(url_of("article"), teaser, *story(9)))
    assert pages_of(store, teaser) == [2]


def test_a_page_that_turns_out_to_be_no_article(store: Store) -> None:
    for number in range(3):
        store.record(record_of(url_of(number), *story(number), FOOTER))
    assert pages_of(store, FOOTER) == [3]
    for number in range(3):
        store.record(record_of(url_of(number), *story(number), FOOTER, reason="listing", fetched=NOON + 1))
    assert pages_of(store, FOOTER) == [1]
    for number in range(2):
        store.record(record_of(url_of(number), *story(number), FOOTER, fetched=NOON + 2))
    assert pages_of(store, FOOTER) == [3]


def test_counts_do_not_drift_when_a_page_changes_its_kind(store: Store) -> None:
    """With blocks that come and go meanwhile."""
    line = "Read all about the harbour and the people who work there in our special this week"
    for step in range(6):
        reason = None if step % 2 else "listing"
        lines = [*story(1), FOOTER] if step in (2, 3) else [line, *story(1), FOOTER]
        store.record(record_of(url_of(1), *lines, reason=reason, fetched=NOON + step))
    assert [(block.pages, block.articles) for block in store.blocks(SITE, 10)] == [(1, 1)] * 6
    assert pages_of(store, line, FOOTER) == [1, 1]
    assert pages_of(store, line, FOOTER, url=url_of(1)) == [0, 0]


def test_a_copy_under_other_urls_is_one_page(store: Store) -> None:
    original = story(1)
    for suffix in ("", "?print=1", "?utm_source=feed", "amp"):
        store.record(record_of(url_of(1) + suffix, *original, FOOTER, f"Shown as {suffix}"))
    store.record(record_of(url_of(2), *story(2), FOOTER))
    assert store.site_pages(SITE) == 2
    known = store.seen(SITE, url_of("1-third-view"), prints_of(*original, FOOTER))
    # The copy is the page itself: it does not count.
    assert list(known.pages)[:4] == [0, 0, 0, 0]


def test_copies_that_were_told_apart_do_not_erase_the_third(store: Store) -> None:
    original = story(1, 5)
    store.record(record_of(url_of("a"), *original, *story(7, 3), FOOTER))
    store.record(record_of(url_of("b"), *original, *story(8, 3), FOOTER))
    assert store.site_pages(SITE) == 2
    known = store.seen(SITE, url_of("c"), prints_of(*original, FOOTER))
    assert list(known.pages)[:5] == [0] * 5


def test_pages_of_one_template_are_not_copies(store: Store) -> None:
    template = ["Home", "Sport", "Weather", "Share this", "Follow us", FOOTER]
    for number in range(3):
        store.record(record_of(url_of(number), *template, *story(number, 3)))
    assert store.site_pages(SITE) == 3
    assert pages_of(store, *template, *story(5)) == [3] * 6 + [0] * 4


def test_near_identical_blocks_are_found(store: Store) -> None:
    long_footer = " ".join(f"{FOOTER} part {part}" for part in ("one", "two", "three", "four", "five", "six"))
    for number in range(1, 4):
        store.record(record_of(url_of(number), *story(number), f"{long_footer} visitor{number}"))
    assert pages_of(store, f"{long_footer} visitor99") == [3]
    assert pages_of(store, f"{long_footer} visitor2", url=url_of(2)) == [2]


def test_knowledge_outlives_the_store_object(make_store: OpenStore, store_url: str) -> None:
    first = make_store()
    first.record(record_of(url_of(1), *story(1), FOOTER))
    second = first if store_url == "memory:" else make_store()
    assert pages_of(second, FOOTER) == [1]


def test_texts_that_have_no_utf8_form(store: Store) -> None:
    for number in range(3):
        store.record(record_of(url_of(number), "a \ud800 b \0 c", *story(number)))
    assert pages_of(store, "a \ud800 b \0 c") == [3]
    assert store.blocks(SITE, 1)[0].pages == 3


def test_articles_of_a_site_are_counted_apart_from_other_pages(store: Store) -> None:
    assert store.site_articles(SITE) == 0
    store.record(record_of(url_of(1), *story(1)))
    store.record(record_of(url_of(2), *story(2), reason="listing"))
    store.record(record_of(url_of(3), *story(3), held=b"waits"))
    # A copy is the same page, and one that turns out to be no article counts no more.
    store.record(record_of(url_of("1/print"), *story(1)))
    assert (store.site_articles(SITE), store.site_pages(SITE)) == (2, 3)
    store.record(record_of(url_of(3), *story(3), reason="too-short"))
    assert store.site_articles(SITE) == 1


def test_a_page_looked_up_again_is_judged_as_at_first(store: Store) -> None:
    lead = "The first turbines of the country that stand on no ground will float before the pier in autumn, we hear."
    store.record(record_of(url_of("front"), lead, FOOTER, reason="front-page"))
    page = record_of(url_of(1), lead, *story(1), FOOTER)
    first = store.seen(SITE, url_of(1), page.prints)
    store.record(page)
    # What it has in common with the front page is not all that it has, only because the rest was recorded as its own.
    assert list(store.seen(SITE, url_of(1), page.prints).pages) == list(first.pages) == [1, 0, 0, 0, 0, 1]

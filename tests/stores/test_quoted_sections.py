"""What pages of one section of a site quote takes nothing away from articles of another; what sections share goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.request import urlopen

import pytest

from cleancrawl import Cleaner, open_store
from cleancrawl.core.document import Document
from cleancrawl.stores.protocol import Limits, Store
from tests.site.manifest import article_pages
from tests.site.server import SampleSite
from tests.stores.pages import SITE, prints_of, record_of, story, url_of
from tests.stores.test_poisoned_sites import quoting, recall

HOME = "https://www.news-portal.co.uk"
VICTIM, OTHER = article_pages("a")[:2]
NOTICE = "Readers of this paper support our reporters by mail each month, with what they can spare, and so might you."


@pytest.fixture(scope="module")
def pages(served_site: SampleSite) -> dict[str, str]:
    return {page.path: urlopen(served_site.a + page.path).read().decode() for page in (VICTIM, OTHER)}


def after(store_url: str, earlier: Sequence[tuple[str, str]], html: str, url: str) -> Document:
    """A page, cleaned after others; and once more, as it is then itself among what is known."""
    with Cleaner(store=store_url) as cleaner:
        for address, source in earlier:
            cleaner.clean(source, url=HOME + address)
        first = cleaner.clean(html, url=HOME + url)
        again = cleaner.clean(html, url=HOME + url)
    assert first.text == again.text
    return again


def removed(document: Document, text: str) -> str | None:
    block = next(block for block in document.blocks if block.text == text)
    return block.removed.rule if block.removed else None


@pytest.mark.parametrize("posts", [6, 30])
@pytest.mark.parametrize("part", ["edges", "all"])
def test_pages_of_another_section_that_quote_an_article(
    store_url: str, pages: dict[str, str], posts: int, part: str
) -> None:
    paragraphs = VICTIM.gold_text.splitlines()
    quoted = paragraphs if part == "all" else [*paragraphs[:2], *paragraphs[-2:]]
    earlier = [(f"/blog/post-{number}", quoting(number, quoted)) for number in range(1, posts + 1)]
    earlier.append(("/news/another", pages[OTHER.path]))
    document = after(store_url, earlier, pages[VICTIM.path], "/news/the-article")
    known = document.page.known
    assert known is not None
    counts = {block.text: number for block, number in zip(document.blocks, known.pages, strict=True)}
    assert all(counts[text] >= 0.75 * known.site_pages for text in quoted), "seen often enough to go"
    assert recall(document.text, VICTIM) > 0.99
    assert "of another section" in document.page.notes[next(b.index for b in document.blocks if b.text == quoted[-1])]


@pytest.mark.parametrize("sections", [("news",), ("blog", "sport"), ("blog", "news")])
def test_what_pages_of_its_own_section_or_of_two_others_have_goes(
    store_url: str, pages: dict[str, str], sections: tuple[str, ...]
) -> None:
    last = VICTIM.gold_text.splitlines()[-1]
    html = pages[VICTIM.path].replace(last, f"{last}</p><p>{NOTICE}", 1)
    earlier = [(f"/{sections[n % len(sections)]}/post-{n}", quoting(n, [NOTICE])) for n in range(1, 9)]
    document = after(store_url, earlier, html, "/news/the-article")
    assert removed(document, NOTICE) == "site-block"
    assert recall(document.text, VICTIM) > 0.99


def elsewhere(store: Store, section: int, url: str = url_of("new")) -> bool:
    """Whether a line is only elsewhere, for a page of this section."""
    lines = [NOTICE, *story(100, 8)]
    prints = replace(prints_of(*lines), sections=[section] * len(lines))
    return next(iter(store.seen(SITE, url, prints).elsewhere))


def show(store: Store, number: int, section: int, reason: str | None = None) -> None:
    record = record_of(url_of(number), NOTICE, *story(number), reason=reason)
    store.record(replace(record, prints=replace(record.prints, sections=[section] * 5)))


def test_one_other_section_or_more(store: Store) -> None:
    assert not elsewhere(store, 5), "no page has it"
    for number in (1, 2, 3):
        show(store, number, 7)
        assert elsewhere(store, 5)
        assert not elsewhere(store, 7)
    assert not elsewhere(store, 0), "no text"
    show(store, 4, 9)
    assert not elsewhere(store, 5)


def test_a_page_does_not_speak_for_its_section(store: Store) -> None:
    for number in (1, 2, 3, 4):
        show(store, number, 7 if number > 1 else 5)
    assert elsewhere(store, 5, url_of(1))
    assert not elsewhere(store, 5)
    show(store, 9, 5)
    assert not elsewhere(store, 5, url_of(1))


def test_listings_do_not_count_for_a_section_and_pages_may_turn_into_some(store: Store) -> None:
    show(store, 1, 7)
    show(store, 2, 9, reason="listing")
    assert elsewhere(store, 5)
    show(store, 2, 9)
    assert not elsewhere(store, 5)
    show(store, 2, 9, reason="listing")
    assert elsewhere(store, 5)


def test_what_was_counted_before_sections_were_is_judged_as_before(store: Store) -> None:
    show(store, 1, 0)
    for number in (2, 3, 4):
        show(store, number, 7)
    assert not elsewhere(store, 5)


def test_a_count_that_has_come_to_its_end(store_url: str) -> None:
    store = open_store(store_url, Limits(sightings=3))
    for number in range(1, 7):
        show(store, number, 7)
    assert elsewhere(store, 5)
    assert not elsewhere(store, 7)
    store.close()


def test_a_dump_has_the_sections_and_an_older_one_none(store: Store) -> None:
    for number in (1, 2):
        show(store, number, 7)
    rows = list(store.dump())
    for kept in (True, False):
        copy = open_store("memory:")
        copy.load({k: v for k, v in row.items() if kept or k not in ("sections", "squares")} for row in rows)
        assert elsewhere(copy, 5) == kept
        copy.close()

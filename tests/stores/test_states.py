"""Page states, the outbox, held pages."""

from __future__ import annotations

import pytest

from cleancrawl.stores import page_rules as rules
from cleancrawl.stores.protocol import Store, Visit
from tests.stores.pages import NOON, SITE, article_of, record_of, signature_of, story, url_of

HOUR = 3600.0


def test_the_state_of_a_page(store: Store) -> None:
    store.record(record_of(url_of(1), *story(1), etag='"a"', last_modified="Mon, 01 Jan 2026 00:00:00 GMT", content=7))
    states = store.page_states([url_of(1), url_of("unknown")])
    assert list(states) == [url_of(1)]
    state = states[url_of(1)]
    assert (state.site, state.etag, state.status, state.content) == (SITE, '"a"', 200, 7)
    assert (state.first_fetched, state.last_fetched, state.visits, state.changes) == (NOON, NOON, 1, (NOON,))
    assert (state.reason, state.version, state.held) == (None, 0, False)
    assert store.page_states([]) == {}


def test_changes_are_kept(store: Store) -> None:
    for hour, content in enumerate([5, 5, 6, 6, 7]):
        store.record(record_of(url_of(1), *story(1), content=content, fetched=NOON + hour * HOUR))
    state = store.page_states([url_of(1)])[url_of(1)]
    assert state.changes == (NOON, NOON + 2 * HOUR, NOON + 4 * HOUR)
    assert (state.visits, state.first_fetched, state.last_fetched) == (5, NOON, NOON + 4 * HOUR)
    for hour in range(5, 40):
        store.record(record_of(url_of(1), *story(1), content=hour + 100, fetched=NOON + hour * HOUR))
    state = store.page_states([url_of(1)])[url_of(1)]
    assert len(state.changes) == 16
    assert state.changes[-1] == NOON + 39 * HOUR


def test_a_visit_without_a_page(store: Store) -> None:
    store.record(record_of(url_of(1), *story(1), etag='"a"', content=5, reason="listing"))
    store.visit(Visit(SITE, url_of(1), NOON + 1, status=304))
    state = store.page_states([url_of(1)])[url_of(1)]
    assert (state.status, state.etag, state.visits, state.reason) == (304, '"a"', 2, "listing")
    assert (state.content, state.last_fetched, state.changes) == (5, NOON + 1, (NOON,))
    store.visit(Visit(SITE, url_of(1), NOON + 2, status=410, reason="gone"))
    state = store.page_states([url_of(1)])[url_of(1)]
    assert (state.status, state.visits, state.reason) == (410, 2, "gone")


def test_a_visit_to_an_unknown_page(store: Store) -> None:
    store.visit(Visit(SITE, url_of(1), NOON, status=500, reason="http-500"))
    state = store.page_states([url_of(1)])[url_of(1)]
    assert (state.status, state.visits, state.content, state.changes) == (500, 0, 0, ())
    assert store.site_pages(SITE) == 0
    store.record(record_of(url_of(1), *story(1), fetched=NOON + 9))
    state = store.page_states([url_of(1)])[url_of(1)]
    assert (state.first_fetched, state.visits, state.reason) == (NOON, 1, None)


def test_articles_come_in_order(store: Store) -> None:
    recorded = [store.record(record_of(url_of(n), *story(n), article=article_of(f"Title {n}"))) for n in range(1, 6)]
    assert [entry.version for entry in recorded] == [1] * 5
    entries = store.articles()
    assert [entry.url for entry in entries] == [url_of(n) for n in range(1, 6)]
    assert [entry.cursor for entry in entries] == [entry.cursor for entry in recorded]
    assert entries[0].article == article_of("Title 1")
    assert [entry.url for entry in store.articles(after=entries[1].cursor, limit=2)] == [url_of(3), url_of(4)]
    assert store.articles(after=entries[-1].cursor) == []
    assert store.articles(site="other.example") == []
    assert len(store.articles(site=SITE)) == 5


def test_the_same_article_again_is_no_news(store: Store) -> None:
    first = store.record(record_of(url_of(1), *story(1), article=article_of("Title")))
    again = store.record(record_of(url_of(1), *story(1), article=article_of("Title") | {"score": 0.9}))
    assert (again.version, again.cursor) == (first.version, None)
    assert len(store.articles()) == 1
    assert store.page_states([url_of(1)])[url_of(1)].version == 1


def test_more_renderings_of_the_same_text_are_taken_over(store: Store) -> None:
    quoted = article_of("Title", 'He wrote "markdown": "A" and "clean_html": "B".')
    markdown, html = {"markdown": 'The "text"'}, {"clean_html": "<p>The &quot;text&quot;</p>"}
    first = store.record(record_of(url_of(1), *story(1), article=quoted | {"markdown": None}))
    store.record(record_of(url_of(2), *story(2), article=article_of("Other")))
    steps = [
        (quoted | markdown, quoted | markdown),
        (quoted, quoted | markdown),
        (quoted | html, quoted | markdown),
        (quoted | markdown | html, quoted | markdown | html),
    ]
    for given, there in steps:
        again = store.record(record_of(url_of(1), *story(1), article=given))
        assert (again.version, again.cursor) == (1, None)
        entry = store.articles()[0]
        assert (entry.url, entry.cursor, entry.article) == (url_of(1), first.cursor, there)


def test_a_new_version_moves_to_the_end(store: Store) -> None:
    store.record(record_of(url_of(1), *story(1), article=article_of("One"), content=11))
    store.record(record_of(url_of(2), *story(2), article=article_of("Two")))
    changed = store.record(record_of(url_of(1), *story(1), article=article_of("One, changed"), content=12))
    assert (changed.version, changed.previous) == (2, 11)
    entries = store.articles()
    assert [(entry.url, entry.version, entry.previous) for entry in entries] == [
        (url_of(2), 1, None),
        (url_of(1), 2, 11),
    ]
    assert store.page_states([url_of(1)])[url_of(1)].version == 2
    assert store.record(record_of(url_of(1), *story(1), reason="listing")).version == 2


def test_what_became_known_of_the_site_makes_no_new_version(store: Store) -> None:
    own, box = story(1), "Sign up for our newsletter and get the five most important stories every morning at six"
    first = record_of(url_of(1), *own, box, article=article_of("T", "with the box"))
    store.record(first)
    for number in (2, 3):
        store.record(record_of(url_of(number), *story(number), box, article=article_of("T", str(number))))
    words = [20] * 4 + [0]
    known = store.seen(SITE, url_of(1), first.prints)
    assert list(known.pages) == [0, 0, 0, 0, 2]
    again = record_of(url_of(1), *own, box, words=words, known=known, article=article_of("T", "without the box"))
    assert (store.record(again).version, store.record(again).cursor) == (1, None)
    entry = store.article(url_of(1))
    assert entry is not None
    assert entry.article == article_of("T", "with the box")
    # Another title, another recipe, a paragraph more or less are news.
    for version, (article, lines, kept) in enumerate(
        [
            (article_of("Other", "x"), [*own, box], words),
            (article_of("Other", "y") | {"recipe": "r"}, [*own, box], words),
            (article_of("Other", "z") | {"recipe": "r"}, [*own, *story(9, 1), box], [20] * 5 + [0]),
            (article_of("Other", "-") | {"recipe": "r"}, [*own[1:], *story(9, 1), box], [20] * 4 + [0]),
        ],
        start=2,
    ):
        assert store.record(record_of(url_of(1), *lines, words=kept, article=article)).version == version


def test_another_verdict_on_the_same_blocks_makes_no_new_version_unless_the_judge_is_another(store: Store) -> None:
    lines = story(1, 4)

    def version(text: str, *kept: int, judge: int = 7, without: int = 9) -> int:
        there = [number for number in range(4) if number != without]
        shown, words = [lines[number] for number in there], [20 * (number in kept) for number in there]
        record = record_of(url_of(1), *shown, words=words, article=article_of("T", text), judge=judge)
        return store.record(record).version

    assert version("0 and 1", 0, 1) == 1
    assert version("1 and 2", 1, 2) == 1
    assert version("all", 0, 1, 2, 3) == 1
    assert version("1 and 2", 1, 2, judge=8) == 2
    # A paragraph that goes and comes back are two changes.
    assert version("1", 1, judge=8, without=2) == 3
    assert version("1 and 2", 1, 2, judge=8) == 4


def test_the_article_of_a_url(store: Store) -> None:
    article = article_of("Straße", "日本語 \ud83d text")
    store.record(record_of(url_of(1), *story(1), article=article))
    article["title"] = "changed by the caller"
    entry = store.article(url_of(1))
    assert entry is not None
    assert entry.article is not None
    assert entry.article["title"] == "Straße"
    assert store.article(url_of(2)) is None


def test_an_article_that_turns_out_to_be_a_copy_is_told_to_sinks_and_stays_what_it_is(store: Store) -> None:
    copy = article_of("Straße", "日本語 \ud83d text") | {"tags": [], "removed": {}, "duplicate_of": None}
    first = store.record(record_of(url_of(1), *story(1), article=copy, content=11, signature=signature_of(1)))
    store.record(record_of(url_of(2), *story(2), article=article_of("Other")))
    before = store.article(url_of(1))
    assert store.mark_duplicate(url_of(1), url_of(3))
    last = store.articles()[-1]
    assert before is not None
    assert (last.url, last.article) == (url_of(1), copy | {"duplicate_of": url_of(3)})
    assert (last.version, last.previous, last.recorded) == (before.version, before.previous, before.recorded)
    assert last.cursor > 2
    assert [entry.url for entry in store.articles(site=SITE)] == [url_of(2), url_of(1)]
    # Twice is as good as once; fetched again it is the same article; and it can be taken back.
    assert not store.mark_duplicate(url_of(1), url_of(3))
    assert not store.mark_duplicate(url_of("unknown"), url_of(3))
    again = store.record(record_of(url_of(1), *story(1), article=copy, content=11))
    assert (again.version, again.cursor) == (first.version, None)
    assert store.articles()[-1] == last
    assert [candidate.url for candidate in store.candidates([1])] == [url_of(1)]
    assert store.mark_duplicate(url_of(1), None)
    assert store.articles()[-1].article == copy
    store.withdraw(url_of(1))
    assert not store.mark_duplicate(url_of(1), url_of(3))
    dumped = sorted(row["cursor"] for row in store.dump() if row["kind"] == "article")
    assert dumped == [entry.cursor for entry in store.articles()]


def test_withdrawn_articles_stay_in_the_outbox_as_such(store: Store) -> None:
    store.record(record_of(url_of(1), *story(1), article=article_of("One"), signature=signature_of(1)))
    store.record(record_of(url_of(2), *story(2), article=article_of("Two")))
    store.withdraw(url_of(1))
    store.withdraw(url_of("unknown"))
    assert [(entry.url, entry.article is None) for entry in store.articles()] == [(url_of(2), False), (url_of(1), True)]
    last = store.articles()[-1].cursor
    store.withdraw(url_of(1))
    assert store.articles()[-1].cursor == last
    assert store.candidates([1]) == []
    back = store.record(record_of(url_of(1), *story(1), article=article_of("One")))
    assert back.version == 2
    assert back.cursor is not None
    assert back.cursor > last


def test_what_was_withdrawn_is_kept_until_the_page_is_back(store: Store) -> None:
    article = article_of("One")
    store.record(record_of(url_of(1), *story(1), article=article))
    assert store.withdraw(url_of(1), NOON + 5)
    assert not store.withdraw(url_of(1), NOON + 9)
    assert not store.withdraw(url_of("unknown"))
    entry = store.article(url_of(1))
    assert entry is not None
    assert (entry.article, entry.was, entry.recorded) == (None, article, NOON + 5)
    assert store.articles() == [entry]
    assert store.info().articles == 0
    store.record(record_of(url_of(1), *story(1), article=article, fetched=NOON + 9))
    entry = store.article(url_of(1))
    assert entry is not None
    assert (entry.article, entry.was, entry.recorded) == (article, None, NOON + 9)


def test_a_run_counts_a_page_that_is_gone_once(store: Store) -> None:
    def misses(time: float, status: int, reason: str | None, run: float) -> int:
        store.visit(Visit(SITE, url_of(1), NOON + time, status, reason=reason, run=NOON + run))
        return store.page_states([url_of(1)])[url_of(1)].misses

    store.record(record_of(url_of(1), *story(1), article=article_of("One")))
    assert misses(10, 404, "gone", run=9) == 1
    assert misses(12, 404, "gone", run=9) == 1
    # One that began before the last miss may have asked at the same time as the other.
    assert misses(14, 410, "gone", run=11) == 1
    # A server that is down, or does not let us in, says nothing about the page.
    assert misses(20, 503, "http-503", run=19) == 1
    assert misses(30, 403, "http-403", run=29) == 1
    assert misses(40, 302, "gone", run=39) == 2
    assert misses(50, 410, "gone", run=49) == 3
    state = store.page_states([url_of(1)])[url_of(1)]
    assert (state.status, state.visits, state.version) == (410, 1, 1)
    assert misses(60, 304, None, run=59) == 0
    assert misses(70, 404, "gone", run=69) == 1
    store.record(record_of(url_of(1), *story(1), article=article_of("One"), fetched=NOON + 80))
    assert store.page_states([url_of(1)])[url_of(1)].misses == 0


def test_articles_that_were_not_seen_for_long(store: Store) -> None:
    for number, hour in ((1, 3), (2, 1), (3, 2), (4, 9)):
        record = record_of(url_of(number), *story(number), article=article_of("T"), fetched=NOON + hour * HOUR)
        store.record(record)
    store.record(record_of(url_of("list"), *story(5), reason="listing"))
    store.record(record_of(url_of("other"), *story(6), article=article_of("T"), site="other.example"))
    before = NOON + 9 * HOUR
    assert [state.url for state in store.stale(SITE, before)] == [url_of(2), url_of(3), url_of(1)]
    assert [state.url for state in store.stale(SITE, before, limit=1)] == [url_of(2)]
    # A visit of any kind is one; what was withdrawn may come back.
    store.visit(Visit(SITE, url_of(2), NOON + 8 * HOUR, status=404, reason="gone"))
    store.withdraw(url_of(2))
    assert store.stale(SITE, before)[-1] == store.page_states([url_of(2)])[url_of(2)]
    assert store.stale("unknown.example", before) == store.stale(SITE, NOON) == []
    store.forget(SITE)
    assert store.stale(SITE, before) == []


def test_cursors(store: Store) -> None:
    assert store.cursor("search") == 0
    store.set_cursor("search", 5)
    store.set_cursor("files", 2)
    store.set_cursor("search", 7)
    assert (store.cursor("search"), store.cursor("files")) == (7, 2)


def test_candidates_share_a_key(store: Store) -> None:
    for number, keys in enumerate([(1, 2), (2, 3), (4,)], start=1):
        signature = signature_of(*keys, data=b"%d" % number)
        fetched = NOON - number
        store.record(
            record_of(url_of(number), *story(number), article=article_of("T"), signature=signature, fetched=fetched)
        )
    assert [(c.url, c.site, c.data) for c in store.candidates([2])] == [
        (url_of(2), SITE, b"2"),
        (url_of(1), SITE, b"1"),
    ]
    assert [c.url for c in store.candidates([1, 2, 3], limit=1)] == [url_of(2)]
    assert store.candidates([9]) == store.candidates([]) == []
    # A new version replaces the signature of the old.
    store.record(record_of(url_of(1), *story(1), article=article_of("New"), signature=signature_of(9, 9)))
    assert [c.url for c in store.candidates([1, 2])] == [url_of(2)]
    assert [c.url for c in store.candidates([9])] == [url_of(1)]


def test_one_text_at_endless_addresses_costs_what_some_do(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SHARERS", 3)
    for number in range(1, 9):
        signature = signature_of(7, 100 + number)
        article = article_of(f"T{number}")
        store.record(
            record_of(url_of(number), *story(number), article=article, signature=signature, fetched=NOON + number)
        )
    assert [c.url for c in store.candidates([7])] == [url_of(1), url_of(2), url_of(3)]
    assert [c.url for c in store.candidates([7, 108])] == [url_of(1), url_of(2), url_of(3), url_of(8)]
    # Those that are gone leave their places to the next.
    store.withdraw(url_of(2))
    assert [c.url for c in store.candidates([7])] == [url_of(1), url_of(3), url_of(4)]


def test_held_pages(store: Store) -> None:
    for number in range(3):
        site = SITE if number < 2 else "other.example"
        held = b"response %d" % number
        store.record(record_of(url_of(number), *story(number), site=site, held=held, fetched=NOON + number))
    assert store.holds() == {SITE: 2, "other.example": 1}
    assert [(page.url, page.since, page.response) for page in store.held(SITE)] == [
        (url_of(0), NOON, b"response 0"),
        (url_of(1), NOON + 1, b"response 1"),
    ]
    assert [page.url for page in store.held(before=NOON + 1)] == [url_of(0)]
    assert [page.url for page in store.held(after=url_of(0), limit=1)] == [url_of(1)]
    assert store.held_page(url_of(1)) == store.held(SITE)[1]
    assert store.held_page(url_of("unknown")) is None
    assert store.page_states([url_of(0)])[url_of(0)].held
    # The record of the finished page takes it out; its blocks were counted when it was held.
    store.record(record_of(url_of(0), *story(0), article=article_of("T")))
    store.release(url_of(1))
    store.release(url_of("unknown"))
    assert store.holds() == {"other.example": 1}
    assert not any(state.held for state in store.page_states([url_of(0), url_of(1)]).values())
    state = store.page_states([url_of(0)])[url_of(0)]
    assert (state.visits, store.site_pages(SITE)) == (1, 2)

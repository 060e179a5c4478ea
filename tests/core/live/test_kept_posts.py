from __future__ import annotations

from cleancrawl.core.article import Article
from cleancrawl.core.live.kept_posts import MOST_POSTS, KeptPosts, keep_posts, write_posts
from cleancrawl.core.live.live_posts import MOST, MOST_GROUPS, Post, _alike, find_posts
from cleancrawl.core.page import Page
from tests.recipes_for_tests import paragraphs


def post(hour: int, text: str = "", minute: int = 0, name: str | None = None) -> Post:
    return Post(text or f"What happened at {hour}.", f"2026-03-15T{hour:02}:{minute:02}:00+01:00", None, name)


def texts(kept: KeptPosts) -> list[str | None]:
    return [record["text"] for record in kept.records]


def test_each_post_knows_when_it_was_first_seen() -> None:
    first = keep_posts([post(2), post(1)], [], "monday")
    second = keep_posts([post(3), post(2, "What happened at 2, corrected.")], first.records, "tuesday")
    assert [(record["text"], record["first_seen"]) for record in second.records] == [
        ("What happened at 3.", "tuesday"),
        ("What happened at 2, corrected.", "monday"),
        ("What happened at 1.", "monday"),
    ]
    assert [record["text"] for record in second.fallen] == ["What happened at 1."]


def test_two_posts_of_one_minute_are_two() -> None:
    stored = keep_posts([post(2, "C."), post(1, "B."), post(1, "A.")], [], "monday").records
    assert texts(keep_posts([post(2, "C."), post(1, "B.")], stored, "tuesday")) == ["C.", "B.", "A."]


def test_a_name_tells_more_than_a_time() -> None:
    stored = keep_posts([post(2, "B.", name="b"), post(1, "A.", name="a")], [], "monday").records
    moved = [post(3, "A, again.", name="a"), post(2, "B.", name="b")]
    assert texts(keep_posts(moved, stored, "tuesday")) == ["A, again.", "B."]


def test_posts_without_times_stay_behind_the_others() -> None:
    stored = keep_posts([Post("B."), Post("A.")], [], "monday").records
    assert texts(keep_posts([Post("C."), Post("B.")], stored, "tuesday")) == ["C.", "B.", "A."]


def test_what_is_kept_is_bounded() -> None:
    stored = [dict(record) for record in keep_posts([post(1, f"Post {n}.") for n in range(3_000)], [], "x").records]
    assert len(stored) == MOST_POSTS
    kept = keep_posts([post(5, f"New {number}.") for number in range(10)], stored, "y")
    assert (len(kept.records), kept.records[0]["text"]) == (MOST_POSTS, "New 0.")


def test_lines_around_the_posts_stay_around_them() -> None:
    article = Article("https://a.example/live", text="A lead.\nWhat happened at 2.\nA note at the end.")
    stored = keep_posts([post(1)], [], "monday").records
    write_posts(article, keep_posts([post(2)], stored, "tuesday"))
    assert article.text.split("\n") == ["A lead.", "What happened at 2.", "What happened at 1.", "A note at the end."]
    again = Article("https://a.example/live", text=article.text)
    write_posts(again, keep_posts([post(2)], stored, "tuesday"))
    assert again.text == article.text


def report(count: int) -> Page:
    posts = "".join(
        f"<li><time datetime='2026-03-15'>x</time><p>Post number {n} of many.</p></li>" for n in range(count)
    )
    page = Page(f"<ul>{posts}</ul>", "https://a.example/live")
    paragraphs().run(page)
    return page


def test_reports_of_any_length_are_read_as_far_as_posts_are_wanted() -> None:
    assert find_posts(report(2)) == []
    assert len(find_posts(report(20))) == 20
    assert len(find_posts(report(MOST + 500))) <= MOST


def test_broken_statements_are_none() -> None:
    for updates in ('"x"', "[1, null, {}]", '[{"articleBody": 7}]', '{"articleBody": ""}'):
        source = f'{{"@type": "LiveBlogPosting", "liveBlogUpdate": {updates}}}'
        page = Page(f"<script type='application/ld+json'>{source}</script>", "https://a.example/live")
        paragraphs().run(page)
        assert find_posts(page) == []


def test_times_in_times_are_no_more_work_than_the_largest_groups() -> None:
    inner = "".join(
        f"<div class=c{n}>" + "<p><time datetime='2026-03-15'>x</time>words here</p>" * 4 for n in range(200)
    )
    page = Page(f"<main>{inner}</main>", "https://a.example/live")
    paragraphs().run(page)
    assert len(list(_alike(page))) == MOST_GROUPS

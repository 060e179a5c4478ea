"""A report that grows, over real HTTP, with the default recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cleancrawl.cli import main
from cleancrawl.stores.opening import open_store
from spiders.pages import PagesSpider
from tests.crawl.test_sample_site import REAL
from tests.crawling import Crawl, LittleServer
from tests.site.ticker import LEAD, POSTS, Post, page, stamp

PATH = "/news/2026/03/15/storm-ragna-reaches-northmere-live"


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'live.db'}"


@pytest.fixture
def look(crawl: Crawl, server: LittleServer, store_url: str) -> Any:
    """Fetch the report as it is now; None where nothing is new."""

    def run(html: str, **settings: Any) -> Any:
        url = server.page(PATH, html)
        chosen = {
            **REAL,
            "ROBOTSTXT_OBEY": False,
            "CLEANCRAWL_STORE": store_url,
            "CLEANCRAWL_ONLY_NEW": True,
            "CLEANCRAWL_REVISIT_HOURS": 0,
            "CLEANCRAWL_WARMUP_PAGES": 0,
        }
        items = crawl(PagesSpider, {**chosen, **settings}, urls=url).items
        assert len(items) <= 1
        return items[0] if items else None

    return run


def posts_in(text: str) -> list[str]:
    known = {post.text: post.time for post in POSTS}
    return [known[line] for line in text.split("\n") if line in known]


@pytest.mark.parametrize("way", ["html", "json-ld"])
def test_posts_that_fall_off_the_page_stay_in_order_and_none_is_doubled(way: str, look: Any) -> None:
    for count in (6, 8, 11):
        article = look(page(POSTS[:count], 6, way=way), CLEANCRAWL_FORMATS=["markdown", "html"])
        times = [post.time for post in POSTS[:count]][::-1]
        assert posts_in(article.text) == times
        assert [posts_in(record["text"] or "") for record in article.posts] == [[time] for time in times]
        assert article.text.count(LEAD) == 1
        for post in POSTS[:count]:
            assert article.markdown.count(post.text[:40]) == 1
            assert post.text[:20] in article.clean_html
    assert article.version == 3
    assert article.posts[0]["first_seen"] >= article.posts[-1]["first_seen"]


def test_a_report_that_only_loses_posts_is_no_new_version(look: Any) -> None:
    assert look(page(POSTS[:9], 9)).version == 1
    assert look(page(POSTS[:9], 5)) is None
    assert look(page(POSTS[:10], 5)).version == 2


def test_the_oldest_may_come_first(look: Any) -> None:
    look(page(POSTS[:6], 6, newest_first=False))
    article = look(page(POSTS[:9], 5, newest_first=False))
    assert posts_in(article.text) == [post.time for post in POSTS[:9]]


def test_posts_are_told_by_their_shape_where_the_page_does_not_say_so(look: Any) -> None:
    look(page(POSTS[:7], 6, declared=False))
    article = look(page(POSTS[:9], 6, declared=False))
    assert posts_in(article.text) == [post.time for post in POSTS[1:9]][::-1]


def test_a_correction_is_one_and_a_deleted_post_goes(look: Any, store_url: str, capsys: Any) -> None:
    look(page(POSTS[:8], 8))
    wrong = POSTS[5]
    right = Post(wrong.time, wrong.text.replace("about 900 households", "about 1,200 households"))
    assert right != wrong
    changed = (*POSTS[:4], right, *POSTS[6:8])  # the fifth is gone, the sixth is corrected
    article = look(page(changed, 5))
    assert article.version == 2
    assert right.text in article.text
    assert wrong.text not in article.text
    assert POSTS[4].text not in article.text
    assert [record["time"] for record in article.posts] == [stamp(post) for post in changed][::-1]
    main(["compare", f"{store_url}@previous", store_url, "--article", article.url])
    shown = capsys.readouterr().out
    assert "900" in shown
    assert "1,200" in shown


def test_a_pinned_post_hides_nothing(look: Any) -> None:
    look(page(POSTS[:6], 6))
    pinned = page(POSTS[:9], 5).replace("<div class='feed'>", "<div class='feed'>" + _post(POSTS[0]), 1)
    article = look(pinned)
    assert sorted(posts_in(article.text)) == [post.time for post in POSTS[:9]]


def _post(post: Post) -> str:
    return f'<div class="post"><time datetime="{stamp(post)}">{post.time}</time><p>{post.text}</p></div>'


def test_an_article_with_dates_beside_it_is_no_report(look: Any) -> None:
    teasers = "".join(
        f"<li class='teaser'><time datetime='2026-03-0{day}'>{day} March</time></li>" for day in (1, 2, 3)
    )
    lines = "".join(f"<p>{post.text}</p>" for post in POSTS)
    html = page(POSTS[:0], 0, declared=False).replace("<div class='feed'></div>", f"{lines}<ul>{teasers}</ul>")
    assert look(html).posts is None


def test_what_was_added_is_shown(look: Any, store_url: str, server: LittleServer, capsys: Any) -> None:
    look(page(POSTS[:6], 6))
    article = look(page(POSTS[:8], 6))
    store = open_store(store_url)
    entry = store.article(article.url)
    assert entry is not None
    store.close()
    assert main(["compare", f"{store_url}@1", store_url, "--article", article.url]) in (0, 1)
    shown = capsys.readouterr().out
    assert all(post.text.split()[2] in shown for post in POSTS[6:8])
    assert main(["store", "posts", store_url, article.url]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("2026-03-15")]
    assert [line.split()[0] for line in lines] == [stamp(post) for post in POSTS[:8]][::-1]
    assert main(["store", "posts", store_url, article.url, "--new", "--json"]) == 0
    assert POSTS[7].text in capsys.readouterr().out

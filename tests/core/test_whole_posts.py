"""Index pages with whole posts, as themes of site generators write them, and articles that look a little like it."""

from __future__ import annotations

import pytest

from cleancrawl import clean
from cleancrawl.core.page_kind import Verdict, decide
from cleancrawl.core.whole_posts import shows_posts
from tests.whole_post import whole_post

TITLES = ("A storm hits the northern coast", "The ferry is back in service", "New rules for the old harbour")
HEAD = (
    "<html lang=en><head><title>{0}</title></head><body><header><h1><a href='/'>Notes from the pier</a></h1></header>"
)
FOOT = "<footer><p>Powered by a generator. Theme by somebody.</p></footer></body></html>"


def slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def pelican(title: str) -> str:
    link = f'<a href="https://notes.example/{slug(title)}.html" rel="bookmark">{title}</a>'
    return (
        f'<li><article class="hentry"><header><h2 class="entry-title">{link}</h2></header><footer class="post-info">'
        f'<time class="published" datetime="2026-02-24T09:00:00">Tue 24 February 2026</time> <address>By Ada</address>'
        f'</footer><div class="entry-content">{whole_post(title)}</div></article></li>'
    )


def nikola(title: str) -> str:
    return (
        f'<article class="h-entry post-text" itemscope><header><h1 class="p-name entry-title"><a class="u-url" '
        f'href="posts/{slug(title)}/">{title}</a></h1><p class="dateline"><time>2026-02-24</time></p></header>'
        f'<div class="e-content entry-content">{whole_post(title)}</div></article>'
    )


def plain_div(title: str) -> str:
    return f'<div class="post"><h3><a href="/2026/{slug(title)}">{title}</a></h3>{whole_post(title)}<hr></div>'


def verdict(html: str, url: str) -> Verdict:
    document = clean(html, url)
    return decide(document.page, document.metadata)


@pytest.mark.parametrize("theme", [pelican, nikola, plain_div])
@pytest.mark.parametrize("path", ["blog-posts/about-the-harbour-and-the-sea.html", "index-1.html", "archive/all"])
def test_a_page_of_whole_posts_is_a_listing(theme: object, path: str) -> None:
    posts = "".join(map(theme, TITLES))  # type: ignore[call-overload]
    document = clean(HEAD.format("Notes from the pier") + posts + FOOT, f"https://notes.example/{path}")
    assert shows_posts(document.page, f"https://notes.example/{path}")
    assert not decide(document.page, document.metadata).is_article
    # Without what is looked for here it would be an article, or was none before.
    assert decide(document.page, document.metadata, strict=False).is_article


@pytest.mark.parametrize("theme", [pelican, nikola])
def test_one_post_is_enough_on_a_numbered_page(theme: object) -> None:
    html = HEAD.format("Notes from the pier") + theme(TITLES[0]) + FOOT  # type: ignore[operator]
    assert verdict(html, "https://notes.example/index-7.html").reason is not None
    assert verdict(html, "https://notes.example/page/2/").reason is not None


@pytest.mark.parametrize("theme", [pelican, nikola])
@pytest.mark.parametrize("path", ["author/ruth-abara.html", "category/harbour/", "tag/sea"])
def test_one_post_is_enough_in_an_archive(theme: object, path: str) -> None:
    """Pelican shows the newest post of an author in full; of many authors there is no other."""
    html = HEAD.format("Notes from the pier") + theme(TITLES[0]) + FOOT  # type: ignore[operator]
    document = clean(html, f"https://notes.example/{path}")
    assert shows_posts(document.page, f"https://notes.example/{path}")
    assert decide(document.page, document.metadata).reason is not None
    assert not shows_posts(document.page, "https://notes.example/author-of-the-year/ruth-abara.html")


@pytest.mark.parametrize("theme", [pelican, nikola])
def test_the_page_of_the_post_itself_is_an_article(theme: object) -> None:
    """Its heading leads to the page itself; other posts may follow with their first lines."""
    title = TITLES[0]
    own = theme(title).replace(f'href="posts/{slug(title)}/"', 'href="."')  # type: ignore[operator]
    name = f"{slug(title)}.html" if theme is pelican else f"posts/{slug(title)}/"
    more = "".join(
        f'<article><h2><a href="/{slug(t)}">{t}</a></h2><p>{whole_post(t)[3:90]}</p></article>' for t in TITLES[1:]
    )
    for below in ("", more):
        assert verdict(HEAD.format(title) + own + below + FOOT, f"https://notes.example/{name}").is_article


def test_an_article_with_linked_headings_stays_one() -> None:
    title, url = "Five piers of the north, and what became of them", "https://notes.example/2026/02/24/five-piers-north"
    parts = "".join(f'<h2><a href="/piers/{slug(t)}">{t}</a></h2>{whole_post(t)}' for t in TITLES)
    html = HEAD.format(title) + f"<article><h1>{title}</h1>{whole_post(title)}{parts}</article>" + FOOT
    assert verdict(html, url).is_article
    # A box with another story, in the article and before most of its text.
    boxes = "".join(f'<article class="related"><h3><a href="/x/{slug(t)}">{t}</a></h3></article>' for t in TITLES[:2])
    inner = (
        f'<h2><a href="/live/{slug(TITLES[0])}">{TITLES[0]}</a></h2>{whole_post(title)}{boxes}{whole_post(TITLES[1])}'
    )
    assert verdict(HEAD.format(title) + f"<article><h1>{title}</h1>{inner}</article>" + FOOT, url).is_article
    reviews = "".join(
        f'<div class="entry"><h3><a href="/r/{slug(t)}">{t}</a></h3>{whole_post(t)}</div>' for t in TITLES
    )
    guide = f"<h1>{title}</h1><p>{whole_post(title)[3:200]}</p>{reviews}"
    assert verdict(HEAD.format(title) + guide + FOOT, url).is_article
    elsewhere = "".join(
        f'<div class="post"><h2><a href="https://shop.example/{slug(t)}">{t}</a></h2>{whole_post(t)}</div>'
        for t in TITLES
    )
    assert verdict(HEAD.format(title) + f"<article><h1>{title}</h1>{elsewhere}</article>" + FOOT, url).is_article

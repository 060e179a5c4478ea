"""Portal A, *The Northmere Courier*: HTML5 sections, many class names, boxes inside the article's body."""

from __future__ import annotations

from functools import partial
from html import escape
from urllib.parse import quote

from tests.site import special
from tests.site.head import head
from tests.site.render import (
    block_html,
    comments_for,
    counters,
    date_of,
    direction,
    fill,
    inline,
    labels,
    section_title,
    serial,
    with_additions,
    word_total,
)
from tests.site.resource import Resource, View, page, redirect, text
from tests.site.source import Article, articles, plain

NAME = "The Northmere Courier"
PER_PAGE = 5
SECTIONS = ("local", "business", "science", "sport", "world", "editions")
_EDITIONS = ("deutsch", "arabic", "chinese")
PRINTED = "seagrass"
PRINT_PATH = "/print/seagrass-meadow-returns-to-lunn-sound"


def all_articles() -> list[Article]:
    return [article for article in articles().values() if article.portal == "a"]


def linked_articles() -> list[Article]:
    """What the front page and the sections link to: an article that only the sitemap knows is left out."""
    return [article for article in all_articles() if "sitemap-only" not in article.options]


def shell(view: View, main: str, title: str, head_lines: str = "", language: str = "en", body_class: str = "") -> str:
    """A whole page around its main part."""
    most_read = sorted((article for article in linked_articles() if article.language == "en"), key=_popularity)[:5]
    return fill(
        "a_page.html",
        language=language,
        direction=direction(language),
        window_title=f"{escape(title)} | {NAME}",
        head=head_lines or '<meta property="og:type" content="website">',
        path=view.path,
        body_class=body_class or "page",
        main=main,
        most_read="".join(f'<li><a href="{article.path}">{inline(article.title)}</a></li>' for article in most_read),
        **labels(language),
        **counters(view),
    )


def _popularity(article: Article) -> int:
    return serial(article.name)


def article_page(article: Article, view: View) -> str:
    """The article with everything that a commercial portal hangs on it."""
    label = labels(article.language)
    main = fill(
        "a_article.html",
        name=article.name,
        section=article.section if article.section in SECTIONS else "editions",
        section_title=section_title(article.section),
        short_title=inline(article.title[:40]) + "…",
        title=inline(article.title),
        standfirst=_standfirst(article),
        byline=_byline(article, label),
        minutes=word_total(article) // 200 + 1,
        quoted_url=quote(view.base + article.path, safe=""),
        print_link=PRINT_PATH if article.name == PRINTED else "javascript:window.print()",
        caption=inline(article.caption),
        credit=inline(article.credit),
        audio=_audio(article),
        body=_body(article, view, label),
        bio="" if "bio-inside" in article.options else _bio(article),
        tags="".join(f'<li><a href="/search?q={quote(tag)}">{tag}</a></li>' for tag in article.tags),
        hidden_copy=_hidden_copy(article),
        related="".join(_card(other) for other in _related(article)),
        comments=_comments(article, label),
        serial=serial(article.name),
        **label,
    )
    lines = head(article, view, NAME)
    return shell(view, main, article.title, lines, article.language, "has-ads article")


def _standfirst(article: Article) -> str:
    return f'<p class="story__standfirst">{inline(article.standfirst)}</p>' if article.standfirst else ""


def _byline(article: Article, label: dict[str, str]) -> str:
    when = date_of(article)
    return (
        f'<span class="byline">{label["label_by"]} <a rel="author" href="/search?q={quote(article.author)}">'
        f'{article.author}</a></span> · <time datetime="{article.date}">{when:%d.%m.%Y, %H:%M}</time> · '
    )


def _audio(article: Article) -> str:
    if article.section != "science":
        return ""
    return (
        f'<div class="audio-player"><span>Listen to this article</span><audio controls src="/media/{article.name}.mp3">'
        "Your browser cannot play this recording.</audio></div>"
    )


def _body(article: Article, view: View, label: dict[str, str]) -> str:
    """The blocks, with an advertisement, a teaser and a newsletter box between them.

    `plain-boxes` are those without a telling class name, as they come out of an editor's rich text field.
    """
    boxes = [_inline_ad(article, label), _inline_teaser(article, label), _newsletter(article)]
    parts: list[str] = []
    for number, block in enumerate(with_additions(article, view)):
        parts.append(block_html(block))
        # Editors put a box after a finished paragraph, not between a subhead or a colon and what follows it.
        if boxes and number in (1, 3, 4, 5, 6, 7, 8) and block.kind == "paragraph" and block.lines[0][-1] != ":":
            parts.append(boxes.pop(0))
    if "bio-inside" in article.options:
        parts.append(_bio(article))
    return "\n".join(parts)


def _inline_ad(article: Article, label: dict[str, str]) -> str:
    return fill("a_inline_ad.html", serial=serial(article.name), **label)


def _inline_teaser(article: Article, label: dict[str, str]) -> str:
    other = _related(article)[0]
    name = "a_plain_teaser.html" if "plain-boxes" in article.options else "a_inline_teaser.html"
    return fill(name, path=other.path, title=inline(other.title), **label)


def _newsletter(article: Article) -> str:
    if article.language != "en":
        return ""
    return fill("a_plain_newsletter.html" if "plain-boxes" in article.options else "a_newsletter.html")


def _bio(article: Article) -> str:
    return fill("a_bio.html", author=article.author, bio=article.bio) if article.bio else ""


def _hidden_copy(article: Article) -> str:
    """The opening once more for a reader app: in the source, never on the screen."""
    opening = "".join(block_html(block) for block in article.body[:2])
    return f'<div class="app-preview" style="display:none" aria-hidden="true">{opening}</div>'


def _related(article: Article) -> list[Article]:
    others = [other for other in linked_articles() if other.name != article.name and other.language == "en"]
    others.sort(key=lambda other: (other.section != article.section, serial(article.name + other.name)))
    return others[:3]


def _card(article: Article) -> str:
    opening = " ".join(_opening(article).split()[:18])
    return fill("a_card.html", path=article.path, name=article.name, title=inline(article.title), opening=opening)


def _opening(article: Article) -> str:
    return escape(plain(article.standfirst or article.body[0].lines[0]), quote=False)


def _comments(article: Article, label: dict[str, str]) -> str:
    entries = comments_for(article)
    if not entries:
        return ""
    items = "".join(
        f'<li class="comment"><div class="comment__author">{name}</div><time>{index + 1} h ago</time>'
        f"<p>{said}</p><button>Reply</button> <button>Report</button></li>"
        for index, (name, said) in enumerate(entries)
    )
    return (
        f'<section class="comments" id="comments"><h2>{len(entries)} {label["label_comments"]}</h2><ul>{items}</ul>'
        '<p class="comments__rules">Please be polite and stay on the subject. Comments are closed after three days.</p>'
        "</section>"
    )


def print_page(article: Article, view: View) -> str:
    return fill(
        "a_print.html",
        language=article.language,
        title=inline(article.title),
        url=view.base + article.path,
        author=article.author,
        date_text=f"{date_of(article):%d %B %Y}",
        standfirst=_standfirst(article),
        body="\n".join(block_html(block, "h3") for block in with_additions(article, view)),
    )


def in_section(section: str) -> list[Article]:
    wanted = _EDITIONS if section == "editions" else (section,)
    return [article for article in linked_articles() if article.section in wanted]


def listing_page(heading: str, found: list[Article], number: int, base_path: str, view: View) -> str:
    """One page of a list of teasers, with links to the pages before and after it."""
    found = [article for article in found if article.path not in view.withheld]
    last = max(1, -(-len(found) // PER_PAGE))
    shown = found[(number - 1) * PER_PAGE : number * PER_PAGE]
    items = "".join(_teaser(article) for article in shown)
    pages = " ".join(
        f'<a href="{base_path}?page={other}">{other}</a>' if other > 1 else f'<a href="{base_path}">1</a>'
        for other in range(1, last + 1)
    )
    return shell(
        view,
        fill("a_listing.html", heading=heading, items=items, pagination=pages, traps=special.trap_links(view)),
        heading,
    )


def _teaser(article: Article) -> str:
    return fill(
        "a_teaser.html",
        address=article.path + special.tracking(article),
        title=inline(article.title),
        opening=_opening(article),
        author=article.author,
        date=f"{date_of(article):%d.%m.%Y}",
    )


def resources() -> dict[str, Resource]:
    """Everything that the portal serves, by path."""
    served: dict[str, Resource] = {}
    for article in all_articles():
        render = partial(article_page, article)
        served[article.path] = page(render, modified=date_of(article), slow="slow" in article.options)
    served[PRINT_PATH] = page(partial(print_page, articles()[PRINTED]), modified=date_of(articles()[PRINTED]))
    for number in range(1, -(-len(linked_articles()) // PER_PAGE) + 1):
        path = "/" if number == 1 else f"/?page={number}"
        served[path] = page(partial(listing_page, "Today in the Courier", linked_articles(), number, "/"))
    for section in SECTIONS:
        path = f"/section/{section}"
        for number in range(1, max(1, -(-len(in_section(section)) // PER_PAGE)) + 1):
            served[path + (f"?page={number}" if number > 1 else "")] = page(
                partial(listing_page, section_title(section), in_section(section), number, path)
            )
    served.update(special.portal_a_pages(shell))
    served["/static/a.css"] = text(fill("a.css"), "text/css")
    served["/old/harbour-bridge"] = redirect(articles()["bridge-closed"].path, 301)
    served["/go/ferry"] = redirect(articles()["bridge-ferry"].path, 302)
    served["/loop/1"] = redirect("/loop/2", 302)
    served["/loop/2"] = redirect("/loop/1", 302)
    return served

"""Portal B, *The Valmora Gazette*: tables, cells and font elements, in several languages and encodings."""

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
    fill,
    inline,
    labels,
    section_title,
    serial,
    with_additions,
)
from tests.site.resource import HTML, Resource, View, page, redirect
from tests.site.source import Article, SourceBlock, articles

NAME = "The Valmora Gazette"
PER_PAGE = 4
GROUPS = {
    "city": ("city", "region", "money"),
    "culture": ("culture", "science", "sport", "travel"),
    "abroad": ("world", "russian", "japanese"),
}


def all_articles() -> list[Article]:
    return [article for article in articles().values() if article.portal == "b"]


def linked_articles() -> list[Article]:
    """What the front page and the sections link to: an article that only the feed knows is left out."""
    return [article for article in all_articles() if "feed-only" not in article.options]


def group_of(article: Article) -> str:
    return next(group for group, sections in GROUPS.items() if article.section in sections)


def shell(view: View, main: str, title: str, head_lines: str = "", language: str = "en", charset: str = "utf-8") -> str:
    """A whole page around its middle cell."""
    most_read = sorted((article for article in linked_articles() if article.language == "en"), key=_popularity)[:4]
    rows = "".join(f'<tr><td><a href="{other.path}">{inline(other.title)}</a></td></tr>' for other in most_read)
    numbers = counters(view)
    return fill(
        "b_page.html",
        language=language,
        charset=charset,
        window_title=f"{NAME} - {escape(title)}",
        head=head_lines,
        main=main,
        most_read=rows,
        visitors=f"{8_204_000 + serial(view.path) + view.version:,}",
        **labels(language),
        **numbers,
    )


def _popularity(article: Article) -> int:
    return serial(article.path)


def article_page(article: Article, view: View) -> str:
    blocks = with_additions(article, view)
    main = fill(
        "b_article.html",
        group=group_of(article),
        section_title=section_title(article.section),
        title=inline(article.title),
        author=article.author,
        date_text=_date_text(article),
        picture=_picture(article),
        lead=f"<b>{inline(article.standfirst)}</b><br><br>" if article.standfirst else "",
        # Some of the oldest pages have their text in the cell itself.
        open_text="" if "cell" in article.options else '<div class="article-text">',
        close_text="" if "cell" in article.options else "</div>",
        opening=_text(article, blocks[:2]),
        rest=_text(article, blocks[2:]),
        related="<br>".join(f'<a href="{other.path}">{inline(other.title)}</a>' for other in _related(article)),
        quoted_url=quote(view.base + article.path, safe=""),
        hidden=_text(article, article.body[:1]),
        comments=_letters(article),
        serial=serial(article.name),
        **labels(article.language),
    )
    # Older software writes the name that browsers know, not Python's.
    charset = {"cp1251": "windows-1251", "shift_jis": "Shift_JIS"}.get(article.encoding, article.encoding)
    return shell(view, main, article.title, head(article, view, NAME), article.language, charset)


def _date_text(article: Article) -> str:
    when = date_of(article)
    if article.language == "ja":
        return f"{when.year}年{when.month}月{when.day}日"
    return f"{when:%d.%m.%Y}" if article.language != "en" else f"{when.day} {when:%B %Y}"


def _picture(article: Article) -> str:
    if not article.caption:
        return ""
    return fill("b_picture.html", name=article.name, caption=inline(article.caption), credit=inline(article.credit))


def _text(article: Article, blocks: tuple[SourceBlock, ...]) -> str:
    """Paragraphs, or in the oldest pages lines with breaks between them and no element of their own."""
    if "br" not in article.options:
        return "\n".join(block_html(block, "h3") for block in blocks)
    return "".join(f"{inline(block.lines[0])}<br><br>\n" for block in blocks)


def _related(article: Article) -> list[Article]:
    others = [other for other in linked_articles() if other.name != article.name and other.language == "en"]
    return sorted(others, key=lambda other: serial(article.name + other.name))[:3]


def _letters(article: Article) -> str:
    entries = comments_for(article)
    if serial(article.name) % 3 == 0 or not entries:
        return ""
    rows = "".join(f'<tr><td bgcolor="#f4f4f4"><b>{name}</b> wrote:<br>{said}</td></tr>' for name, said in entries)
    return (
        '<table width="100%" cellpadding="4" class="comments"><tr><td><b>Readers\' comments</b></td></tr>'
        f'{rows}<tr><td><a href="/cgi-bin/guestbook">Write a comment</a></td></tr></table>'
    )


def listing_page(heading: str, found: list[Article], number: int, base_path: str, view: View) -> str:
    """One page of teasers in table rows."""
    found = [article for article in found if article.path not in view.withheld]
    last = max(1, -(-len(found) // PER_PAGE))
    rows = "".join(_teaser(article) for article in found[(number - 1) * PER_PAGE : number * PER_PAGE])
    pages = " | ".join(
        f'<a href="{base_path}{f"?p={other}" if other > 1 else ""}">{other}</a>' for other in range(1, last + 1)
    )
    main = f'<h1 class="headline">{heading}</h1><table cellpadding="6">{rows}</table><center>Page {pages}</center>'
    return shell(view, main + fill("b_odds.html") + special.trap_links(view), heading)


def _teaser(article: Article) -> str:
    opening = article.standfirst or article.body[0].lines[0][:90] + "..."
    return fill(
        "b_teaser.html", name=article.name, path=article.path, title=inline(article.title), opening=inline(opening)
    )


def _article_resource(article: Article) -> Resource:
    """Pages in old encodings have no charset in the header; one page has the wrong one."""
    content_type = HTML if article.encoding == "utf-8" else "text/html"
    if "lies" in article.options:
        content_type = "text/html; charset=iso-8859-1"
    render = partial(article_page, article)
    return page(render, article.encoding, content_type=content_type, modified=date_of(article))


def _listings(path: str, heading: str, found: list[Article]) -> dict[str, Resource]:
    numbers = range(1, max(1, -(-len(found) // PER_PAGE)) + 1)
    return {
        path + (f"?p={number}" if number > 1 else ""): page(partial(listing_page, heading, found, number, path))
        for number in numbers
    }


def resources() -> dict[str, Resource]:
    """Everything that the portal serves, by path."""
    served = {article.path: _article_resource(article) for article in all_articles()}
    served.update(_listings("/archive.htm", "Archive", linked_articles()))
    served["/"] = page(partial(listing_page, "Today's news", linked_articles()[:PER_PAGE], 1, "/"))
    for group, sections in GROUPS.items():
        found = [article for article in linked_articles() if article.section in sections]
        served.update(_listings(f"/section/{group}.htm", group.title(), found))
    served.update(special.portal_b_pages(shell))
    served["/index.htm"] = redirect("/", 301)
    return served

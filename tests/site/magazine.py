"""*The Harbour Review*, a magazine that prints its long stories on several pages, each story in another way.

Its texts are those of the portals' articles. ``publish(server)`` puts it on a ``LittleServer``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from tests.site.source import Article, articles, gold_text, plain

if TYPE_CHECKING:
    from tests.crawling import LittleServer

BOX = (
    "The Harbour Review is printed four times a year. Readers in all ports of the coast write for it, and you can too."
)
"""A box that stands between the paragraphs of every page."""


@dataclass(frozen=True)
class Story:
    article: Article
    first: str
    """The path of its first page."""
    address: Callable[[str, int], str]
    """The path of another part."""
    parts: int = 3
    head_links: bool = False
    """``rel=next`` and ``rel=prev`` in the head."""
    numbers: bool = True
    """A pager that names all parts; else only the next and the previous one."""
    states_total: bool = False
    """"Page 1 of 3" in words."""
    single: str = ""
    """The path of a version on one page."""

    def path(self, number: int) -> str:
        return self.first if number == 1 else self.address(self.first, number)

    @property
    def gold(self) -> str:
        return gold_text(self.article).strip()

    def lines(self, number: int) -> list[str]:
        """The paragraphs of a part."""
        body = self.article.body
        size = -(-len(body) // self.parts)
        return [plain(line) for block in body[(number - 1) * size : number * size] for line in block.lines]


STORIES = {
    "query": Story(
        articles()["seagrass"],
        "/stories/the-meadow-under-the-sound",
        lambda first, number: f"{first}?page={number}",
        head_links=True,
        states_total=True,
    ),
    "path": Story(
        articles()["lighthouse"],
        "/stories/the-last-keeper-of-the-light",
        lambda first, number: f"{first}/{number}",
        numbers=False,
        head_links=True,
    ),
    "page": Story(
        articles()["bakery"],
        "/stories/a-bakery-with-many-owners/",
        lambda first, number: f"{first}page/{number}/",
        parts=4,
    ),
    "suffix": Story(
        articles()["observatory"],
        "/stories/an-observatory-moves-house.html",
        lambda first, number: first.replace(".html", f"-{number}.html"),
        parts=2,
        states_total=True,
    ),
    "view-all": Story(
        articles()["orchestra"],
        "/stories/an-orchestra-without-a-hall",
        lambda first, number: f"{first}?page={number}",
        single="/stories/an-orchestra-without-a-hall?page=all",
    ),
    "print": Story(
        articles()["chess"],
        "/stories/chess-in-the-harbour-cafe",
        lambda first, number: f"{first}/{number}",
        single="/stories/chess-in-the-harbour-cafe/print",
    ),
}


def pager(story: Story, number: int) -> str:
    links = []
    if number > 1:
        links.append(f'<a href="{story.path(number - 1)}">Previous</a>')
    links += [
        f"<b>{other}</b>" if other == number else f'<a href="{story.path(other)}">{other}</a>'
        for other in (range(1, story.parts + 1) if story.numbers else ())
    ]
    if number < story.parts:
        links.append(f'<a href="{story.path(number + 1)}">Next</a>')
    if story.single:
        links.append(f'<a href="{story.single}">View as a single page</a>')
    total = f"<p>Page {number} of {story.parts}</p>" if story.states_total else ""
    return f'{total}<div class="pages">{" ".join(links)}</div>'


def page(story: Story, number: int, *added: str, below: str = "") -> str:
    """A part as HTML; 0 is the version on one page. ``added`` paragraphs stand at its end."""
    article, numbers = story.article, range(1, story.parts + 1) if number == 0 else (number,)
    lines = [line for part in numbers for line in story.lines(part)] + list(added)
    if number > 1:  # the last paragraph of the part before stands above the text once more
        lines.insert(0, story.lines(number - 1)[-1])
    lines.insert(1, BOX)
    body = "".join(f"<p>{escape(line)}</p>" for line in lines)
    links = ""
    if story.head_links and 0 < number < story.parts:
        links += f'<link rel="next" href="{story.path(number + 1)}">'
    if story.head_links and number > 1:
        links += f'<link rel="prev" href="{story.path(number - 1)}">'
    standfirst = f'<p class="standfirst">{escape(article.standfirst)}</p>' if article.standfirst else ""
    return frame(
        article.title,
        f"<article><h1>{escape(article.title)}</h1><p class='byline'>By {escape(article.author)}</p>"
        f"<time datetime='{article.date}'>{article.date[:10]}</time>{standfirst}{body}</article>"
        f"{pager(story, number) if number else ''}{below}",
        f'<meta property="og:type" content="article"><meta property="article:published_time" content="{article.date}">'
        + links,
    )


def frame(title: str, main: str, head: str = "") -> str:
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{escape(title)} – The Harbour Review</title>"
        f"{head}</head><body><nav><ul><li><a href='/'>The Harbour Review</a></li>"
        f"<li><a href='/stories'>Stories</a></li></ul></nav><main>{main}</main>"
        "<footer><p>© The Harbour Review. All rights reserved.</p></footer></body></html>"
    )


def listing(paths: list[str], number: int) -> str:
    """A page of the list of stories, which has a next page as well."""
    entries = "".join(
        f"<li><h2><a href='{story.first}'>{escape(story.article.title)}</a></h2>"
        f"<p>{escape(story.article.standfirst)}</p></li>"
        for story in STORIES.values()
        if story.first in paths
    )
    head = f'<link rel="next" href="/stories?page={number + 1}">' if number < 2 else ""
    return frame("Stories", f"<h1>Stories</h1><ul>{entries}</ul><a href='/stories?page=2'>2</a>", head)


def publish(server: LittleServer) -> None:
    """All stories, the list of them, a front page and robots.txt."""
    for story in STORIES.values():
        for number in range(1, story.parts + 1):
            server.page(story.path(number), page(story, number), headers={"ETag": f'"{number}"'})
        if story.single:
            server.page(story.single, page(story, 0))
    firsts = [story.first for story in STORIES.values()]
    server.page("/stories", listing(firsts[:3], 1))
    server.page("/stories?page=2", listing(firsts[3:], 2))
    server.page("/", frame("Front", "<h1>The Harbour Review</h1><p><a href='/stories'>All stories</a></p>"))
    server.page("/robots.txt", "User-agent: *\nDisallow: /private", kind="text/plain")

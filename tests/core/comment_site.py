"""A small site with 90 comments in five kinds of markup, written for the tests."""

from __future__ import annotations

from typing import NamedTuple


class Said(NamedTuple):
    author: str
    date: str
    paragraphs: tuple[str, ...]


ARTICLE = tuple(
    f"The council of district {number} met on Tuesday evening and voted, after four hours of debate, to rebuild the "
    f"old bridge at kilometre {number}0, which engineers had closed to lorries in the spring because of its cracks."
    for number in range(1, 6)
)
NAMES = ("Ann Lee", "Bob", "Carla Stein", "Dieter", "Eve Moreau", "Farid", "Greta Holm", "Hugo", "Ines", "Jan Novak")
OPENINGS = (
    "I have crossed this bridge every day for thirty years, and nobody ever asked those of us who live beside it.",
    "According to the report of the engineers, which anybody can read in the town hall, the piers were sound in 2019.",
    "Thank you for this article.",
    "My grandfather helped to build it. He would have laughed at a plan that takes longer than the bridge itself did.",
    "Who pays for the buses until then?",
)


def said(kind: int, number: int) -> Said:
    paragraphs = [f"{OPENINGS[number % 5]} That is remark {kind}-{number}."]
    if number % 4 == 0:
        paragraphs.append(
            f"Let me add, as remark {kind}-{number} goes on, that the ministry promised in its letter of March to bear "
            "half of the cost, that the district has put the other half aside, and that the work could begin at once."
        )
    return Said(NAMES[(number + kind) % len(NAMES)], f"2024-05-{number % 28 + 1:02d}", tuple(paragraphs))


def wordpress(remarks: list[Said]) -> str:
    items = []
    for number, remark in enumerate(remarks):
        text = "".join(f"<p>{line}</p>" for line in remark.paragraphs)
        body = (
            f'<article id="div-comment-{number}" class="comment-body"><footer class="comment-meta">'
            f'<div class="comment-author vcard"><b class="fn">{remark.author}</b> <span class="says">says:</span></div>'
            f'<div class="comment-metadata"><a href="#c{number}"><time datetime="{remark.date}T10:15:00+00:00">'
            f"{remark.date} at 10:15</time></a></div></footer>"
            f'<div class="comment-content">{text}</div><div class="reply"><a href="#r">Reply</a></div></article>'
        )
        if number % 3 == 1:
            items[-1] = (
                items[-1].removesuffix("</li>") + f'<ol class="children"><li class="comment">{body}</li></ol></li>'
            )
        else:
            items.append(f'<li id="comment-{number}" class="comment depth-1">{body}</li>')
    return (
        f'<div id="comments"><h2>{len(remarks)} thoughts on “A bridge”</h2>'
        f'<ol class="comment-list">{"".join(items)}</ol>'
        '<div id="respond"><h3>Leave a Reply</h3>'
        "<form><p>Your email address will not be published.</p></form></div></div>"
    )


def drupal(remarks: list[Said]) -> str:
    items = "".join(
        f'<article id="c{number}" class="comment js-comment"><footer class="comment__meta"><p class="comment__author">'
        f'<span class="username">{remark.author}</span></p><p class="comment__time">{remark.date}</p></footer>'
        f'<div class="comment__content"><div>{"".join(f"<p>{line}</p>" for line in remark.paragraphs)}</div>'
        '<ul class="links"><li><a href="#">Reply</a></li></ul></div></article>'
        for number, remark in enumerate(remarks)
    )
    return f'<section id="comments"><h2>Comments</h2>{items}</section>'


def schema_org(remarks: list[Said]) -> str:
    items = "".join(
        '<div itemscope itemtype="https://schema.org/Comment"><div>'
        f'<span itemprop="author" itemscope><span itemprop="name">{remark.author}</span></span>, '
        f'<time itemprop="dateCreated" datetime="{remark.date}">some day</time></div>'
        f'<div itemprop="text">{"".join(f"<p>{line}</p>" for line in remark.paragraphs)}</div></div>'
        for remark in remarks
    )
    return f"<div><h3>What others think</h3>{items}</div>"


def german(remarks: list[Said]) -> str:
    def day(date: str) -> str:
        return ".".join(reversed(date.split("-")))

    items = "".join(
        f"<div class=x1><p class=x2>{remark.author} schrieb am {day(remark.date)}, 10:15 Uhr</p>"
        f"{''.join(f'<p class=x3>{line}</p>' for line in remark.paragraphs)}"
        "<p class=x4><a href=#>Antworten</a></p></div>"
        for remark in remarks
    )
    return f"<div class=x0><h3>{len(remarks)} Kommentare</h3>{items}</div>"


def without_class(remarks: list[Said]) -> str:
    items = "".join(
        f"<div><p>{remark.author}</p><p>{remark.date}</p>{''.join(f'<p>{line}</p>' for line in remark.paragraphs)}"
        "<p><a href=#>Reply</a></p></div>"
        for remark in remarks
    )
    return f"<div>{items}</div>"


KINDS = (wordpress, drupal, schema_org, german, without_class)


def pages() -> list[tuple[str, str, list[Said]]]:
    """Three pages of each kind with 4, 6 and 8 comments: name, HTML, and what readers said."""
    found = []
    for kind, render in enumerate(KINDS):
        for page, count in enumerate((4, 6, 8)):
            remarks = [said(kind, 10 * page + number) for number in range(count)]
            text = "".join(f"<p>{line}</p>" for line in ARTICLE[: 5 - 2 * (page == 2)])
            html = (
                f"<html lang={'de' if render is german else 'en'}><title>A bridge</title>"
                "<body><nav><a href=/>Home</a></nav>"
                f"<main><article><h1>A bridge</h1>{text}</article>{render(remarks)}</main>"
                "<footer><p>© 2024 The Paper</p></footer>"
            )
            found.append((f"{render.__name__}-{page}", html, remarks))
    return found

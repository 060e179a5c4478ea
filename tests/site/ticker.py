"""A live report that shows its newest posts alone: ``page(8)`` is as it was after the eighth."""

from __future__ import annotations

import json
from html import escape
from typing import NamedTuple

from tests.site.render import TEMPLATES

TITLE = "Storm Ragna reaches Northmere: the day as it happened"
LEAD = (
    "Storm Ragna has reached the coast of Northmere in the early hours of Sunday. Our reporters tell from the harbour, "
    "the town hall and the peninsula what it does, and what to do, as long as it lasts."
)


class Post(NamedTuple):
    time: str
    text: str


POSTS = tuple(Post(*line.split(" | ", 1)) for line in (TEMPLATES / "live.txt").read_text("utf-8").splitlines())


def stamp(post: Post) -> str:
    return f"2026-03-15T{post.time}:00+01:00"


def page(
    posts: tuple[Post, ...], shown: int = 6, *, way: str = "html", newest_first: bool = True, declared: bool = True
) -> str:
    """The newest posts of a report; ``way`` is how they are told: in the page, or to machines alone."""
    chosen = posts[-shown:]
    ordered = chosen[::-1] if newest_first else chosen
    data: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "LiveBlogPosting" if declared else "NewsArticle",
        "headline": TITLE,
        "datePublished": "2026-03-15T05:30:00+01:00",
    }
    if way == "json-ld":
        data["liveBlogUpdate"] = [
            {"@type": "BlogPosting", "@id": f"#{post.time}", "datePublished": stamp(post), "articleBody": post.text}
            for post in ordered
        ]
    body = "".join(
        f'<div class="post"><time datetime="{stamp(post)}">{post.time}</time><p>{escape(post.text)}</p></div>'
        for post in ordered
    )
    return (
        f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>{TITLE}</title>"
        f"<meta property='og:type' content='article'><script type='application/ld+json'>{json.dumps(data)}</script>"
        "</head><body><nav><a href='/'>Home</a> <a href='/news'>News</a></nav>"
        f"<main><h1>{TITLE}</h1><p>{LEAD}</p><div class='feed'>{body if way == 'html' else ''}</div></main>"
        "<footer><p>© The Northmere Courier. All rights reserved.</p></footer></body></html>"
    )

"""The text that a page hands to machines: some sites show it only once a script has run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape, unescape
from typing import Any

from cleancrawl.core.html.head import Head

_NAME = "articleBody"
LEAST = 400
"""Characters from which on a text is one of an article and not its summary."""
_MARKUP = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol)\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*+>")
_PROBES, _PROBE = 5, 30


def article_body(head: Head) -> str:
    """The longest ``articleBody`` of a page's JSON-LD; empty where there is none.

    >>> article_body(Head(json_ld=['{"@graph": [{"articleBody": "One two"}]}', "no json"]))
    'One two'
    """
    best = ""
    # Parsing costs more than looking, and most pages have none.
    pending: list[Any] = list(head.linked_data) if any(_NAME in source for source in head.json_ld) else []
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            body = value.get(_NAME)
            best = body if isinstance(body, str) and len(body) > len(best) else best
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return best


def with_article_body(html: str, head: Head, texts: Sequence[str]) -> str | None:
    """The page with its article's text put at the end, as a script would do; None where its ``texts`` show it already.

    >>> source = '{"articleBody": "' + " ".join(f"Sentence {number}." for number in range(50)) + '"}'
    >>> head = Head(json_ld=[source])
    >>> with_article_body("<p>Enable scripts</p></body>", head, ["Enable scripts"])[:70]
    '<p>Enable scripts</p><article itemprop="articleBody"><p>Sentence 0. Se'
    >>> with_article_body("<p>Shown</p>", head, [f"Sentence {number}." for number in range(50)])
    """
    return with_body(html, unescape(article_body(head)), texts)


def with_body(html: str, body: str, texts: Sequence[str]) -> str | None:
    """The page with a text put at its end; None where that is short, or its ``texts`` show it already."""
    plain = plain_text(body)
    if len(plain) < LEAST:
        return None
    shown = " ".join(texts)
    step = len(plain) // _PROBES
    found = sum(plain[place : place + _PROBE].strip() in shown for place in range(step // 2, len(plain), step))
    if found > 1:
        return None
    if not _MARKUP.search(body, 0, max(0, body.rfind(">"))):
        body = "".join(f"<p>{escape(line)}</p>" for line in map(str.strip, body.split("\n")) if line)
    place = html.lower().rfind("</body")
    place = place if place >= 0 else len(html)
    return f'{html[:place]}<article itemprop="articleBody">{body}</article>{html[place:]}'


def plain_text(markup: str) -> str:
    """
    >>> plain_text("<p>One <b>two</b></p>")
    'One two'
    """
    return " ".join(_TAG.sub(" ", markup).split())

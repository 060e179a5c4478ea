"""The state that a client-side framework embeds in its page: JSON out of which its scripts would make the page.

Read as JSON, never run. An article's body is taken from it only where there is no doubt whose it is: it stands beside
the page's own headline or address, and nothing else there claims to be that article.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from cleancrawl.core.html.head import Head, scan_head
from cleancrawl.core.html.json_ld import load, whole_number
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.article_body import LEAST, article_body, plain_text, with_body
from cleancrawl.core.segmentation.state_text import MOST_CHARACTERS, Budget, keys, to_markup

FEWEST_SENTENCES = 3
_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)
_END = "</script"
_ASSIGNED = re.compile(
    r"\b(?:window|self|globalThis)(?:\.|\[[\"'])(?:__\w{1,40}|\w{1,20}(?:State|Context|Data))(?:[\"']\])?\s*+=\s*+"
)
_PARSED = "JSON.parse("
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$|[\"'”»])|[。！？۔।]")
_MOST_SCRIPTS, _MOST_ASSIGNED = 200, 20
_MOST_NODES, _DEEPEST = 50_000, 12
_MOST_TITLES, _LONGEST_NAME = 5, 2_000
_SHORTEST_HEADLINE, _SHORTEST_SLUG = 12, 8
_PREFIX = 100
"""Characters in which two copies of a body agree."""


class Stated(NamedTuple):
    """An article out of embedded state."""

    body: str
    """As markup."""
    headline: str = ""
    """Where the page's title does not have it: that of a shell is often the site's."""


def stated_article(html: str, url: str | None, titles: tuple[str, ...]) -> Stated | None:
    """The page's article out of embedded state; None where there is none, or any doubt.

    ``titles`` are those of the page, in lower case.

    >>> body = "".join(f"<p>Sentence {number} of the story is here.</p>" for number in range(30))
    >>> state = json.dumps({"props": {"post": {"title": "A storm hits the coast", "body": body}}})
    >>> html = f'<script id="__NEXT_DATA__" type="application/json">{state}</script>'
    >>> stated_article(html, None, ("a storm hits the coast | the courier",)) == Stated(body)
    True
    >>> stated_article(html, None, ("another story of the day",))
    """
    found: dict[str, Stated] = {}
    budget = Budget(_MOST_NODES)
    path = _path(url) if url else ""
    for value, flat in _states(html):
        for node in _flat_nodes(value, budget) if flat else _nodes(value, budget):
            named = _is_named(node, titles)
            if not named and not _is_at(node, path):
                continue
            markup = next(filter(None, (_body(node.get(key), budget) for key in keys("bodies"))), "")
            if markup:
                found[plain_text(markup)] = Stated(markup, "" if named else _headline(node))
    longest = max(found, key=len, default="")
    return found.get(longest) if all(text[:_PREFIX] == longest[:_PREFIX] for text in found) else None


def with_stated_body(page: Page, head: Head, texts: Sequence[str]) -> str | None:
    """The page with the article of its state put at the end; None where it has none, or shows it already."""
    found = stated_article(page.html, page.url, _titles(head)) if "<script" in page.html else None
    if found is None:
        return None
    if found.headline:
        head.meta.insert(0, ("og:title", found.headline))
    return with_body(page.html, found.body, texts)


def carries_article(html: str, url: str | None) -> bool:
    """Whether a page has its article in JSON-LD or in a framework's state.

    >>> carries_article('<div id="root"></div><script src="/main.js"></script>', None)
    False
    """
    head = scan_head(html)
    return len(plain_text(article_body(head))) >= LEAST or stated_article(html, url, _titles(head)) is not None


def _titles(head: Head) -> tuple[str, ...]:
    stated = (head.title, *(content for name, content in head.meta if name in ("og:title", "twitter:title")))
    return tuple(_folded(title[:_LONGEST_NAME]) for title in stated[:_MOST_TITLES])


def _states(html: str) -> Iterator[tuple[Any, bool]]:
    """The values of embedded state, and whether each is a flat list whose members refer to each other by number."""
    place, left = 0, _MOST_ASSIGNED
    for _ in range(_MOST_SCRIPTS):
        script = _SCRIPT.search(html, place)
        begin = html.find(">", script.end()) if script else -1
        end = html.find(_END, begin) if begin >= 0 else -1
        if script is None or end < 0:
            return
        place = end
        attributes, source = html[script.end() : begin], html[begin + 1 : end]
        if "application/json" in attributes:
            value = load(source)
            yield value, isinstance(value, list) and "nuxt" in attributes.lower()
        elif "ld+json" not in attributes:
            for assigned in _ASSIGNED.finditer(source):
                left -= 1
                if left < 0:
                    return
                yield _assigned_value(source, assigned.end()), False


def _assigned_value(source: str, place: int) -> Any:
    if len(source) - place > MOST_CHARACTERS or not source.startswith(("{", "[", _PARSED), place):
        return None
    decoder = json.JSONDecoder(strict=False, parse_int=whole_number)
    try:
        if source.startswith(_PARSED, place):
            text, _ = decoder.raw_decode(source, place + len(_PARSED))
            return load(text) if isinstance(text, str) else None
        return decoder.raw_decode(source, place)[0]
    except (ValueError, RecursionError):
        return None


def _nodes(value: Any, budget: Budget) -> Iterator[dict[str, Any]]:
    queue = deque([value])
    while queue and budget.spend():
        value = queue.popleft()
        if isinstance(value, dict):
            yield value
            queue.extend(child for child in value.values() if isinstance(child, (dict, list)))
        elif isinstance(value, list):
            queue.extend(child for child in value if isinstance(child, (dict, list)))


def _flat_nodes(values: list[Any], budget: Budget) -> Iterator[dict[str, Any]]:
    """The objects of a flat list (Nuxt 3), with what matters of them put in place of its number."""
    wanted = frozenset((*keys("headlines"), *keys("addresses"), *keys("bodies")))
    for node in values:
        if isinstance(node, dict) and budget.spend():
            yield {key: _unfolded(number, values, budget, 0) for key, number in node.items() if key in wanted}


def _unfolded(number: Any, values: list[Any], budget: Budget, depth: int) -> Any:
    if not budget.spend() or depth > _DEEPEST or not isinstance(number, int) or not 0 <= number < len(values):
        return None
    value = values[number]
    if isinstance(value, dict):
        return {key: _unfolded(entry, values, budget, depth + 1) for key, entry in value.items()}
    if isinstance(value, list):
        # ["Reactive", 7] and its like wrap another value.
        wraps = len(value) == 2 and isinstance(value[0], str)
        if wraps:
            return _unfolded(value[1], values, budget, depth + 1)
        return [_unfolded(entry, values, budget, depth + 1) for entry in value]
    return value


def _is_named(node: dict[str, Any], titles: tuple[str, ...]) -> bool:
    """Whether its headline is that of the page."""
    for key in keys("headlines"):
        # Hardly any object of a state has any of these keys.
        if not (stated := node.get(key)):
            continue
        headline = _folded(_text(stated))
        shortest = _SHORTEST_HEADLINE if headline.isascii() else _SHORTEST_HEADLINE // 2
        if len(headline) >= shortest and any(headline in title for title in titles):
            return True
    return False


def _is_at(node: dict[str, Any], wanted: str) -> bool:
    """Whether its address is that of the page, of which the path is given."""
    last = wanted.rpartition("/")[2]
    if len(last) < _SHORTEST_SLUG:
        return False
    for key in keys("addresses"):
        value = node.get(key)
        stated = _path(_text(value)) if value else ""
        if stated and (stated == wanted or ("/" not in stated.strip("/") and stated.strip("/") == last)):
            return True
    return False


def _headline(node: dict[str, Any]) -> str:
    return next(filter(None, (" ".join(_text(node.get(key)).split()) for key in keys("headlines"))), "")


def _path(address: str) -> str:
    """
    >>> _path("https://a.example/news/a-storm/?x=1"), _path("a-storm"), _path("http://[")
    ('/news/a-storm', 'a-storm', '')
    """
    try:
        return unquote(urlsplit(address[:_LONGEST_NAME]).path).rstrip("/")
    except ValueError:
        return ""


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = next((value[key] for key in keys("wrapped") if isinstance(value.get(key), str)), "")
    return value[:_LONGEST_NAME] if isinstance(value, str) else ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _body(value: Any, budget: Budget) -> str:
    """A value as markup, where it is the text of an article."""
    if isinstance(value, str) and len(value) < LEAST:
        return ""
    markup = to_markup(value, budget)
    text = plain_text(markup)
    if len(text) < LEAST or len(_SENTENCE_END.findall(text)) < FEWEST_SENTENCES:
        return ""
    return markup

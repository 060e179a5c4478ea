"""What a page and its answer say about the use of the article: licences, directives for robots, reserved mining.

Each statement is a record: ``kind`` (``licence``, ``robots``, ``tdm``, ``tdm-policy``, ``copyright``), ``value`` and
``source``, where it was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, get_args

from cleancrawl.core.html import json_ld
from cleancrawl.core.html.source_signs import LICENCES, has_sign
from cleancrawl.core.metadata.short_lines import notices
from cleancrawl.core.page import Page

Statement = dict[str, str | None]
Reservation = Literal["noindex", "noarchive", "nosnippet", "noai", "noimageai", "noml", "tdm"]
RESERVATIONS: tuple[str, ...] = get_args(Reservation)
"""What a site can keep for itself, by the name that says so; ``tdm`` is text and data mining."""
CLAIMS = ("licence", "cc")
"""What an article can be asked to have: any licence, one of Creative Commons."""

ROBOTS = ("robots", "cleancrawl")
"""The names that speak to every robot, and to this one."""
_OTHER_ROBOTS = ("googlebot", "googlebot-news", "bingbot", "ccbot", "gptbot", "google-extended")
_PERMISSIONS = frozenset(
    "index follow all archive snippet imageindex odp ydir noodp noydir nofollow max-snippet:-1 max-video-preview:-1 "
    "max-image-preview:large".split()
) | {""}
"""Directives that keep nothing of the article back; ``nofollow`` is about links."""
_LICENCE_METAS = ("license", "licence", "dc.rights.license", "dcterms.license", "dc.license", "cc:license")
_COPYRIGHT_METAS = ("copyright", "rights", "dc.rights", "dcterms.rights", "dcterms.rightsholder")
"""The first that a page has counts."""
_CC = "creativecommons.org/"
_HREF = re.compile(r"""\shref\s{0,9}=\s{0,9}(?:"([^"<>]{1,800})|'([^'<>]{1,800})|([^\s"'<>]{1,800}))""", re.IGNORECASE)
_CC_NAME = re.compile(r"\bCC[ -](?:BY(?:-(?:SA|ND|NC|NC-SA|NC-ND))?|0)(?:[ -]\d\.\d)?\b")
_COPYRIGHT = re.compile(r"©|\bcopyright\b|\(c\)\s{0,3}(?:19|20)\d\d", re.IGNORECASE)
_MOST = 20
_LONGEST = 300
_LONGEST_TAG = 1_500
_MOST_LICENCES = 5


def page_rights(
    page: Page, article: json_ld.Node, meta: dict[str, list[str]], address: Callable[[str], str | None]
) -> list[Statement]:
    """What the page says: JSON-LD, links, meta elements, and its copyright line. ``address`` makes URLs absolute."""
    found = [*_licences(page, article, meta, address)]
    for name in (*ROBOTS, *_OTHER_ROBOTS):
        for content in meta.get(name, ()):
            found += _directives(content, f"meta {name}")
    found += _mining(meta.get("tdm-reservation", ()), meta.get("tdm-policy", ()), "meta tdm-reservation")
    notice = _copyright(page, article, meta)
    if notice is not None:
        found.append(notice)
    return distinct(found)


def header_rights(headers: Iterable[tuple[str, str]]) -> list[Statement]:
    """What an answer says in its headers, which have lower-case names.

    >>> [said["value"] for said in header_rights([("x-robots-tag", "googlebot: noarchive, noai"), ("etag", "noai")])]
    ['noarchive', 'noai']
    >>> header_rights([("tdm-reservation", "1")])
    [{'kind': 'tdm', 'value': 'reserved', 'source': 'header tdm-reservation'}]
    """
    named: dict[str, list[str]] = {}
    for name, value in headers:
        named.setdefault(name, []).append(value[: json_ld.LONGEST_VALUE])
    found: list[Statement] = []
    for value in named.get("x-robots-tag", ()):
        robot, colon, rest = value.partition(":")
        # "max-snippet: 0" has a colon as well, and "googlebot: noindex" speaks to that one alone.
        addressed = bool(colon) and "," not in robot and not robot.strip().lower().startswith(("max-", "unavailable"))
        source = f"header x-robots-tag {robot.strip().lower()[:40]}" if addressed else "header x-robots-tag"
        found += _directives(rest if addressed else value, source)
    policies = named.get("tdm-policy", ())
    return distinct([*found, *_mining(named.get("tdm-reservation", ()), policies, "header tdm-reservation")])


def file_rights(reserved: bool, policy: str | None) -> list[Statement]:
    """What a site's ``/.well-known/tdmrep.json`` says about a page."""
    policies = () if policy is None else (policy,)
    return _mining(("1" if reserved else "0",), policies, "site tdmrep.json")


def joined(*said: Sequence[Statement]) -> list[Statement]:
    """Statements of several places; of reserved mining the most specific word counts: those that come first."""
    found: list[Statement] = []
    for statements in said:
        settled = any(one["kind"] == "tdm" for one in found)
        found += [one for one in statements if not settled or one["kind"] not in ("tdm", "tdm-policy")]
    return distinct(found)


def reservations(said: Iterable[Statement]) -> set[str]:
    """What is kept back from robots like this one; a word to another robot alone keeps nothing from us.

    >>> said = [{"kind": "robots", "value": "noai", "source": "meta robots"}]
    >>> reservations([*said, {"kind": "robots", "value": "noindex", "source": "meta googlebot-news"}])
    {'noai'}
    """
    found = set()
    for one in said:
        value, source = one.get("value") or "", (one.get("source") or "").split(" ")
        if one.get("kind") == "tdm" and value == "reserved":
            found.add("tdm")
        elif one.get("kind") == "robots" and value in RESERVATIONS and (source[-1] in (*ROBOTS, "x-robots-tag")):
            found.add(value)
        elif one.get("kind") == "robots" and value == "max-snippet:0" and source[-1] in (*ROBOTS, "x-robots-tag"):
            found.add("nosnippet")
    return found


def claims(said: Iterable[Statement]) -> set[str]:
    """Which of ``CLAIMS`` an article fulfils.

    >>> sorted(claims([{"kind": "licence", "value": "https://creativecommons.org/licenses/by/4.0/", "source": "link"}]))
    ['cc', 'licence']
    """
    licences = [one.get("value") or "" for one in said if one.get("kind") == "licence"]
    found = {"licence"} if licences else set()
    return found | ({"cc"} if any(_CC in value or _CC_NAME.search(value) for value in licences) else set())


def distinct(said: Iterable[Statement]) -> list[Statement]:
    """Each statement once, in order, and not more than a page may sensibly make."""
    found = {(one["kind"], one["value"], one["source"]): one for one in said}
    return list(found.values())[:_MOST]


def _said(kind: str, value: str, source: str) -> Statement:
    return {"kind": kind, "value": " ".join(value.split())[:_LONGEST], "source": source}


def _directives(content: str, source: str) -> list[Statement]:
    return [_said("robots", word, source) for word in _restrictions(content[:1000])]


@lru_cache(maxsize=256)
def _restrictions(content: str) -> tuple[str, ...]:
    """Nearly all sites word these alike."""
    words = [re.sub(r"\s{0,9}:\s{0,9}", ":", word.strip().lower()) for word in content.split(",")]
    words = [each for word in words for each in (("noindex", "nofollow") if word == "none" else (word,))]
    return tuple(word for word in words if word not in _PERMISSIONS and len(word) <= 60)


def _mining(stated: Sequence[str], policies: Sequence[str], source: str) -> list[Statement]:
    value = stated[0].strip() if stated else ""
    if value not in ("0", "1"):
        return []
    said = [_said("tdm", "reserved" if value == "1" else "free", source)]
    return said + [_said("tdm-policy", policy, source) for policy in policies[:1] if value == "1"]


def _licences(
    page: Page, article: json_ld.Node, meta: dict[str, list[str]], address: Callable[[str], str | None]
) -> Iterator[Statement]:
    stated = article.get("license")
    for value in stated[:3] if isinstance(stated, list) else [stated]:
        named = json_ld.link(value, {}) or json_ld.text(value)
        if named:
            yield _said("licence", address(named) or named, "json-ld")
    for rel, href, _ in page.head.links:
        if "license" in rel and "license" in rel.split() and (url := address(href)):
            yield _said("licence", url, "link")
    for name in filter(meta.__contains__, _LICENCE_METAS):
        yield _said("licence", meta[name][0], f"meta {name}")
    for href in _linked_licences(page.html, [mark for mark in LICENCES if has_sign(page, mark)]):
        if url := address(href):
            yield _said("licence", url, "link")


def _linked_licences(html: str, marks: Sequence[str] = LICENCES) -> list[str]:
    """Where links lead that call it a licence, or to one of Creative Commons.

    >>> _linked_licences('<a href="/reuse" rel="license">reuse</a> <p>Under a license" <a href="/other">other</a>')
    ['/reuse']
    """
    found: dict[str, None] = {}
    for mark in marks:
        at = html.find(mark)
        for _ in range(_MOST_LICENCES):
            if at < 0:
                break
            start = html.rfind("<", max(0, at - _LONGEST_TAG), at)
            tag = html[start : html.find(">", at, at + _LONGEST_TAG) + 1] if start >= 0 else ""
            href = _HREF.search(tag) if tag[:3].lower() in ("<a ", "<a\n") else None
            if href and ">" not in tag[:-1]:
                found[href[1] or href[2] or href[3]] = None
            at = html.find(mark, at + 1)
    return list(found)[:_MOST_LICENCES]


def _copyright(page: Page, article: json_ld.Node, meta: dict[str, list[str]]) -> Statement | None:
    notice = json_ld.text(article.get("copyrightNotice"))
    if notice:
        return _said("copyright", notice, "json-ld")
    for name in filter(meta.__contains__, _COPYRIGHT_METAS):
        return _said("copyright", meta[name][0], f"meta {name}")
    line = next(filter(_COPYRIGHT.search, notices(page.blocks)), None)
    return None if line is None else _said("copyright", line, "text")

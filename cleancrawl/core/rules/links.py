"""METHODS A2: links to social sites, to advertisers and to a site's own small print."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from urllib.parse import unquote

from cleancrawl.core.rules.attributes import AttributeRules, Hit, listed_suffix, url_host
from cleancrawl.core.text.language_words import phrases
from cleancrawl.core.text.text_signs import TextSigns, text_signs
from cleancrawl.core.text.words import normalise
from cleancrawl.data import read_lines

# No menu item is longer; longer link texts are headlines and need no look-up.
LONGEST_ITEM = 60
_NOTICE = re.compile(r"(?:©|\(c\)|\bcopyright\b)[^\n]{0,40}?\b(?:19|20)\d\d\b|\b(?:19|20)\d\d\s*©", re.IGNORECASE)
_MOST_ORIGINS, _LONGEST_ORIGIN = 8192, 100
_NO_ADDRESS = ("data:", "javascript:")


@cache
def _social() -> tuple[frozenset[str], tuple[str, ...], dict[str, str]]:
    """Hosts, URL schemes, and the share paths of hosts that are not social themselves."""
    lines = read_lines("social_hosts.txt")
    schemes = tuple(line for line in lines if line.endswith(":"))
    paths = {host: f"/{path}" for host, slash, path in (line.partition("/") for line in lines) if slash}
    return frozenset(line for line in lines if "/" not in line and ":" not in line), schemes, paths


@cache
def utility_phrases() -> frozenset[str]:
    """How sites word the links to their small print, in lower case."""
    return frozenset(phrases("utility-links"))


@cache
def _copyright_formulas() -> tuple[str, ...]:
    return phrases("copyright-notices")


@cache
def _search_fields() -> frozenset[str]:
    """How search forms name their input."""
    return frozenset(phrases("search-fields"))


@lru_cache(maxsize=8192)
def _social_host(host: str) -> tuple[str, str] | None:
    """The listed host that a host belongs to, with the path that makes it social; empty where all of it is."""
    hosts, _, paths = _social()
    found = listed_suffix(host, hosts)
    if found:
        return found, ""
    found = listed_suffix(host, paths.keys())
    return (found, paths[found]) if found else None


def social_link(href: str) -> str | None:
    """The social site that a link leads to, or shares on.

    >>> social_link("https://www.facebook.com/sharer.php?u=x"), social_link("whatsapp://send?text=x")
    ('facebook.com', 'whatsapp:')
    >>> social_link("https://buffer.com/add?url=x"), social_link("https://buffer.com/about"), social_link("/x.com")
    ('buffer.com', None, None)
    >>> social_link("  https://news.example/a"), social_link("  https://x.com/a")
    (None, 'x.com')
    """
    host = url_host(href)
    if host:
        found = _social_host(host)
        return found[0] if found and found[1] in href.lstrip()[:200] else None
    if ":" not in href[:15]:
        return None
    start = href[:20].lstrip().lower()
    return next((scheme for scheme in _social()[1] if start.startswith(scheme)), None)


class LinkRules:
    """What the address of a link, or of something embedded, tells; remembers within bounds what tells nothing."""

    __slots__ = ("caught", "plain", "rules")

    def __init__(self, rules: AttributeRules) -> None:
        self.rules = rules
        self.plain: set[str] = set()
        """How addresses on sites begin that are neither social nor an advertiser's: most lead to the page's own."""
        self.caught: dict[str, Hit] = {}
        """How addresses begin that are caught, whatever follows."""

    def told(self, href: str) -> Hit | None:
        """The rule that an address is caught by, and its evidence.

        >>> rules = LinkRules(AttributeRules(ad_domains=frozenset({"ads.example"})))
        >>> rules.told("https://x.com/a"), rules.told("//my.ads.example/?to=x.com"), rules.told("https://a.example/b")
        (('social-links', 'x.com'), ('ad-domain', 'ads.example'), None)
        >>> rules.plain
        {'https://a.example'}
        """
        if href[:1] in "/#?" and href[1:2] != "/":
            return None  # on the same site, as half of all links are
        if href.startswith(_NO_ADDRESS):
            return None
        if href[:1].isspace():
            href = href.strip()  # what is remembered of it begins with its scheme
        end = href.find("/", 8)
        origin = href[:end] if end > 0 else href
        if origin in self.plain:
            return None
        if (known := self.caught.get(origin)) is not None:
            return known
        host = url_host(href)
        if host and (domain := self.rules.advertiser(host)):
            return self._remembered(origin, ("ad-domain", domain))
        site = social_link(href)
        # A site may be social by the path of some addresses only.
        social = _social_host(host) if host else None
        if site:
            hit = "social-links", site
            return self._remembered(origin, hit) if social == (site, "") else hit
        if host and len(origin) < _LONGEST_ORIGIN and social is None:
            if len(self.plain) >= _MOST_ORIGINS:
                self.plain.clear()
            self.plain.add(origin)
        return None

    def _remembered(self, origin: str, hit: Hit) -> Hit:
        if len(origin) < _LONGEST_ORIGIN:
            if len(self.caught) >= _MOST_ORIGINS:
                self.caught.clear()
            self.caught[origin] = hit
        return hit


@lru_cache(maxsize=16)
def link_rules(rules: AttributeRules) -> LinkRules:
    """The one for these rules, which all pages share."""
    return LinkRules(rules)


def utility_link(href: str, text: str) -> str | None:
    """What of the small print a link leads to, by its words or by the last part of its path.

    >>> utility_link("/p/1", "Privacy  Policy"), utility_link("/about/terms_of_use.html", "here")
    ('privacy policy', 'terms of use')
    >>> utility_link("/news/first-contact", "First contact with the crew"), utility_link("https://x.org", "")
    (None, None)
    """
    return utility_phrase(text) or _utility_path(href[:300])


def utility_phrase(text: str) -> str | None:
    """The phrase of the small print that a text is.

    >>> utility_phrase("» Privacy  Policy"), utility_phrase("Privacy policies matter")
    ('privacy policy', None)
    """
    if len(text) > LONGEST_ITEM:
        return None
    words = normalise(text).lower().strip(" .:|›»•·")
    return words if words in utility_phrases() else None


@lru_cache(maxsize=8192)
def _utility_path(href: str) -> str | None:
    path = href.partition("?")[0].partition("#")[0].rstrip("/")
    # A bare host has no path: example.com/about counts, about.com does not.
    if "/" not in path.partition("//")[2] and "//" in path:
        return None
    name = unquote(path.rpartition("/")[2]).partition(".")[0]
    words = name.replace("-", " ").replace("_", " ").lower()
    return words if words in utility_phrases() else None


def search_box(tag: str, attrs: Mapping[str, str]) -> bool:
    """Whether an element is a search form or its input.

    >>> search_box("input", {"type": "search"}), search_box("form", {"role": "search"})
    (True, True)
    >>> search_box("input", {"name": "age"})
    False
    """
    if tag == "input":
        kind = attrs.get("type", "text").strip().lower()
        return kind == "search" or (kind == "text" and attrs.get("name", "").lower() in _search_fields())
    return tag == "search" or (tag == "form" and attrs.get("role") == "search")


def copyright_notice(line: str) -> str | None:
    """The formula or the dated sign that makes a line a copyright notice; a bare sign is a photo credit.

    >>> [copyright_notice(line) for line in ("© 2026 The Daily", "Foto: © Reuters", "All Rights Reserved.")]
    ['© 2026', None, 'all rights reserved']
    """
    found = _NOTICE.search(line)
    if found:
        return found[0]
    lower = line.lower()
    return next((formula for formula in _copyright_formulas() if formula in lower), None)


@cache
def _copyright_signs() -> TextSigns:
    """What copyright notices hold."""
    return text_signs(("©", "(c)", "copyright", *_copyright_formulas()))


def copyright_candidates(lowered: list[str]) -> list[int]:
    """Which texts, in lower case, may hold a copyright notice.

    >>> copyright_candidates(["© 2026", "news", "all rights reserved, (c) us"])
    [0, 2]
    """
    return _copyright_signs().holding(lowered)

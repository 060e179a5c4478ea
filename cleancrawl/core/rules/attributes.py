"""METHODS A2 as pure functions of a tag and its attributes, for trees and parser targets alike.

A site repeats its class names, styles and hosts on every page: what was decided about one is remembered, within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from cleancrawl.core.site import host_of, registrable_domain
from cleancrawl.data import read_lines

Hit = tuple[str, str]
"""A rule's name and its evidence."""

RULES = ("ad-domain", "ad-keyword", "iab-size", "plugin", "foreign-image", "background")
PLUGIN_TAGS = frozenset({"embed", "object", "audio", "video"})
IMAGE_TAGS = frozenset({"img", "amp-img"})
SIZED_TAGS = IMAGE_TAGS | {"iframe", "ins", "object", "embed", "div"}
BACKGROUND_TAGS = frozenset({"td", "tr", "table", "div", "body"})
LABEL_ATTRIBUTES = frozenset({"class", "id", "name", "aria-label"})
URL_ATTRIBUTES = frozenset({"src", "href", "data"})
NEVER_HIT = frozenset({"html", "body"})
_LABEL, _URL, _DATA = 1, 2, 3

_OFF = frozenset({"false", "0", "no", "none", "off", "null"})
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_RUN = re.compile(r"[^\W_]+")
# A letter after a digit, other than in a size such as 300x250.
_IDENTIFIER = re.compile(r"\d(?!x\d)[^\W\d_]")
_TOKEN = re.compile(r"[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|[A-Z][^\W\d_A-Z]+")
_PIXELS = re.compile(r"\s*+(\d{1,5})(?:\.0*+)?+\s*+(?:px)?+\s*+$", re.IGNORECASE)
_STYLE_SIZE = re.compile(
    r"(?<![\w-])(width|height)\s*+:\s*+(\d{1,5})(?:\.0*+)?+\s*+(?:px)?+\s*+(?:!\s*+important\s*+)?+(?:;|$)",
    re.IGNORECASE,
)
# The first in a declaration tells; the others would each be tried up to its end.
_BACKGROUND = re.compile(r"(?>(?:^|;)[^;]*?background(?:-image)?\s*+:)[^;]*url\(", re.IGNORECASE)
_AUTHORITY = re.compile(r"\s*(?:https?:)?//([^/?#\\\s]{1,300})", re.IGNORECASE)
_PLAIN_HOST = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
# Longer values are data, not labels; it also bounds what the caches hold.
_LONGEST = 300


@cache
def ad_domains() -> frozenset[str]:
    """Servers of advertisements, without affiliate networks."""
    return frozenset(read_lines("ad_domains.txt"))


@cache
def affiliate_domains() -> frozenset[str]:
    return frozenset(read_lines("affiliate_domains.txt"))


@cache
def iab_sizes() -> frozenset[str]:
    return frozenset(read_lines("iab_sizes.txt"))


@cache
def _ad_keywords() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Words, endings of words, and words that deny them."""
    lines = read_lines("ad_keywords.txt")
    marked = {mark: [line[1:] for line in lines if line[0] == mark] for mark in "*!"}
    return frozenset(line for line in lines if line[0] not in "*!"), tuple(marked["*"]), frozenset(marked["!"])


@cache
def _ad_cores() -> re.Pattern[str]:
    """The shortest keywords: a label without any of them holds no keyword, which is soon told of most labels."""
    words, endings, _ = _ad_keywords()
    listed = {*words, *endings}
    cores = [word for word in listed if not any(other in word for other in listed - {word})]
    return re.compile("|".join(map(re.escape, sorted(cores))))


def listed_suffix(host: str, domains: AbstractSet[str]) -> str | None:
    """The listed domain that a host is or lies under; labels are never cut.

    >>> [listed_suffix(host, {"doubleclick.net"}) for host in ("ad.doubleclick.net", "notdoubleclick.net")]
    ['doubleclick.net', None]
    """
    while host:
        if host in domains:
            return host
        host = host.partition(".")[2]
    return None


@lru_cache(maxsize=8192)
def ad_domain(host: str) -> str | None:
    """The known ad provider that a host belongs to; affiliate networks are none."""
    return listed_suffix(host, ad_domains())


@lru_cache(maxsize=8192)
def affiliate_domain(host: str) -> str | None:
    """The known affiliate network that a host belongs to."""
    return listed_suffix(host, affiliate_domains())


def url_host(url: str) -> str:
    """The host of an absolute or scheme-relative URL without its port; empty for all others, at little cost.

    >>> url_host("//Ads.Example.com:8080/a"), url_host("/a//b"), url_host("https://user@x.org?q"), url_host("a:b")
    ('ads.example.com', '', 'x.org', '')
    """
    found = _AUTHORITY.match(url)
    return _host(found[1]) if found else ""


@lru_cache(maxsize=8192)
def _host(authority: str) -> str:
    if _PLAIN_HOST.fullmatch(authority):
        return authority.lower()  # as nearly all are, at a tenth of the cost
    return without_port(host_of(f"http://{authority}"))


def without_port(host: str) -> str:
    """A host alone.

    >>> without_port("localhost:8000"), without_port("[::1]:80"), without_port("example.com")
    ('localhost', '[::1]', 'example.com')
    """
    return host.rpartition(":")[0] if ":" in host and host[-1].isdigit() else host


@lru_cache(maxsize=16384)
def ad_keyword(label: str) -> str | None:
    """The first whole token of a label that names an advertisement.

    Generated identifiers are no words, and ``no-ads`` or ``data-ad-index`` is no advertisement.

    >>> [ad_keyword(label) for label in ("top-ad", "adSlot", "AdBanner x", "bottomgooglead", "div_gpt_ad_12")]
    ['ad', 'ad', 'ad', 'bottomgooglead', 'ad']
    >>> [ad_keyword(label) for label in ("header", "download", "shadow", "gradient", "add-comment", "iPad")]
    [None, None, None, None, None, None]
    >>> [ad_keyword(label) for label in ("ad-300x250", "item-3f4ad2", "1c0de5f2-ad12-4bad-9ad1-0123456789ab", "no-ads")]
    ['ad', None, None, None]
    """
    if not _ad_cores().search(label.lower()):
        return None
    words, endings, negations = _ad_keywords()
    for name in _UUID.sub(" ", label).split():
        tokens = [
            token.lower() for run in _RUN.findall(name) if not _IDENTIFIER.search(run) for token in _TOKEN.findall(run)
        ]
        found: str | None = next((token for token in tokens if token in words or token.endswith(endings)), None)
        if found and negations.isdisjoint(tokens):
            return found
    return None


@lru_cache(maxsize=4096)
def style_size(style: str) -> tuple[str | None, str | None]:
    """Width and height in pixels out of an inline style.

    >>> style_size("width: 468px; max-height: 9px; height:60"), style_size("width:100%;height:60px")
    (('468', '60'), (None, '60'))
    """
    sizes = {name.lower(): value for name, value in _STYLE_SIZE.findall(style)}
    return sizes.get("width"), sizes.get("height")


def element_size(attrs: Mapping[str, str]) -> str | None:
    """``468x60`` where attributes or inline style fix both sides.

    >>> element_size({"width": "468", "style": "height: 60px"}), element_size({"width": "100%", "height": "60"})
    ('468x60', None)
    """
    style = attrs.get("style")
    width, height = style_size(style[:_LONGEST]) if style else (None, None)
    width, height = width or _pixels(attrs.get("width")), height or _pixels(attrs.get("height"))
    return f"{int(width)}x{int(height)}" if width and height else None


def _pixels(value: str | None) -> str | None:
    found = _PIXELS.match(value[:20]) if value else None
    return found[1] if found else None


def has_background(tag: str, attrs: Mapping[str, str]) -> bool:
    """Whether an element carries a background image."""
    if tag not in BACKGROUND_TAGS:
        return False
    style = attrs.get("style")
    return "background" in attrs or bool(style and _BACKGROUND.search(style[:2000]))


@dataclass(frozen=True, slots=True)
class AttributeRules:
    """The rules that look at one element's tag and attributes. Never hits HTML or BODY."""

    enabled: frozenset[str] = frozenset(RULES)
    ad_domains: frozenset[str] = frozenset()
    """The user's own, beside the built-in ones."""
    background: Literal["strip", "remove"] = "strip"
    """What a background image costs: its styling (the ruling) or the whole element (the paper's letter)."""
    affiliates: bool = True
    """Whether affiliate networks are ad providers. Guides link the very things that they speak of through them."""

    def with_domains(self, domains: frozenset[str]) -> AttributeRules:
        """The same rules with more domains of advertisers."""
        return replace(self, ad_domains=self.ad_domains | domains) if domains else self

    def advertiser(self, host: str) -> str | None:
        """The ad provider that a host belongs to, known or the user's own.

        >>> AttributeRules().advertiser("a.awin1.com"), AttributeRules(affiliates=False).advertiser("a.awin1.com")
        ('awin1.com', None)
        """
        found = ad_domain(host) or (affiliate_domain(host) if self.affiliates else None)
        return found or (listed_suffix(host, self.ad_domains) if self.ad_domains else None)

    def hit(self, tag: str, attrs: Mapping[str, str], site: str = "") -> Hit | None:
        """The first rule that hits an element; ``site`` is the page's registrable domain, for foreign images.

        >>> AttributeRules().hit("ins", {"class": "adsbygoogle"})
        ('ad-keyword', 'class=adsbygoogle')
        >>> AttributeRules().hit("img", {"src": "//cdn.example.net/a.png"}, site="example.com")
        ('foreign-image', 'example.net')
        """
        if tag in NEVER_HIT:
            return None
        enabled = self.enabled
        if attrs:
            found = self._by_values(attrs)
            if found is not None and found[0] in enabled:
                return found
            if tag in SIZED_TAGS and "iab-size" in enabled:
                size = element_size(attrs)
                if size is not None and size in iab_sizes():
                    return "iab-size", size
        if (tag in PLUGIN_TAGS or (tag == "iframe" and attrs.get("src"))) and "plugin" in enabled:
            return "plugin", tag
        if tag in IMAGE_TAGS and site and "foreign-image" in enabled:
            domain = image_domain(attrs)
            if domain and domain != without_port(site):
                return "foreign-image", domain
        if self.background == "remove" and "background" in enabled and has_background(tag, attrs):
            return "background", tag
        return None

    def _by_values(self, attrs: Mapping[str, str]) -> Hit | None:
        """A URL of an ad provider before an ad's keyword: it is the harder evidence."""
        keyword: Hit | None = None
        for name, value in attrs.items():
            kind = _kind(name)
            if kind == _LABEL:
                if keyword is None and (token := ad_keyword(value[:_LONGEST])):
                    keyword = "ad-keyword", f"{name}={token}"
            elif kind:
                host = url_host(value)
                domain = self.advertiser(host) if host else None
                if domain and "ad-domain" in self.enabled:
                    return "ad-domain", domain
                if kind == _DATA and keyword is None and not host:
                    keyword = _data_keyword(name, value)
        return keyword


@lru_cache(maxsize=4096)
def _kind(name: str) -> int:
    """What an attribute can tell: nothing, a label, a URL, or either."""
    if name in LABEL_ATTRIBUTES:
        return _LABEL
    return _URL if name in URL_ATTRIBUTES else _DATA if name.startswith("data-") else 0


def _data_keyword(name: str, value: str) -> Hit | None:
    """``data-ad-slot`` and ``data-type="sponsored"``; switched-off and structured values are settings, not labels."""
    if len(value) < 10 and value.strip().lower() in _OFF:
        return None
    token = ad_keyword(name[5:_LONGEST])
    if token:
        return "ad-keyword", name[:_LONGEST]
    if len(value) > _LONGEST or value.startswith(("{", "[")):
        return None
    token = ad_keyword(value)
    return ("ad-keyword", f"{name}={token}") if token else None


def image_domain(attrs: Mapping[str, str]) -> str:
    """The registrable domain an image is loaded from; empty where its URL is relative."""
    host = url_host(attrs.get("src") or "") or url_host(attrs.get("data-src") or "")
    return registrable_domain(host) if host else ""

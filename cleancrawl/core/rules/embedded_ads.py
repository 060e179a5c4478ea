"""METHODS A2 on what a page embeds: frames, images, scripts and inserted elements of advertisers.

They hold no text themselves. What they tell is what the element around them is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from cleancrawl.core.rules.attributes import (
    AttributeRules,
    Hit,
    ad_keyword,
    element_size,
    iab_sizes,
    style_size,
    url_host,
)
from cleancrawl.core.rules.class_hints import hint_names, hints_of

AMP_TAGS = frozenset({"amp-ad", "amp-embed", "amp-auto-ads"})
"""Elements that are nothing but advertisements."""
FRAME_TAGS = frozenset({"iframe", "ins", "object", "embed"})
BEARERS = AMP_TAGS | FRAME_TAGS | {"img", "script"}
"""What is asked about."""
SOURCES = ("src", "data-src", "data")
LABELS = ("class", "id")
SIDES = ("width", "height")
FLEXIBLE = frozenset({(6, 1), (8, 1), (10, 1), (1, 3), (1, 4)})
"""Aspect ratios of the IAB's flexible formats (New Standard Ad Unit Portfolio 1.1, 2017) that players, maps and
widgets do not have: they tell an advertisement where a frame states its size."""
_LONGEST = 300


@cache
def ad_hint() -> int:
    """The bit of ``class_hints`` for advertisements."""
    return 1 << hint_names().index("ad")


@cache
def packed_sizes() -> frozenset[int]:
    """The sizes of advertisements as numbers, for the compiled walk: the width above the 16 bits of the height."""
    return frozenset(int(width) << 16 | int(height) for width, height in (size.split("x") for size in iab_sizes()))


def embedded_hit(rules: AttributeRules, tag: str, attrs: Mapping[str, str], linked: bool) -> Hit | None:
    """What makes an embedded element an advertisement. An image has a banner's size by chance, unless it is a link.

    >>> rules = AttributeRules(affiliates=False)
    >>> embedded_hit(rules, "script", {"src": "//securepubads.g.doubleclick.net/tag/js/gpt.js"}, linked=False)
    ('ad-domain', 'doubleclick.net')
    >>> sized = {"width": "300", "height": "250"}
    >>> embedded_hit(rules, "img", sized, linked=True), embedded_hit(rules, "img", sized, linked=False)
    (('iab-size', '300x250'), None)
    >>> embedded_hit(rules, "iframe", {"style": "width: 600px; height: 75px"}, linked=False)
    ('iab-size', '8:1')
    """
    for name in SOURCES:
        if name in attrs and (host := url_host(attrs[name])) and (domain := rules.advertiser(host)):
            return "ad-domain", domain
    if tag == "script":
        return None
    if tag in AMP_TAGS:
        return "ad-keyword", tag
    for name in LABELS:
        if name in attrs and hints_of(attrs[name]) & ad_hint() and (token := ad_keyword(attrs[name][:_LONGEST])):
            return "ad-keyword", f"{name}={token}"
    if linked or tag != "img":
        return _by_size(tag, attrs)
    return None


def sized_hit(attrs: Mapping[str, str]) -> Hit | None:
    """A box whose style gives it the size of an advertisement.

    >>> sized_hit({"style": "width:728px; height:90px"}), sized_hit({"style": "width:728px"})
    (('iab-size', '728x90'), None)
    """
    style = attrs.get("style")
    size = element_size(attrs) if style and any(style_size(style[:_LONGEST])) else None
    return ("iab-size", size) if size in iab_sizes() and size else None


def add_hit(hits: dict[int, Hit], container: int, hit: Hit) -> None:
    """Note what an element tells of the container around it; a provider's address is the hardest evidence."""
    if container not in hits or (hit[0] == "ad-domain" and hits[container][0] != "ad-domain"):
        hits[container] = hit


def _by_size(tag: str, attrs: Mapping[str, str]) -> Hit | None:
    size = element_size(attrs)
    if size is None:
        return None
    if size in iab_sizes():
        return "iab-size", size
    width, height = map(int, size.split("x"))
    if tag in FRAME_TAGS and min(width, height) >= 20:
        ratio = next((f"{across}:{down}" for across, down in FLEXIBLE if width * down == height * across), None)
        return ("iab-size", ratio) if ratio else None
    return None

"""The pager of an article in parts: where its other parts are, and how many there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

from cleancrawl.core.html.source_signs import QUERIES, has_sign
from cleancrawl.core.page import Page
from cleancrawl.core.parts.part_addresses import MOST, WHOLE, Place, places
from cleancrawl.core.site import host_of
from cleancrawl.data import read_sections

MOST_TAGS = 2_000
"""Links to the article itself or its parts that are looked at, and far more than any article has."""
MOST_PLACES = 20_000
"""Places in a page that have the name of its article and are looked at, in tags or not."""
_LONGEST_TEXT = 300
"""Characters of what a link says."""
_LONGEST_MARKUP = 3_000
"""Characters between the tags of a link."""
_LONGEST_TAG = 2_000
_LONGEST_LINE = 40
"""Characters of a line that says which page of how many it is."""
_TAG = re.compile(r"<(a|link|option)\s([^<>]{1,2000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"""(href|rel|value)\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))""", re.IGNORECASE
)
_MARKUP = re.compile(r"<[^<>]{0,2000}>")


@dataclass(slots=True)
class Pager:
    """What a page says about the parts of its article."""

    number: int = 1
    """Which part the page itself is."""
    parts: dict[int, str] = field(default_factory=dict)
    """Addresses of the other parts, by number from 1 on."""
    stated: int | None = None
    """How many parts there are, where the page says so in words ("page 1 of 4")."""
    whole: tuple[str, ...] = ()
    """Addresses of versions on one page, those for readers before those for printers."""

    @property
    def total(self) -> int:
        """How many parts there are at least."""
        return max(self.number, self.stated or 0, *self.parts, 0)

    def add(self, other: Pager) -> None:
        """Take over what another part knows."""
        for number, url in other.parts.items():
            self.parts.setdefault(number, url)
        self.stated = max(filter(None, (self.stated, other.stated)), default=None)


class _Link(NamedTuple):
    url: str
    place: Place
    rel: str
    text: str

    @property
    def said(self) -> int | None:
        """The number that it says, where it is nothing but a number."""
        return int(self.text) if self.text.isdecimal() and len(self.text) <= 3 else None


def find_pager(page: Page, url: str, number: int | None = None) -> Pager | None:
    """The pager of a page of this address; None where nothing shows that its article has other parts.

    ``number`` is which part the page is, where that is known. Else one that is not the first must link to the first.

    What counts is the shape of the addresses: those of parts differ from the article's in a number alone. Whether the
    page is an article at all, its caller knows: listings have such pagers as well.
    """
    own_places = places(url)
    links = list(_links(page, url, {place.story for place in own_places}))
    found = [pager for own in own_places if (pager := _pager_of(own, links, number)) is not None]
    if not found:
        return None
    pager = max(found, key=lambda pager: len(pager.parts))
    pager.stated = _stated_total(page, pager.number)
    return pager


def _links(page: Page, url: str, stories: AbstractSet[str]) -> Iterator[_Link]:
    """Links whose address may be another part's of these stories.

    They are found in the source, since a tree costs as much as cleaning.
    """
    base, source = urljoin(url, page.head.base or ""), page.html
    host = host_of(url).removeprefix("www.")
    # What every such address has in it, so that no other tag of the page is looked at.
    relative = (sign for sign in QUERIES if has_sign(page, sign))
    for start, end in _tags_with(source, [*{_stem(story) for story in stories}, *relative]):
        tag = _TAG.match(source, start, end)
        if tag is None:
            continue
        values = {match[1].lower(): match[2] or match[3] or match[4] or "" for match in _ATTRIBUTE.finditer(tag[2])}
        # A box of choices has addresses or mere numbers.
        address = unescape(values.get("value" if tag[1].lower() == "option" else "href", "")).strip()
        if "//" in address[:8] and host not in address.split("/", 3)[2].lower():
            continue  # links that share the article on other sites have its address in theirs
        try:
            target = urljoin(base, address).partition("#")[0]
        except ValueError:
            continue
        for place in places(target):
            if place.story in stories:
                text = _text_behind(source, end) if tag[1].lower() != "link" else ""
                yield _Link(target, place, values.get("rel", "").lower(), text)


def _tags_with(source: str, needles: list[str]) -> list[tuple[int, int]]:
    """Where the tags are that have one of some strings in them, in the order of the page."""
    found: dict[int, int] = {}
    for needle in needles:
        place, looked = source.find(needle) if needle else -1, 0
        while place >= 0 and len(found) < MOST_TAGS and looked < MOST_PLACES:
            looked += 1
            start = source.rfind("<", max(0, place - _LONGEST_TAG), place)
            end = source.find(">", place, place + _LONGEST_TAG)
            if start >= 0 and end >= 0 and source.find(">", start, place) < 0:
                found[start] = end + 1
                behind = end + 1
            else:
                behind = source.find("<", place + 1)
            place = source.find(needle, behind) if behind >= 0 else -1
    return sorted(found.items())


def _stem(story: str) -> str:
    """What every address of an article's parts has in it.

    >>> _stem("a.example/news/storm.html"), _stem("a.example/storm?id=7")
    ('storm', 'storm')
    """
    return story.partition("?")[0].rpartition("/")[2].partition(".")[0]


def _text_behind(source: str, place: int) -> str:
    end = source.find("</a", place, place + _LONGEST_MARKUP)
    inside = source[place : end if end >= 0 else place + _LONGEST_TEXT]
    return " ".join(unescape(_MARKUP.sub(" ", inside)).split())[:_LONGEST_TEXT]


def _pager_of(own: Place, links: list[_Link], known: int | None) -> Pager | None:
    """The pager of an address that is read as one of a part, or of the article itself; None where it has none."""
    if own.number == WHOLE or (known is not None and own.number is None):
        return None
    same = [link for link in links if link.place.story == own.story]
    numbered = [(link.place.number, link) for link in same if link.place.number not in (None, WHOLE)]
    # Some count from 0: there the second page has the number 1.
    said = [(link.said, number) for number, link in numbered if link.said is not None]
    shift = int(bool(said) and all(word == (number or 0) + 1 for word, number in said))
    if known is not None:
        shift = known - (own.number or 0)
    number = 1 if own.number is None else max(1, own.number + shift)
    parts: dict[int, str] = {}
    for written, link in numbered:
        other = (written or 0) + shift
        if other != number and 1 <= other <= MOST and _leads_on(link):
            parts.setdefault(other, link.url)
    if number == 1 and 2 not in parts:
        return None
    if number > 1 and known is None:
        first = _first(same, 1 - shift)
        if first is None:
            return None
        parts[1] = first
    if not parts:
        return None
    return Pager(number, parts, None, tuple(dict.fromkeys(link.url for link in same if link.place.number == WHOLE)))


def _leads_on(link: _Link) -> bool:
    """Whether a link to what may be a part is one: where the shape leaves doubt, the link has to say so."""
    told = {"next", "prev"} & set(link.rel.split())
    return link.place.sure or bool(told) or str(link.place.number) in link.text.split()


def _first(same: list[_Link], lowest: int) -> str | None:
    """The first part, where a page links to it as such: sections link to their front pages, too."""
    back = _phrases("back")
    for link in same:
        if link.place.number in (None, lowest):
            told = {"prev", "first", "start", "canonical"} & set(link.rel.split())
            if told or back & set(link.text.lower().split()[:3]):
                return link.url
    return None


@cache
def _phrases(section: str) -> frozenset[str]:
    return frozenset(word for line in read_sections("article_parts.txt")[section] for word in line.split())


@cache
def _of() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, _phrases("of")), key=len, reverse=True))
    page = r"[^\w]{0,3}(?:[^\W\d]{1,15}\W{1,3})?"
    return re.compile(rf"{page}(\d{{1,3}})\s{{0,3}}(?:{words})\s{{0,3}}(\d{{1,3}})\W{{0,5}}", re.IGNORECASE)


def _stated_total(page: Page, number: int) -> int | None:
    return max(filter(None, (stated_total(block.text, number) for block in page.blocks)), default=None)


def stated_total(text: str, number: int) -> int | None:
    """How many parts a line says that there are, where that and the number of the part that it stands on are all.

    >>> stated_total("Page 1 of 4", 1), stated_total("Seite 2/3", 2), stated_total("1 of 4 died", 1)
    (4, 3, None)
    """
    found = _of().fullmatch(text) if len(text) <= _LONGEST_LINE else None
    if found is None or int(found[1]) != number:
        return None
    return total if max(2, number) <= (total := int(found[2])) <= MOST else None

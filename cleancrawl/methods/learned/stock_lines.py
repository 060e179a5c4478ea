"""Lines that name themselves: pointers to other articles, notices in place of what another site would show, errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from cleancrawl.core.block import Block, Removal
from cleancrawl.core.html import json_ld
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.page import Page
from cleancrawl.core.text.language_words import phrases
from cleancrawl.core.text.words import count_words, is_unspaced

READ_ALSO, EMBED_NOTICE, ERROR_NOTICE = "read-also", "embed-notice", "error-notice"
_ERRORS = ("strict standards:", "warning:", "notice:", "deprecated:", "fatal error:", "parse error:")
"""How PHP begins what it has to say about a program, in the middle of the page …"""
_LINE = re.compile(r"\bon line \d+\s*$")
"""… and how it ends."""
_QUOTED = frozenset({"p", "pre", "code", "blockquote", "li", "td", "dd"})
"""Where such a message stands that somebody writes about."""
_OPENING = 4
"""Characters by which phrases are looked up: nearly all blocks begin with no phrase, and one look tells."""
_START = 10
"""Characters that are compared before the whole phrase."""
_LOOKED_AT = 400
"""Characters of a block that are read: more than thirty words have, and less than a hostile page has."""
_MARKS = ' .:+*#>|-–—•·►▶▸→➡»›«‹"“”„([{【〔「『≪《]})】〕」』≫》■□◆◇●○★☆▼▲👉\ufe0f'
_PLAIN = str.maketrans({"’": "'", "：": ":", "\u0307": None})
_DOTTED = "İ"
"""Becomes two characters in lower case."""
_BEFORE = frozenset(_MARKS + _DOTTED)


@dataclass(frozen=True, slots=True)
class _Listed:
    """Phrases that begin alike."""

    starts: tuple[str, ...]
    phrases: tuple[tuple[str, str], ...]
    """With the rule of each, the longest first."""

    @classmethod
    def of(cls, opening: str, listed: list[tuple[str, str]]) -> _Listed:
        # Up to the colon or an apostrophe, which pages write in several ways.
        ends = (re.split("[:']", phrase[:_START])[0][_OPENING:] for phrase, _ in listed)
        starts = tuple(dict.fromkeys(opening + end for end in ends))
        return cls(starts, tuple(sorted(listed, key=lambda one: -len(one[0]))))


@dataclass(frozen=True, slots=True)
class StockLines:
    """Remove kept short blocks that begin with a phrase of ``[read-also]`` or ``[embed-notice]`` in ``data/languages``,
    or as PHP's messages begin.

    A pointer is a phrase and a link, or a phrase alone before a link: "Read also the letter that …" is a sentence. A
    phrase that is listed with a colon says less. It needs both, colon and link, and a page that says it is news:
    "Related: …" is advice in a guide, and "See also" above a list is a part of encyclopedias.
    """

    max_pointer: int = 30
    """Words of a pointer with the headline that it points to."""
    min_linked: float = 0.5
    """The share of these words that is a link."""
    max_notice: int = 40
    reach: int = 3
    """Blocks behind a phrase alone among which its link is: a picture's caption or a date may have gone between."""

    def __call__(self, page: Page) -> None:
        openings = _openings()
        longest = max(self.max_pointer, self.max_notice)
        # Asked on few pages, and on those once: a page may have as many such lines as it likes.
        says_news = cache(partial(is_news, page))
        for block in [block for block in page.kept if block.words <= longest]:
            text = block.text
            if text[:1] in _BEFORE:
                text = text[:_LOOKED_AT].lstrip(_MARKS).replace(_DOTTED, "i")
            if (listed := openings.get(text[:_OPENING].lower())) and text[:_START].lower().startswith(listed.starts):
                self._judge(page.blocks, block, listed, says_news)

    def _judge(self, blocks: list[Block], block: Block, listed: _Listed, says_news: Callable[[], bool]) -> None:
        if block.removed is not None:
            return  # the link of a phrase before
        text = _plain(block.text)
        for phrase, rule in listed.phrases:
            if not _begins(text, phrase):
                continue
            if rule == ERROR_NOTICE:
                found = [block] if block.tag not in _QUOTED and _LINE.search(block.text[-_START * 2 :]) else []
            elif rule == EMBED_NOTICE:
                found = [block] if block.words <= self.max_notice else []
            else:
                found = self._pointer(blocks, block, text, phrase)
                found = [] if found and phrase.endswith(":") and not says_news() else found
            for one in found:
                one.removed = Removal("score", rule, phrase)
            if found:
                return

    def _pointer(self, blocks: list[Block], block: Block, text: str, phrase: str) -> list[Block]:
        """The blocks of a pointer: one, or a phrase alone and the link behind it; none where it is no pointer."""
        if block.words > self.max_pointer:
            return []
        rest, with_colon = text[len(phrase) :], phrase.endswith(":")
        if headline := rest.strip(_MARKS):
            linked = block.link_words >= max(self.min_linked * block.words, 1)
            parted = with_colon or rest.lstrip()[0] in _MARKS or block.link_words >= count_words(headline)
            return [block] if linked and parted else []
        if with_colon or block.tag in HEADINGS:
            return []
        after = blocks[block.index + 1 : block.index + 1 + self.reach]
        target = next((one for one in after if one.removed is None), None)
        if target and target.words <= self.max_pointer and 0 < target.words <= target.link_words:
            return [block, target]
        return []


def is_news(page: Page) -> bool:
    """Whether a page's JSON-LD says that it is a piece of news, of whatever kind."""
    kinds = (json_ld.types(node) for node in json_ld.nodes(page.head.linked_data))
    return any(name.endswith("newsarticle") for names in kinds for name in names)


def _plain(text: str) -> str:
    """The beginning of a block as phrases are written: lower case, without the marks in front, bars as colons.

    >>> _plain("» À lire aussi | Le pont"), _plain("İlgili Haber"), _plain("【関連記事】橋")
    ('à lire aussi: le pont', 'ilgili haber', '関連記事】橋')
    """
    return text[:_LOOKED_AT].lstrip(_MARKS).lower().translate(_PLAIN).replace(" :", ":").replace(" |", ":")


def _begins(text: str, phrase: str) -> bool:
    """Whether a text begins with the words of a phrase.

    >>> _begins("read also: a pier", "read also"), _begins("loe kandidaat", "loe ka"), _begins("相关阅读桥", "相关阅读")
    (True, False, True)
    """
    if not text.startswith(phrase):
        return False
    after = text[len(phrase) : len(phrase) + 1]
    return not after.isalnum() or not phrase[-1].isalnum() or is_unspaced(phrase[-1])


@cache
def _openings() -> dict[str, _Listed]:
    """The phrases with their rules by their first characters."""
    found: dict[str, list[tuple[str, str]]] = {}
    listed = {READ_ALSO: phrases(READ_ALSO), EMBED_NOTICE: phrases(EMBED_NOTICE), ERROR_NOTICE: _ERRORS}
    for rule, beginnings in listed.items():
        for phrase in beginnings:
            found.setdefault(phrase[:_OPENING], []).append((phrase, rule))
    return {opening: _Listed.of(opening, listed) for opening, listed in found.items()}

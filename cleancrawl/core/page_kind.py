"""Is a cleaned page an article? A score from its address, its own statements and its text, and a reason."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np

from cleancrawl.core.app_shells import NEEDS_BROWSER, is_shell
from cleancrawl.core.block import Block
from cleancrawl.core.block_columns import kept_words, tally_blocks
from cleancrawl.core.metadata.dates import url_date
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.text.language_words import phrases
from cleancrawl.core.text.words import count_words
from cleancrawl.core.whole_posts import shows_posts
from cleancrawl.data import read_sections, read_text

KINDS = ("article", "listing", "search", "login", "product", "forum", "documentation", "service", "video")
_OTHERS = tuple((kind, f"url-{kind}", f"type-{kind}") for kind in KINDS[1:])
"""Kinds of pages that are no article, with the facts that speak for each."""
MODEL_FILE = "page_kind.json"
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DATE_IN_PATH = re.compile(r"/(?:19|20)\d\d(?:[/-]?\d\d)?(?:[/-]|$)")
_CURRENCIES = "$€£¥"
_QUESTIONS = "?？؟"
_ENDS = ".!…"
"""Of sentences, where white space follows. Counted one by one: faster than a regular expression over a long text."""
_ENDS_ALONE = "。！۔।"
_ONE_END = bytes.maketrans(b"!\n\t", b".  ")
_ELLIPSIS = "…".encode()
_END, _BLANK = b". "
_LONG = 25
_MAX_LINK_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """``reason`` is None for an article, else the kind of page it is taken for."""

    score: float
    """The probability that the page is an article."""
    reason: str | None

    @property
    def is_article(self) -> bool:
        return self.reason is None


@cache
def _url_words() -> dict[str, frozenset[str]]:
    return {kind: frozenset(phrases(f"url-{kind}")) for kind in KINDS}


def features(page: Page, metadata: Metadata) -> dict[str, float]:
    """The facts that decide, by name; all between about -3 and 6. Without an address there are none about it."""
    return {**_address_facts(_address(page, metadata)), **_statement_facts(metadata), **_text_facts(page)}


def features_again(before: dict[str, float], page: Page, *, same_text: bool) -> dict[str, float]:
    """``features`` of a page that was judged again; where the same blocks are kept only their scores have changed."""
    return {**before, "mean-score": _mean_score(page.kept)} if same_text else {**before, **_text_facts(page)}


def _address(page: Page, metadata: Metadata) -> str:
    """The page's address, else the one that it gives as its own; a front page is not told by that alone."""
    if page.url is not None:
        return page.url
    stated = metadata.canonical_url or ""
    return stated if stated.partition("://")[2].rstrip("/").count("/") else ""


def _address_facts(url: str) -> dict[str, float]:
    if not url:
        return {}
    try:
        parts = urlsplit(url)
        keys = {key.lower() for key, _ in parse_qsl(parts.query)}
    except ValueError:
        return {}
    segments = [segment for segment in unquote(parts.path).lower().split("/") if segment]
    last = segments[-1] if segments else ""
    # The last segment is the story's own name: its words say little about the kind of page.
    tokens = {token for segment in segments[:-1] or segments for token in _TOKEN.findall(segment)} | keys
    tokens |= set((parts.hostname or "").split(".")[:-2])
    kinds = {f"url-{kind}": float(bool(tokens & words)) for kind, words in _url_words().items()}
    return {
        **kinds,
        "url-depth": min(len(segments), 6) / 2,
        "url-root": float(not segments),
        "url-slug-words": math.log1p(last.count("-") + last.count("_") + last.count("+")),
        "url-slug-length": math.log1p(len(last)) / 2,
        "url-date": float(bool(_DATE_IN_PATH.search(parts.path)) or url_date(parts.path) is not None),
        "url-number": float(any(character.isdigit() for character in last)),
        "url-file": float("." in last[-6:]),
        "url-directory": float(parts.path.endswith("/")),
        "url-query": float(bool(keys)),
    }


def _statement_facts(metadata: Metadata) -> dict[str, float]:
    types = set(metadata.types)
    kinds = {f"type-{kind}": float(bool(types & words)) for kind, words in _types().items()}
    return {
        **kinds,
        "og-article": float("og:article" in types),
        "og-website": float("og:website" in types),
        "og-product": float(any(name.startswith("og:product") for name in types)),
        "og-video": float(any(name.startswith("og:video") for name in types)),
        "has-published": float(metadata.published is not None),
        "published-time": float(len(metadata.published or "") > 10),
        "has-modified": float(metadata.modified is not None),
        "has-author": float(bool(metadata.authors)),
        "has-section": float(metadata.section is not None),
        "title-words": math.log1p(count_words(metadata.title)),
    }


@cache
def _types() -> dict[str, frozenset[str]]:
    sections = read_sections("schema_types.txt")
    return {kind: frozenset(name for line in lines for name in line.split()) for kind, lines in sections.items()}


def _text_facts(page: Page) -> dict[str, float]:
    kept = page.kept
    words, all_words, links, all_links, *told = tally_blocks(page.blocks, _LONG)
    long_blocks, long_words, headings, items, has_headline = told
    text = "\n".join([block.text for block in kept])[:50_000]
    ends, questions = _sentence_signs(text)
    return {
        "words": math.log1p(words) / 2,
        "kept-share": words / (all_words or 1),
        "link-share": links / (words or 1),
        "page-link-share": all_links / (all_words or 1),
        "long-blocks": math.log1p(long_blocks),
        "long-share": long_words / (words or 1),
        "block-length": math.log1p(words / (len(kept) or 1)) / 2,
        "headings": headings / (len(kept) or 1),
        "list-items": items / (len(kept) or 1),
        "has-h1": float(has_headline),
        "mean-score": _mean_score(kept),
        "prices": math.log1p(_prices(text)),
        "questions": questions / (words or 1) * 10,
        "sentences": (ends + text.endswith(tuple(_ENDS))) / (words or 1) * 10,
    }


def _prices(text: str) -> int:
    """Signs of currencies with a figure beside them; a figure between two belongs to the first.

    >>> _prices("$5, 6 €, £ 7 and 8$"), _prices("$5$ 6 €"), _prices("5 $6"), _prices("$ five, US$, €")
    (4, 2, 1, 0)
    """
    # Looked for sign by sign: a pattern that may begin with a figure is tried at each character.
    places = sorted(
        found.start() for sign in _CURRENCIES if sign in text for found in re.finditer(re.escape(sign), text)
    )
    count = end = 0
    for place in places:
        before, behind = text[max(place - 2, end) : place], text[place + 1 : place + 3]
        if before[-1:].isdecimal() or (before[-1:].isspace() and before[:-1].isdecimal()):
            count, end = count + 1, place + 1
        elif behind[:1].isdecimal() or (behind[:1].isspace() and behind[1:].isdecimal()):
            count, end = count + 1, place + 2 + behind[:1].isspace()
    return count


def _mean_score(kept: list[Block]) -> float:
    scores = [block.score for block in kept if block.score is not None]
    return sum(scores) / len(scores) if scores else 0.5


def sentence_signs_in_python(text: str) -> tuple[int, int]:
    """How many signs end a sentence, and how many are question marks.

    >>> sentence_signs_in_python("One. Two!\\tThree.Four… 五。"), sentence_signs_in_python("none?")
    ((4, 0), (0, 1))
    """
    plain = text.encode("utf-8", "replace").translate(_ONE_END)
    if "…" in text:
        plain = plain.replace(_ELLIPSIS, b".")
    signs = np.frombuffer(plain, dtype=np.uint8)
    ends = np.count_nonzero((signs[:-1] == _END) & (signs[1:] == _BLANK))
    return int(ends) + _count(text, _ENDS_ALONE), _count(text, _QUESTIONS)


def _count(text: str, characters: str) -> int:
    if text.isascii():
        characters = characters.encode("ascii", "ignore").decode()
    # To find out that a character is not there takes a tenth of counting it.
    return sum([text.count(character) for character in characters if character in text])


_part = compiled("text_signs")
_sentence_signs = sentence_signs_in_python if _part is None else _part.sentence_signs


class _Model(NamedTuple):
    weights: dict[str, float]
    intercept: float
    threshold: float
    unknown_address: float
    """What addresses add on average: in place of that of a page without one."""


@cache
def _model() -> _Model:
    model = json.loads(read_text(MODEL_FILE))
    return _Model(*(model[name] for name in _Model._fields))


def decide(
    page: Page,
    metadata: Metadata,
    min_words: int = 30,
    *,
    strict: bool = True,
    facts: dict[str, float] | None = None,
) -> Verdict:
    """Whether a cleaned page is an article, with the probability and, where it is none, the kind that it looks like.

    ``strict`` asks for a probable article; else any page with enough running text passes. ``facts`` are the page's
    ``features`` where they are known already.

    >>> decide(Page("", "https://a.example/story"), Metadata()).reason
    'empty'
    """
    words = kept_words(page.blocks)
    facts = features(page, metadata) if facts is None else facts
    weights, total, threshold, unknown_address = _model()
    total += sum([weights[name] * value for name, value in facts.items() if name in weights])
    if "url-root" not in facts:
        total += unknown_address
    score = 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
    if words < min_words and is_shell(page.html):
        return Verdict(score, NEEDS_BROWSER)
    if facts.get("url-root"):
        return Verdict(score, "front-page")
    kind = _kind(facts)
    # Forms and lists of results leave little text: their address tells what they are for.
    form = kind if kind in ("search", "login", "video") else None
    if words < min_words:
        is_video = facts.get("url-video") or facts["type-video"]
        return Verdict(score, "video" if is_video else form or ("too-short" if words else "empty"))
    if facts["link-share"] > _MAX_LINK_SHARE:
        return Verdict(score, form or "listing")
    if strict and score >= threshold and page.url and shows_posts(page, page.url):
        return Verdict(score, "listing")
    return Verdict(score, kind if strict and score < threshold else None)


def _kind(facts: dict[str, float]) -> str:
    """The kind that most of the evidence speaks for; a plain page where nothing does."""
    evidence = {kind: facts.get(url, 0.0) + 2 * facts.get(stated, 0.0) for kind, url, stated in _OTHERS}
    evidence["listing"] += 2 * facts["page-link-share"]
    kind = max(evidence, key=lambda name: evidence[name])
    return kind if evidence[kind] >= 1 else "not-an-article"

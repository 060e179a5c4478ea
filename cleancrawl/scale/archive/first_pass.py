"""The first pass: a page alone. What it has goes into the knowledge of its site, what is costly is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xxhash import xxh64_intdigest

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.core.block_columns import kept_words
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.article_signature import Signature
from cleancrawl.core.fingerprints.whole_pages import page_digests
from cleancrawl.core.html.binary_bodies import looks_binary
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import decide, features
from cleancrawl.core.site import site_key
from cleancrawl.core.whole_posts import may_show_posts
from cleancrawl.page_input import page_of
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.paused_pages import PackedSource, PausedPage, Verdicts, cut_of, is_light, pack
from cleancrawl.scale.archive.stages_by_kept import run_score

RECORDS = 40
"""Bits for the number of a record in its file."""


class PageFacts(NamedTuple):
    """What a page says to the others of its site, and to those that tell the same story."""

    url: str
    site: str
    number: int
    """63 bits of a hash of the URL."""
    date: float
    place: int
    """Where it lies in the archive: of two pages of one second the first is the older one."""
    article: bool
    """Whether it is an article, judged alone."""
    content: int
    keys: bytes
    """The exact keys of its blocks, in their order, as 64-bit numbers …"""
    near: bytes
    """… their fingerprints …"""
    long: bytes
    """… whether they are long enough to have one, a byte each …"""
    sections: bytes
    """… and the section of the page where they are running text, else 0, in two bytes each."""
    signature: Signature | None
    """Of its text."""


@dataclass(frozen=True, slots=True)
class Draft:
    facts: PageFacts
    state: bytes


def number_of(url: str) -> int:
    """
    >>> number_of("https://a.example/") == number_of("https://a.example/"), number_of("a") < 1 << 63
    (True, True)
    """
    return xxh64_intdigest(url.encode("utf-8", "surrogatepass")) >> 1


def why_skipped(saved: SavedPage, max_bytes: int) -> str | None:
    """Why a response is not cleaned, in the words of a crawl; None where it is.

    >>> why_skipped(SavedPage("https://a.example/", b"<p>text", 404), 100)
    'http-404'
    """
    if not 200 <= saved.status < 300:
        return f"http-{saved.status}"
    if len(saved.body) > max_bytes:
        return "too-large"
    return "binary" if looks_binary(saved.body) else None


def first_pass(saved: SavedPage, place: int, options: BulkOptions) -> Draft | str:
    """Clean a page alone; or why it is none. Whatever goes wrong in it is raised."""
    if (reason := why_skipped(saved, options.max_page_bytes)) is not None:
        return reason
    recipe = options.made_recipe
    header = next((value for name, value in saved.headers.items() if name.lower() == "content-type"), None)
    page = page_of(saved.body, saved.url, header)
    recipe.run_phase("segment", page)
    recipe.run_phase("primary", page)
    verdicts = Verdicts.of(page)
    recipe.run_phase("secondary", page)
    by_kept = run_score(recipe, page)
    document = Document(page, recipe.name)
    told = features(page, document.metadata)
    verdict = decide(page, document.metadata, options.min_words, strict=options.only_articles, facts=told)
    digests = page_digests(page)
    prints = digests.columns
    facts = PageFacts(
        url=saved.url,
        site=site_key(saved.url, options.site_by),
        number=number_of(saved.url),
        date=saved.date or 0.0,
        place=place,
        article=verdict.is_article,
        content=digests.content,
        keys=prints.exact.astype("<u8").tobytes(),
        near=prints.near.astype("<u8").tobytes(),
        long=prints.long.tobytes(),
        sections=prints.sections.astype("<u2").tobytes(),
        signature=digests.signature,
    )
    light = is_light(recipe)
    with_source = not light or bool(options.formats) or options.comments_field or _asks_for_source(page, options)
    cut = cut_of(page, verdicts, by_kept, document.metadata, told) if light else None
    source = PackedSource.of(page.html if light else page.source) if with_source else None
    return Draft(facts, pack(PausedPage(page.encoding, source, cut)))


def _asks_for_source(page: Page, options: BulkOptions) -> bool:
    """Whether what a page is may have to be read off its source once more, when its site is known."""
    return kept_words(page.blocks) < options.min_words or may_show_posts(page)

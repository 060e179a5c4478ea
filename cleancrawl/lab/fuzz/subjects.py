"""What is fuzzed: where each kind of input starts from, and what must hold of whatever comes out."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from protego import Protego

from cleancrawl.cleaner import clean
from cleancrawl.core.article import Article
from cleancrawl.core.document import Document
from cleancrawl.core.text.control_characters import is_clean
from cleancrawl.crawl.discovery.entries import Entry
from cleancrawl.crawl.discovery.feeds import parse_feed
from cleancrawl.crawl.discovery.sitemaps import from_robots, parse_sitemap
from cleancrawl.lab.fuzz import seeds, tokens
from cleancrawl.lab.fuzz.linked_data import broken_value
from cleancrawl.lab.fuzz.mutations import Material, mutated
from cleancrawl.recipes import RECIPES

URL = "https://news.example/2024/05/03/a"


class Flaw(Exception):
    """Nothing was raised, but what came out is not as promised."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A kind of input: ``make`` gives an input, ``check`` raises where the package does not take it as promised."""

    name: str
    suffix: str
    check: Callable[[bytes], object]
    seeds: Sequence[bytes]
    tokens: Sequence[bytes]
    make: Callable[[Subject, random.Random], bytes] = field(
        default=lambda subject, generator: subject.mutated(generator)
    )

    def mutated(self, generator: random.Random) -> bytes:
        return mutated(generator.choice(self.seeds), generator, Material(self.seeds, self.tokens))


def check_page(body: bytes) -> None:
    """All that is made of a page: text, markup, metadata, comments, record."""
    # Other recipes by turns: which one is a function of the page, so that a kept one fails again.
    names = ("default", "default", "default", *RECIPES)
    recipe = names[len(body) % len(names)]
    check_document(clean(body, url=URL, recipe=recipe, comments=recipe == "default" and bool(len(body) % 2)))


def check_document(document: Document) -> None:
    article = Article.of(document, url=URL, site="news.example", fetched=0.0, comments=True)
    record = article.to_record()
    json.dumps(record).encode()
    _require(0 <= document.score <= 1, f"score {document.score}")
    kept = " ".join(block.text for block in document.page.kept)
    _require(document.text.split() == kept.split(), "the text is not that of the kept blocks")
    for name, value in (*record.items(), ("markdown", document.markdown), ("rendered", document.html)):
        if name != "html":
            _require_clean(name, value)


def check_linked_data(body: bytes) -> None:
    """Whatever JSON-LD says, the article's text stays."""
    # As pages are told to write it: "<!--<script" in a script hides its end, and with it the rest of the page.
    source = body.replace(b"</", b"<\\/").replace(b"<!--", b"<\\u0021--")
    # The charset is stated first: what JSON-LD holds is not to be taken for it.
    head = b'<html lang="en"><head><meta charset="utf-8"><title>Bridge</title><script type="application/ld+json">'
    page = head + source
    document = clean(page + f"</script></head><body><article>{seeds.ARTICLE}</article></body></html>".encode(), url=URL)
    check_document(document)
    _require("on day 4 that the old bridge" in document.text, "the article is lost")


def check_sitemap(body: bytes) -> None:
    found = parse_sitemap(body, "https://news.example/sitemap.xml")
    check_entries([*found.pages, *found.children])


def check_feed(body: bytes) -> None:
    check_entries(parse_feed(body, "https://news.example/feed"))


def check_entries(entries: list[Entry]) -> None:
    for entry in entries:
        _require(entry.url.startswith(("http://", "https://")), f"no address: {entry.url[:80]!r}")
        for value in (entry.modified, entry.published):
            _require(value is None or value[:4].isdecimal(), f"no date: {value!r}")


def check_robots(body: bytes) -> None:
    for place in from_robots(body, "https://news.example/robots.txt"):
        _require(place.startswith(("http://", "https://")), f"no address: {place[:80]!r}")
    rules = Protego.parse(body.decode("utf-8", "ignore"))
    rules.can_fetch(URL, "cleancrawl")
    rules.crawl_delay("cleancrawl")


def _make_linked_data(subject: Subject, generator: random.Random) -> bytes:
    """Other values in the same places, then mostly left as valid JSON."""
    value = broken_value(json.loads(seeds.LINKED_DATA), generator)
    source = json.dumps(value, ensure_ascii=generator.random() < 0.5).encode("utf-8", "surrogatepass")
    if generator.random() < 0.3:
        return mutated(source, generator, Material(subject.seeds, subject.tokens))
    return source


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Flaw(otherwise)


def _require_clean(name: str, value: Any) -> None:
    if isinstance(value, str):
        _require(is_clean(value), f"control characters in {name}")
    elif isinstance(value, dict):
        for key, entry in value.items():
            _require_clean(f"{name}.{key}", entry)
    elif isinstance(value, (list, tuple)):
        for entry in value:
            _require_clean(name, entry)


def subjects(pages: Sequence[bytes] = ()) -> dict[str, Subject]:
    """All subjects by name; ``pages`` stand in for the sample pages."""
    sources = pages or [page.encode() for page in seeds.sample_pages()]
    xml = [text.encode() for text in (seeds.SITEMAP, seeds.SITEMAP_INDEX, seeds.RSS, seeds.ATOM, seeds.JSON_FEED)]
    found = (
        Subject("page", ".html", check_page, sources, (*tokens.MARKUP, *tokens.JSON)),
        Subject(
            "json-ld",
            ".json",
            check_linked_data,
            [seeds.LINKED_DATA.encode()],
            (*tokens.JSON, tokens.LONG_NUMBER, *tokens.MARKUP),
            _make_linked_data,
        ),
        Subject("sitemap", ".xml", check_sitemap, xml, tokens.XML),
        Subject("feed", ".xml", check_feed, xml, tokens.XML),
        Subject("robots", ".txt", check_robots, [seeds.ROBOTS.encode()], (*tokens.ROBOTS, tokens.LONG_NUMBER)),
    )
    return {subject.name: subject for subject in found}

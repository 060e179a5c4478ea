"""Metadata of an article: JSON-LD first, then OpenGraph, meta elements and microdata, then what readers see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import Any
from urllib.parse import urlsplit

from cleancrawl.core.block import Block
from cleancrawl.core.html import json_ld
from cleancrawl.core.html.head import primary_language
from cleancrawl.core.html.tags import HEADINGS
from cleancrawl.core.metadata import authors, dates, headline_dates, source_search, titles
from cleancrawl.core.metadata.guarded_fields import guarded, nothing
from cleancrawl.core.metadata.meta_names import meta_names
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.metadata.page_source import PageSource
from cleancrawl.core.metadata.rights import Statement, page_rights
from cleancrawl.core.metadata.short_lines import dated_lines
from cleancrawl.core.metadata.stated_addresses import absolute_url
from cleancrawl.core.page import Page
from cleancrawl.core.text.control_characters import printable_or_none, without_controls
from cleancrawl.core.text.language import detect_language

_MOST_TAGS = 30
_MOST_AUTHORS = 50
_LONGEST_LABEL = 80
_PAGE_TYPES = frozenset({"webpage", "itempage", "videoobject", "recipe", "podcastepisode"})
AUTHORS = "authors"
"""Among what is remembered of a page."""


def extract(page: Page) -> Metadata:
    """All metadata of a page; never raises. All of it is free of control characters."""
    facts = _Facts(page)
    published = facts.published()
    return Metadata(
        title=without_controls(facts.title),
        authors=_authors(page, facts),
        published=published,
        modified=facts.modified(published),
        language=facts.language(),
        site_name=printable_or_none(facts.site_name),
        section=printable_or_none(facts.section()),
        tags=tuple(map(without_controls, facts.tags())),
        description=printable_or_none(facts.description()),
        image=printable_or_none(facts.image()),
        canonical_url=printable_or_none(facts.canonical()),
        paywalled=facts.paywalled(),
        rights=tuple(facts.rights()),
        types=tuple(map(without_controls, facts.types())),
        failed=tuple(dict.fromkeys(facts.failed)),
    )


def language_of(page: Page) -> str | None:
    """The field ``language`` alone, which hangs on what is kept of the page; never raises."""
    return _Facts(page).language()


def authors_of(page: Page) -> tuple[str, ...]:
    """The field ``authors`` alone, which stages of a recipe may ask for; never raises."""
    return _authors(page, None)


def _authors(page: Page, facts: _Facts | None) -> tuple[str, ...]:
    """Found once: they do not hang on what is kept."""
    found: tuple[str, ...] | None = page.memo.get(AUTHORS)
    if found is None:
        facts = facts or _Facts(page)
        found = tuple(map(without_controls, facts.authors()))
        if not facts.failed:
            page.memo[AUTHORS] = found
    return found


class _Facts:
    """One page's structured data, and the order in which each field is looked for in it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.source = PageSource(page)
        self.failed: list[str] = []
        self._readings: dict[str | None, tuple[str, ...]] = {}
        self.nodes = self._linked_nodes()
        self.graph = {node["@id"]: node for node in self.nodes if isinstance(node.get("@id"), str)}
        self.node_types = [json_ld.types(node) for node in self.nodes]
        self.article = self._article_node()
        self.meta: dict[str, list[str]] = {}
        for name, content in page.head.meta:
            content = " ".join(content[: json_ld.LONGEST_VALUE].split())
            if content:
                self.meta.setdefault(name, []).append(content)

    @property
    def address(self) -> str | None:
        return self.page.url

    @guarded(list)
    def _linked_nodes(self) -> list[json_ld.Node]:
        return json_ld.nodes(self.page.head.linked_data)

    def _article_node(self) -> json_ld.Node:
        found = [node for node, types in self.typed_nodes() if types & json_ld.ARTICLE_TYPES]
        found.sort(
            key=lambda node: ("headline" not in node, "datePublished" not in node)
        )  # stable: first of the fullest
        return found[0] if found else {}

    def page_node(self) -> json_ld.Node:
        return next((node for node, types in self.typed_nodes() if types & _PAGE_TYPES), {})

    def typed_nodes(self) -> Iterator[tuple[json_ld.Node, frozenset[str]]]:
        return zip(self.nodes, self.node_types, strict=True)

    def first(self, key: str, field: str) -> str | None:
        """The first word on a field: the article's node, then the meta elements."""
        found = json_ld.text(self.article.get(key)) or next(self.contents(field), None)
        return " ".join(source_search.tidy(found).split()) if found else None

    def contents(self, field: str) -> Iterator[str]:
        """What the meta elements say about a field, most trusted first."""
        for name in meta_names(field):
            yield from self.meta.get(name, ())

    @guarded(nothing)
    def description(self) -> str | None:
        return self.first("description", "description")

    @cached_property
    @guarded(nothing)
    def site_name(self) -> str | None:
        named = next(self.contents("site-name"), None)
        if named and not named.startswith(("http", "@")) and len(named) <= _LONGEST_LABEL:
            return source_search.tidy(named)
        publishers = json_ld.names(self.article.get("publisher"), self.graph)
        sites = (node.get("name") for node, types in self.typed_nodes() if "website" in types)
        found = next((name for name in (*publishers, *sites) if isinstance(name, str)), None)
        return source_search.tidy(found) if found and len(found) <= _LONGEST_LABEL else None

    @cached_property
    @guarded(str)
    def host(self) -> str:
        return urlsplit(self.page.url or "").hostname or ""

    @cached_property
    @guarded(str)
    def title(self) -> str:
        page_title = self.page.head.title[: json_ld.LONGEST_VALUE]
        host = self.host
        labels = tuple(label for label in host.split(".")[:-1] if label != "www")
        site_names = (self.site_name or "", host.removeprefix("www."), *labels)
        stated = (json_ld.text(self.article.get("headline")), *self.contents("title"), page_title)
        candidates = [
            titles.without_site(source_search.plain(title), site_names) for title in dict.fromkeys(stated) if title
        ]
        headings = self.headings(3, "h1") or self.source.headings()
        chosen = titles.choose(candidates, headings, self.headings(10, "h2", "h3"))
        return titles.without_site(" ".join(chosen.split()), site_names)

    @cached_property
    def _headings(self) -> list[Block]:
        return [block for block in self.page.blocks if block.tag in HEADINGS]

    def headings(self, most: int, *tags: str) -> list[str]:
        """The first headings of the page, where it has been cut at them."""
        return [block.text[:400] for block in islice((one for one in self._headings if one.tag in tags), most)]

    @cached_property
    @guarded(lambda: ([], []))
    def beside_headline(self) -> tuple[list[str], list[str]]:
        """The lines before the headline and those behind it."""
        place = headline_dates.headline(self._headings, self.title)
        return self.source.near_heading() if place is None else headline_dates.beside(self.page.blocks, place)

    @cached_property
    def order(self) -> dates.Order:
        """How the page's language, and where it is English its country, writes dates."""
        locale = next(self.contents("locale"), "").lower()
        language = self.page.head.language or primary_language(locale)
        ending = self.host.rsplit(".", 1)[-1]
        american = language == "en" and (len(ending) != 2 or ending == "us")
        return dates.Order(language, american and locale[3:5] in ("", "us"))

    def dated_lines(self) -> Iterable[str]:
        return dated_lines(self.page) if self.page.blocks else source_search.dated_texts(self.page.html)

    @guarded(list)
    def authors(self) -> list[str]:
        stated: list[str] = []
        for values in (
            json_ld.names(self.article.get("author"), self.graph)
            or json_ld.names(self.article.get("creator"), self.graph),
            self._scholars(),
            list(islice(self.contents("author"), _MOST_AUTHORS)),
            json_ld.names(self.page_node().get("author"), self.graph),
        ):
            stated = stated or self._people(values)
        if stated and not self._is_publisher(stated[0]):
            return stated
        return self._full_names() or self._visible_authors() or stated or self._first_name()

    def _scholars(self) -> list[str]:
        """Authors of a paper: an element each, often with the family name first."""
        values = islice(self.contents("scholar"), _MOST_AUTHORS)
        return [" ".join(reversed(value.split(", "))) if value.count(", ") == 1 else value for value in values]

    @cached_property
    def _publisher(self) -> frozenset[str]:
        """The site's name and host, as an author may be given by."""
        host = self.host.removeprefix("www.")
        return frozenset(map(titles.fold, (self.site_name or "", host, host.rpartition(".")[0])))

    def _is_publisher(self, name: str) -> bool:
        """Whether a stated author is nobody but the site, or an organisation by type."""
        author = self.article.get("author")
        kinds = json_ld.types(author) if isinstance(author, dict) else ()
        return titles.fold(name) in self._publisher or any(kind.endswith("organization") for kind in kinds)

    def _bylines(self) -> Iterator[list[str]]:
        """The people whom each line beside the headline names."""
        before, behind = self.beside_headline
        for named in authors.bylines([*behind[:8], *before[-4:]]):
            yield self._people([named])

    def _full_names(self) -> list[str]:
        found = ([name for name in names if authors.is_written_name(name)] for names in self._bylines())
        return next(filter(None, found), [])

    def _first_name(self) -> list[str]:
        """A single name that has a byline for itself."""
        found = (names for names in self._bylines() if len(names) == 1 and authors.is_single_name(names[0]))
        return next(found, [])

    def _people(self, values: Iterable[str]) -> list[str]:
        """People first; the organisation that publishes the page only where nobody else is named."""
        found: dict[str, str] = {}
        for value in values:
            for name in authors.split_names(source_search.plain(value)):
                found.setdefault(name.casefold(), name)
        people = [name for name in found.values() if titles.fold(name) not in self._publisher]
        return people or list(found.values())

    def _visible_authors(self) -> list[str]:
        for word in source_search.AUTHOR_MARKS:
            elements = [(tag, text) for tag, text in self.source.marked_authors(word) if 0 < len(text) <= 200]
            # What states its meaning before what is only named so.
            elements.sort(key=lambda element: not ("rel=" in element[0] or "itemprop=" in element[0]))
            for tag, text in elements:
                found = self._named(tag, text.split("\n"))
                if found:
                    return found
        return []

    def _named(self, tag: str, lines: list[str]) -> list[str]:
        if "comment" in tag:
            return []
        line = lines[1] if len(lines) > 1 and authors.starts_as_byline(lines[0] + ": ") else lines[0]
        found = self._people([line])
        stated = "rel=" in tag or "itemprop=" in tag
        if found and (authors.is_written_name(found[0]) or (stated and not authors.is_role(found[0]))):
            return [name for name in found if authors.is_written_name(name)] or found
        return []

    @guarded(nothing)
    def published(self) -> str | None:
        stated = (
            json_ld.text(self.article.get("datePublished")),
            json_ld.text(self.article.get("dateCreated")),
            *self.contents("published"),
            *self._other_dates(),
            *(json_ld.text(self.page_node().get(key)) for key in ("datePublished", "uploadDate")),
        )
        found = [reading for value in dict.fromkeys(stated) for reading in self.readings(value)]
        if found:
            return headline_dates.settle(found, self.shown, self.day_in_url, self.modified(None))
        return self.day_in_url or self._visible_date() or self.modified(None) or self._last_resort()

    @cached_property
    def day_in_url(self) -> str | None:
        return dates.url_date(self.page.url)

    @cached_property
    @guarded(list)
    def shown(self) -> list[headline_dates.Shown]:
        return headline_dates.shown_dates(*self.beside_headline, self.order)

    def _other_dates(self) -> Iterator[str]:
        """Meta elements under names that are not usual but speak of publication."""
        names = "\n".join(self.meta)
        marks = [mark for mark in source_search.PUBLICATION_MARKS if mark in names]
        for name, values in self.meta.items() if marks else ():
            if any(mark in name for mark in marks):
                yield from (value for value in values if value[:1].isalnum() and len(value) < 40)

    def _visible_date(self) -> str | None:
        for tag, stamp, text in self.source.times():
            if "comment" not in tag and "updat" not in tag and "modif" not in tag:
                found = dates.readings(stamp, self.order) or dates.readings(text, self.order)
                if found:
                    return headline_dates.settle(found, self.shown)
        return next(self._written_dates(), None) or dates.machine_date(source_search.stated_date(self.page.html))

    def _written_dates(self) -> Iterator[str]:
        """What readers can take for the date, likeliest first."""
        before, behind = self.beside_headline
        lines = (headline_dates.date_lines(lines, self.order) for lines in (behind, before))
        near = chain(self.shown, *lines)
        yield from (shown.readings[0] for shown in near if not shown.updated)
        yield from headline_dates.openings(behind, self.order)
        yield from filter(None, (dates.written_date(text, self.order) for text in self._marked_dates()))

    def _last_resort(self) -> str | None:
        """The day of an update, else the first date anywhere."""
        anywhere = (dates.written_date(line, self.order) for line in self.dated_lines())
        return next(filter(None, chain((shown.readings[0] for shown in self.shown), anywhere)), None)

    def _marked_dates(self) -> Iterator[str]:
        for word in source_search.DATE_MARKS:
            for tag, text in self.source.marked_dates(word):
                if "comment" not in tag and "update" not in tag:
                    yield text

    @guarded(nothing)
    def modified(self, published: str | None) -> str | None:
        for value in (json_ld.text(self.article.get("dateModified")), *self.contents("modified")):
            for found in self.readings(value)[:1]:
                if published is None or found[:10] >= published[:10]:
                    return found
        return None

    def readings(self, value: str | None) -> tuple[str, ...]:
        """As what a stated date can be read; one that several fields ask for is read once."""
        if value not in self._readings:
            self._readings[value] = dates.readings(value, self.order)
        return self._readings[value]

    @guarded(nothing)
    def language(self) -> str | None:
        declared = self.page.head.language or primary_language(json_ld.text(self.article.get("inLanguage")))
        return declared or detect_language(" ".join(block.text for block in self.page.kept[:40]))

    @guarded(nothing)
    def section(self) -> str | None:
        """The section; the first of them where the page gives all its categories and tags."""
        found = self.first("articleSection", "section") or ""
        section = found.split(",")[0].strip() if found.count(",") > 1 else found
        return section if 0 < len(section) <= _LONGEST_LABEL else None

    @guarded(nothing)
    def image(self) -> str | None:
        stated = (json_ld.link(self.article.get("image"), self.graph), *self.contents("image"))
        return next(filter(None, map(self.url, stated)), None)

    @guarded(list)
    def tags(self) -> list[str]:
        stated = self.article.get("keywords")
        values: list[Any] = stated if isinstance(stated, list) else [stated]
        named = [part for value in values for name in json_ld.names(value, self.graph) for part in name.split(",")]
        metas = [*self.contents("tag")] or [part for value in self.contents("keywords") for part in value.split(",")]
        found = dict.fromkeys(" ".join(source_search.tidy(tag).split()) for tag in named or metas)
        return [tag for tag in found if 0 < len(tag) <= 80][:_MOST_TAGS]

    @guarded(nothing)
    def canonical(self) -> str | None:
        links = (href for rel, href, _ in self.page.head.links if "canonical" in rel and "canonical" in rel.split())
        return next(filter(None, map(self.url, (*links, *self.contents("canonical-url")))), None)

    def url(self, value: str | None) -> str | None:
        """An absolute http(s) URL, or None."""
        return absolute_url(value, self.page.url, self.page.head.base)

    @guarded(nothing)
    def paywalled(self) -> bool | None:
        stated = self.article.get("isAccessibleForFree")
        if stated is None:
            tier = next(self.contents("content-tier"), None)
            return {"free": False, "metered": True, "locked": True}.get((tier or "").lower())
        if not isinstance(stated, (bool, int, str)):
            return None
        return str(stated)[:200].strip().lower().rsplit("/", 1)[-1] in ("false", "0", "no")

    @guarded(list)
    def rights(self) -> list[Statement]:
        found = page_rights(self.page, self.article, self.meta, self.url)
        return [{key: printable_or_none(value) for key, value in one.items()} for one in found]

    @guarded(list)
    def types(self) -> list[str]:
        stated = [f"og:{value.lower()}" for value in self.meta.get("og:type", ())[:1]]
        return [*stated, *dict.fromkeys(name for types in self.node_types for name in sorted(types))]

"""What a crawl gives: articles. Each field is declared here, once; files, indexes and documentation follow from it."""

# ruff: noqa: RUF009 (the call is the declaration)

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from operator import attrgetter, itemgetter
from typing import Any, Literal, Protocol, TypeVar

from cleancrawl.core.block_columns import kept_words, removed_by_rule
from cleancrawl.core.page import LEFT_OUT, Page

ArticleRecord = dict[str, Any]
"""An article as JSON values by field, as stores, indexes and corpus files have it; fields may be missing."""

Source = Literal["fetch", "metadata", "document", "store"]
"""Who knows a field: the download, the page's word on itself (``Metadata``), the cleaned text, the pages before it."""
Kind = Literal["text", "list", "counts", "records", "integer", "number", "flag", "time"]
Search = Literal["keyword", "words", "names", "date"]
Value = TypeVar("Value")
Rendering = Literal["text", "markdown", "html"]
"""What a text can be written as; an article has the plain one in any case."""


@dataclass(frozen=True, slots=True)
class Column:
    """What there is to know about a field of ``Article`` besides its name, type and default."""

    source: Source
    meaning: str
    kind: Kind = "text"
    """The type of its column, where columns have types. A date that keeps the precision of its page is text."""
    search: Search | None = None
    """How server indexes make it searchable; None: they keep it, no more."""
    in_hits: bool = False
    """Whether the embedded index gives it with a hit."""
    record: tuple[str, ...] = ()
    """The names in each of its records, where it has some."""
    front_matter: int | None = None
    """Its place in the front matter of Markdown files."""


def _column(source: Source, meaning: str, kind: Kind = "text", **more: Any) -> dict[str, Column]:
    return {"column": Column(source, meaning, kind, **more)}


def _field(default: Value, source: Source, meaning: str, kind: Kind = "text", **more: Any) -> Value:
    metadata = _column(source, meaning, kind, **more)
    if isinstance(default, (list, dict)):
        return field(default_factory=type(default), metadata=metadata)
    return field(default=default, metadata=metadata)


class Cleaned(Protocol):
    """A cleaned page, of which an article is made: a ``Document``."""

    recipe: str
    page: Page

    @property
    def metadata(self) -> Any: ...
    @property
    def text(self) -> str: ...
    @property
    def markdown(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def comments(self) -> Sequence[Any]: ...
    @property
    def images(self) -> Sequence[Any]: ...
    @property
    def score(self) -> float: ...


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class Article:
    """The core content of one page and what is known about it. Exported as it is, field by field.

    To add what a page says about itself: a field here, and one of the same name in ``Metadata`` (docs/extending.md).
    """

    url: str = field(
        metadata=_column("fetch", "address of the page", search="keyword", in_hits=True, front_matter=2),
    )
    site: str = _field(
        "", "fetch", "registrable domain or host of the page", search="keyword", in_hits=True, front_matter=3
    )
    canonical_url: str = _field("", "metadata", "address that the page gives as its own, else `url`")
    fetched_at: str = _field("", "fetch", "ISO 8601, in UTC", "time")
    title: str = _field(
        "", "metadata", "headline, without the site's name", search="words", in_hits=True, front_matter=1
    )
    text: str = _field("", "document", "one line per paragraph, as `Document.text`", search="words", in_hits=True)
    language: str | None = _field(
        None, "metadata", "ISO 639, declared or detected", search="keyword", in_hits=True, front_matter=6
    )
    authors: list[str] = _field(
        [], "metadata", "names; people before organisations", "list", search="names", in_hits=True, front_matter=4
    )
    published: str | None = _field(
        None, "metadata", "ISO 8601, a day or a time as the page says", search="date", in_hits=True, front_matter=5
    )
    modified: str | None = _field(None, "metadata", "the same of the last change", search="date")
    section: str | None = _field(None, "metadata", "part of the site, as the page names it", front_matter=7)
    tags: list[str] = _field([], "metadata", "keywords, at most 30", "list", front_matter=8)
    description: str | None = _field(None, "metadata", "the page's own summary")
    image: str | None = _field(None, "metadata", "address of the main picture")
    site_name: str | None = _field(None, "metadata", "what the site calls itself")
    paywalled: bool | None = _field(None, "metadata", "whether readers pay, where the page says so", "flag")
    rights: list[dict[str, str | None]] = _field(
        [],
        "metadata",
        "`kind`, `value` and `source` of what page and answer say about its use ([rights](rights.md))",
        "records",
        record=("kind", "value", "source"),
    )
    text_source: str | None = _field(
        None,
        "fetch",
        '`"feed"` where [a feed of the site](harvest.md#feeds-with-the-whole-text) has the text, else null',
    )
    feed_agreement: float | None = _field(
        None, "fetch", "word F1 of the page's text against the feed's, where a feed has the whole text", "number"
    )
    parts: int | None = _field(
        None,
        "fetch",
        "of an article [in parts](harvest.md#articles-in-parts): how many of them the text has",
        "integer",
    )
    parts_expected: int | None = _field(None, "fetch", "how many there are, as far as its pages say", "integer")
    word_count: int = _field(0, "document", "words of the kept blocks", "integer")
    blocks_total: int = _field(0, "document", "blocks of the page", "integer")
    blocks_kept: int = _field(0, "document", "blocks that make up the text", "integer")
    removed: dict[str, int] = _field({}, "document", "how many blocks each rule removed", "counts")
    comments: list[dict[str, str | None]] | None = _field(
        None,
        "document",
        '`author`, `date` and `text` of readers\' comments, with `CLEANCRAWL_COMMENTS="field"`',
        "records",
        record=("author", "date", "text"),
    )
    images: list[dict[str, str | None]] | None = _field(
        None,
        "document",
        "`url`, `caption`, `credit` and `alt` of the article's pictures, with `CLEANCRAWL_IMAGES`",
        "records",
        record=("url", "caption", "credit", "alt"),
    )
    posts: list[dict[str, str | None]] | None = _field(
        None,
        "store",
        "of a [live report](harvest.md#live-reports): `id`, `time`, `title`, `text` and `first_seen` of all its posts",
        "records",
        record=("id", "time", "title", "text", "first_seen"),
    )
    recipe: str = _field("", "document", "name of the recipe that cleaned the page")
    score: float = _field(0.0, "document", "how sure the recipe is of the text", "number")
    version: int = _field(1, "store", "1 at first, one more with each change of the article", "integer")
    previous: str | None = _field(None, "store", "fingerprint of the version before, where there was one")
    duplicate_of: str | None = _field(
        None, "store", "address of the article that this one repeats", search="keyword", in_hits=True, front_matter=9
    )
    withdrawn: str | None = _field(
        None,
        "store",
        "in exports: when its page was found gone, where it is ([withdrawn](harvest.md#pages-that-are-gone))",
        "time",
        front_matter=10,
    )
    rendered: bool = _field(False, "fetch", "whether a browser has made the page ([browser](browser.md))", "flag")
    html: str | None = _field(None, "fetch", "the page as it came, where `CLEANCRAWL_KEEP_HTML` asks for it")
    markdown: str | None = _field(None, "document", "the text as Markdown, where `CLEANCRAWL_FORMATS` has `markdown`")
    clean_html: str | None = _field(None, "document", "the text as clean HTML, where `CLEANCRAWL_FORMATS` has `html`")

    @classmethod
    def of(
        cls,
        document: Cleaned,
        *,
        url: str,
        site: str,
        fetched: float | None = None,
        html: str | None = None,
        rendered: bool = False,
        comments: bool = False,
        images: bool = False,
        formats: Collection[Rendering] = (),
    ) -> Article:
        """The article that a cleaned page gives; ``fetched`` is in seconds since the epoch, None where nobody knows."""
        page, kept = document.page, document.page.kept
        removed = removed_by_rule(page.blocks)
        if page.left_out:
            removed[LEFT_OUT] = page.left_out
        stated = dict(zip(STATED, map(_unfrozen, _stated(document.metadata)), strict=True))
        article = cls(
            **{**stated, "canonical_url": stated["canonical_url"] or url},
            url=url,
            site=site,
            fetched_at="" if fetched is None else datetime.fromtimestamp(fetched, UTC).isoformat(timespec="seconds"),
            html=html,
            rendered=rendered,
            text=document.text,
            word_count=kept_words(page.blocks),
            blocks_total=len(page.blocks) + page.left_out,
            blocks_kept=len(kept),
            removed=dict(sorted(removed.items(), key=itemgetter(1), reverse=True)),
            comments=[asdict(comment) for comment in document.comments] if comments else None,
            recipe=document.recipe,
            score=round(document.score, 4),
        )
        article.render(document, formats, images=images)
        return article

    def render(self, document: Cleaned, formats: Collection[Rendering], *, images: bool = False) -> None:
        """Take over the text in these formats, too; the first costs about as much as cleaning, another one nothing.

        ``images`` takes over the pictures, which costs about as much as parsing.
        """
        if images:
            self.images = list(document.images)
        if "markdown" in formats:
            self.markdown = document.markdown
        if "html" in formats:
            self.clean_html = document.html

    def to_record(self) -> ArticleRecord:
        """The fields by name, values not copied."""
        return {name: getattr(self, name) for name in FIELDS}

    def __repr__(self) -> str:
        # Scrapy logs every item; a line is enough there.
        return f"Article({self.url!r}, {self.title!r}, {self.word_count} words)"


COLUMNS: dict[str, Column] = {known.name: known.metadata["column"] for known in fields(Article)}
FIELDS: tuple[str, ...] = tuple(COLUMNS)
"""In the order of corpus files."""
STATED = tuple(name for name, column in COLUMNS.items() if column.source == "metadata")
"""Taken over from ``Metadata`` by name."""
_stated = attrgetter(*STATED)


def _unfrozen(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value

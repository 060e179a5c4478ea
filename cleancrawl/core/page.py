"""What flows through a recipe: a page, its blocks, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cleancrawl.core.decode import repaired
from cleancrawl.core.site import site_key

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from cleancrawl.core.head import Head
    from cleancrawl.core.templates.site import SiteTemplates


@dataclass(frozen=True, slots=True)
class Removal:
    """Why a block was removed: by which stage, by which rule, on what evidence.

    >>> str(Removal("primary", "ad-domain", "doubleclick.net"))
    'primary: ad-domain (doubleclick.net)'
    """

    stage: str
    rule: str
    evidence: str = ""

    def __str__(self) -> str:
        return f"{self.stage}: {self.rule}" + (f" ({self.evidence})" if self.evidence else "")


@dataclass(slots=True, eq=False)
class Block:
    """A piece of a page's text. Kept as long as nothing has removed it."""

    text: str
    words: int
    link_words: int
    tag: str
    node: Any = None
    """The lxml element, or None where the segmentation built no tree."""
    index: int = 0
    score: float | None = None
    removed: Removal | None = None

    @property
    def kept(self) -> bool:
        return self.removed is None

    def remove(self, stage: str, rule: str, evidence: str = "") -> None:
        """Mark the block; the first verdict stands."""
        if self.removed is None:
            self.removed = Removal(stage, rule, evidence)


@dataclass(frozen=True, slots=True)
class Known:
    """What a store knows about a page's blocks, aligned with ``page.blocks``."""

    pages: Sequence[int]
    """On how many *other* pages of the site, with other content, each block was seen."""
    site_pages: int
    """How many other pages of the site are known."""
    sources: Sequence[tuple[int, ...]] = ()
    """The store's own numbers of those pages, where a block was seen on few: what a copy of a page is told by."""


class Page:
    """One HTML page on its way through a recipe.

    ``tree`` and ``head`` are made on first use: a recipe that works on the source never pays for a tree.
    """

    __slots__ = (
        "_head",
        "_site",
        "_tree",
        "blocks",
        "borrow",
        "comments",
        "encoding",
        "html",
        "known",
        "layout",
        "notes",
        "templates",
        "url",
    )

    def __init__(self, html: str, url: str | None = None, encoding: str | None = None, *, comments: bool = False):
        self.html = repaired(html)
        self.url = url
        self.encoding = encoding
        self.comments = comments
        """Whether readers' comments are wanted in the text."""
        self.blocks: list[Block] = []
        self.known: Known | None = None
        """Set from a store before the secondary phase; None where there is none."""
        self.templates: SiteTemplates | None = None
        """The templates of the page's site, set by the caller like ``known``."""
        self.layout: Any = None
        """What the segmenter learned about all blocks at once (arrays); its type belongs to the segmenter."""
        self.borrow: Callable[[], HtmlElement | None] | None = None
        """Gives a tree of ``html`` that is somebody else's: to be read once, while cutting into blocks, not changed."""
        self.notes: dict[int, str] = {}
        """Explanations by block index, for blocks whose verdict needs more than a removal."""
        self._tree: HtmlElement | None = None
        self._head: Head | None = None
        self._site: str | None = None

    @property
    def tree(self) -> HtmlElement:
        """The root of the parsed page."""
        if self._tree is None:
            from cleancrawl.core.dom import parse_tree

            self._tree = parse_tree(self.html)
        return self._tree

    @property
    def has_tree(self) -> bool:
        """Whether a tree was built."""
        return self._tree is not None

    @property
    def head(self) -> Head:
        """Title, meta elements, links and embedded JSON-LD, found without building a tree."""
        if self._head is None:
            from cleancrawl.core.head import scan_head

            self._head = scan_head(self.html)
        return self._head

    @head.setter
    def head(self, head: Head) -> None:
        self._head = head

    @property
    def title(self) -> str:
        return self.head.title

    @property
    def language(self) -> str | None:
        """The declared language as a lower-case primary subtag (``de``), or None."""
        return self.head.language

    @property
    def site(self) -> str:
        """The registrable domain, or an empty string where the page has no URL."""
        if self._site is None:
            self._site = site_key(self.url) if self.url else ""
        return self._site

    @property
    def kept(self) -> list[Block]:
        return [block for block in self.blocks if block.removed is None]

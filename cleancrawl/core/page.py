"""What flows through a recipe: a page, and what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cleancrawl.core.block import Block, Removal
from cleancrawl.core.block_columns import kept_ones
from cleancrawl.core.html.decode import repaired
from cleancrawl.core.site import domain_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from cleancrawl.core.html.head import Head

LEFT_OUT = "too-many-blocks"
"""What blocks that were not looked at are counted as, among the rules that remove some."""
_THIN = 60_000
"""Characters that no page with too many blocks does without: each has a tag of three."""

SomeLayout = TypeVar("SomeLayout", bound="Layout")
SomeValue = TypeVar("SomeValue")


@dataclass(frozen=True, slots=True)
class Known:
    """What a store knows about a page's blocks, aligned with ``page.blocks``."""

    pages: Sequence[int]
    """On how many *other* pages of the site, with other content, each block was seen."""
    site_pages: int
    """How many other pages of the site are known."""
    sources: Sequence[tuple[int, ...]] = ()
    """The store's own numbers of those pages, where a block was seen on few: what a copy of a page is told by."""
    elsewhere: Sequence[bool] = ()
    """Whether a text was seen on articles of one other section of the site only; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Region:
    """A run of blocks, ``first`` to before ``end``, and what told that it is one."""

    first: int
    end: int
    evidence: str


class Layout:
    """What a segmenter learned about all blocks of a page at once; each kind of segmenter has a subclass of its own."""

    __slots__ = ()


class Page:
    """One HTML page on its way through a recipe.

    ``tree`` and ``head`` are made on first use: a recipe that works on the source never pays for a tree.
    """

    __slots__ = (
        "_domain",
        "_head",
        "_source",
        "_tree",
        "blocks",
        "borrow",
        "comments",
        "corrections",
        "encoded",
        "encoding",
        "html",
        "known",
        "layout",
        "left_out",
        "memo",
        "notes",
        "url",
    )

    def __init__(self, html: str, url: str | None = None, encoding: str | None = None) -> None:
        self._source = html
        self.left_out = 0
        """Blocks that were not looked at, since the page has too many; the longest were."""
        self.html = self.bounded(repaired(html))
        """What the stages read: without misread characters, cut down where it has too many blocks, and as a segmenter
        may have mended it."""
        self.url = url
        self.encoding = encoding
        self.blocks: list[Block] = []
        self.known: Known | None = None
        """Set from a store before the secondary phase; None where there is none."""
        self.layout: Layout | None = None
        """What the segmenter learned about all blocks at once; ``layout_of`` gives it as the type that it is."""
        self.borrow: Callable[[], HtmlElement | None] | None = None
        """Gives a tree of ``html`` that is somebody else's: to be read once, while cutting into blocks, not changed."""
        self.encoded: bytes | None = None
        """``html`` in UTF-8, where it came so: to be read once, while cutting into blocks."""
        self.notes: dict[int, str] = {}
        """Explanations by block index, for blocks whose verdict needs more than a removal."""
        self.corrections: dict[int, Removal | None] = {}
        """Verdicts of the user's rules for the site, by block index: a removal, or None for what stays in any case."""
        self.comments: tuple[Region, ...] | None = None
        """Readers' comments among what a score kept; None where no stage has looked for them."""
        self.memo: dict[str, Any] = {}
        """What a stage has found out about the page alone, by a name of its own: kept for a second pass."""
        self._tree: HtmlElement | None = None
        self._head: Head | None = None
        self._domain: str | None = None

    @property
    def source(self) -> str:
        """The page as it came."""
        return self._source

    def bounded(self, html: str) -> str:
        """A source for ``html``, cut down where it has too many blocks; what it loses is counted."""
        if len(html) < _THIN:
            return html
        # Imported here: hardly any page is that long.
        from cleancrawl.core.html.thinning import thinned

        found = thinned(html)
        if found is None:
            return html
        self.left_out += found.left_out
        return found.html

    def start_over(self) -> None:
        """Take all verdicts back, and what a store knew: what is left depends on the page alone."""
        self.known = self.comments = None
        self.notes, self.corrections = {}, {}
        for block in self.blocks:
            block.removed = block.score = None

    def remember(self, name: str, value: SomeValue) -> SomeValue:
        """Keep what was found out about the blocks as they are, whatever becomes of them; gives the value back.

        >>> page = Page("")
        >>> page.remember("headings", 3), page.remembered("headings"), page.remembered("lists")
        (3, 3, None)
        """
        self.memo[name] = self.blocks, value
        return value

    def remembered(self, name: str) -> Any:
        """What was kept under a name; None where it was nothing, or the page was cut into blocks anew."""
        blocks, value = self.memo.get(name, (None, None))
        return value if blocks is self.blocks else None

    def layout_of(self, kind: type[SomeLayout]) -> SomeLayout:
        """The layout as the type that a stage needs; raises ``TypeError`` where another segmenter cut the page.

        >>> Page("").layout_of(Layout)
        Traceback (most recent call last):
        TypeError: the page has no Layout: NoneType
        """
        if not isinstance(self.layout, kind):
            raise TypeError(f"the page has no {kind.__name__}: {type(self.layout).__name__}")
        return self.layout

    @property
    def tree(self) -> HtmlElement:
        """The root of the parsed page."""
        if self._tree is None:
            from cleancrawl.core.html.dom import parse_tree

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
            from cleancrawl.core.html.head import scan_head

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
    def domain(self) -> str:
        """The registrable domain, or an empty string where the page has no URL."""
        if self._domain is None:
            self._domain = domain_of(self.url) if self.url else ""
        return self._domain

    @property
    def kept(self) -> list[Block]:
        return kept_ones(self.blocks)

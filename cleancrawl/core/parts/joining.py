"""The pages of one article, joined: what repeats at the joints is marked, what is left is the article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict

from cleancrawl.core.article import Article, Rendering
from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.page import LEFT_OUT, Known, Page
from cleancrawl.core.parts.pager import stated_total
from cleancrawl.core.text.iso_dates import day_of
from cleancrawl.core.text.words import normalise

STAGE = "parts"
LONG = 6
"""Words from which on a paragraph that an earlier part has is a repetition wherever it stands; a shorter one only at
the beginning or the end of a part: in an interview "Yes." is said more than once."""
AGAIN = 0.6
"""A page with so much of an article's text so far is the same page again, with other comments below it."""
CONTAINED = 0.8
"""A version on one page has so much of the first part."""
LONGER = 1.2
"""And is so many times as long."""
MOST_LINKED = 0.5
"""Of a part's words; above it the page is a listing."""


class JoinedPages:
    """The cleaned pages of one article in their order."""

    def __init__(self, first: Page, metadata: Metadata) -> None:
        self.pages = [first]
        self.metadata = metadata
        self._mark_pagers(first, 1)
        self._texts = _texts(first.kept)

    def add(self, page: Page, metadata: Metadata, number: int, *, sure: bool) -> bool:
        """Add the next part; False where the page is none. ``sure`` is whether its address leaves no doubt."""
        if not self._belongs(page, metadata, sure=sure):
            return False
        again = sum(block.words for block in page.kept if _key(block) in self._texts)
        if again >= AGAIN * max(1, sum(self._texts.values())):
            return False
        self._mark_pagers(page, number)
        self._mark_repeated(page, number)
        if not any(block.words >= LONG for block in page.kept):
            return False
        self.pages.append(page)
        self._texts.update(_texts(page.kept))
        return True

    def replace_by(self, page: Page, metadata: Metadata) -> bool:
        """Take a version on one page instead of the parts; False where it does not have the first part, or no more."""
        texts = _texts(page.kept)
        total = sum(self._texts.values())
        found = sum(words for text, words in self._texts.items() if text in texts)
        enough = found >= CONTAINED * total and sum(texts.values()) >= LONGER * total
        if not enough or not self._belongs(page, metadata, sure=True):
            return False
        for block in self.pages[0].kept:
            block.remove(STAGE, "on-one-page", "the version on one page has it")
        self._mark_pagers(page, 1)
        self.pages.append(page)
        return True

    def _belongs(self, page: Page, metadata: Metadata, *, sure: bool) -> bool:
        """Whether nothing speaks against a page being of the same article: its day, its title, a text of links."""
        words = sum(block.words for block in page.kept)
        linked = sum(block.link_words for block in page.kept)
        if not words or linked > MOST_LINKED * words:
            return False
        days = [day_of(found.published) for found in (self.metadata, metadata)]
        if None not in days and days[0] != days[1]:
            return False
        return sure or _alike(self.metadata.title, metadata.title)

    def _mark_pagers(self, page: Page, number: int) -> None:
        for block in page.kept:
            if stated_total(block.text, number):
                block.remove(STAGE, "pager", block.text)

    def _mark_repeated(self, page: Page, number: int) -> None:
        kept = page.kept
        title = normalise(self.metadata.title).lower()
        repeated = [_key(block) in self._texts or _key(block) == title for block in kept]
        ends = _run(repeated), len(kept) - _run(repeated[::-1])
        for place, (block, again) in enumerate(zip(kept, repeated, strict=True)):
            if again and (block.words >= LONG or place < ends[0] or place >= ends[1]):
                block.remove(STAGE, "repeated-part", f"before part {number}")

    def write(self, article: Article, recipe: str, *, comments: bool = False) -> None:
        """Put the whole text into the article of the first page, whose metadata stays."""
        kept = [block for page in self.pages for block in page.kept]
        blocks = [block for page in self.pages for block in page.blocks]
        removed = Counter(block.removed.rule for block in blocks if block.removed)
        left_out = sum(page.left_out for page in self.pages)
        if left_out:
            removed[LEFT_OUT] = left_out
        documents = self._documents(recipe)
        article.text = "\n".join(document.text for document in documents)
        article.word_count = sum(block.words for block in kept)
        article.blocks_total = len(blocks) + left_out
        article.blocks_kept = len(kept)
        article.removed = dict(removed.most_common())
        weights = {document: sum(block.words for block in document.page.kept) for document in documents}
        total = sum(weights.values())
        article.score = round(sum(one.score * words for one, words in weights.items()) / total, 4) if total else 0.0
        if comments:
            article.comments = _once([asdict(comment) for document in documents for comment in document.comments])

    def render(self, article: Article, recipe: str, formats: Collection[Rendering], *, images: bool = False) -> None:
        """The same for what ``Article.render`` takes over of a single page."""
        documents = self._documents(recipe)
        if images:
            article.images = _once([image for document in documents for image in document.images])
        if "markdown" in formats:
            article.markdown = "\n\n".join(document.markdown for document in documents)
        if "html" in formats:
            article.clean_html = "\n".join(document.html for document in documents)

    def _documents(self, recipe: str) -> list[Document]:
        return [Document(page, recipe) for page in self.pages if page.kept]

    def as_one(self, prints: Sequence[Prints]) -> tuple[Page, Prints]:
        """All blocks as those of one page: what a store remembers of the article."""
        return one_page(self.pages, prints)


def one_page(pages: Sequence[Page], prints: Sequence[Prints]) -> tuple[Page, Prints]:
    """The blocks of several pages as those of the first, with what is known of them."""
    whole = Page("", pages[0].url)
    whole.blocks = [block for page in pages for block in page.blocks]
    first = pages[0].known
    if first is not None:
        counts: list[int] = []
        sources: list[tuple[int, ...]] = []
        elsewhere: list[bool] = []
        for page in pages:
            nothing = len(page.blocks)
            counts += page.known.pages if page.known is not None else [0] * nothing
            sources += (page.known.sources if page.known is not None else ()) or [()] * nothing
            elsewhere += (page.known.elsewhere if page.known is not None else ()) or [False] * nothing
        whole.known = Known(counts, first.site_pages, sources, elsewhere)
    return whole, joined_prints(prints)


def joined_prints(prints: Sequence[Prints]) -> Prints:
    """The fingerprints of several pages as those of one."""
    places = [(one, index) for one in prints for index in range(len(one.exact))]

    def near(indices: Sequence[int]) -> list[int | None]:
        return [places[index][0].near([places[index][1]])[0] for index in indices]

    samples = [text for one in prints for text in one.samples or [""] * len(one.exact)]
    sections = [section for one in prints for section in one.sections or [0] * len(one.exact)]
    return Prints([key for one in prints for key in one.exact], near, samples, sections)


def _key(block: Block) -> str:
    return normalise(block.text).lower()


def _texts(blocks: Sequence[Block]) -> Counter[str]:
    return Counter({_key(block): block.words for block in blocks})


def _run(flags: Sequence[bool]) -> int:
    """How many are true before the first that is not.

    >>> _run([True, True, False, True]), _run([])
    (2, 0)
    """
    return next((place for place, flag in enumerate(flags) if not flag), len(flags))


def _alike(first: str, second: str) -> bool:
    """Whether two titles can be those of one article; where one is missing nothing speaks against it.

    >>> _alike("Storm hits the coast", "Storm hits the coast - Page 2"), _alike("Storm hits the coast", "Budget passed")
    (True, False)
    """
    words = [set(normalise(title).lower().split()) for title in (first, second)]
    fewer = min(map(len, words))
    return not fewer or len(words[0] & words[1]) >= AGAIN * fewer


def _once(records: list[dict[str, str | None]]) -> list[dict[str, str | None]]:
    seen: dict[tuple[str | None, ...], dict[str, str | None]] = {}
    for record in records:
        seen.setdefault(tuple(record.values()), record)
    return list(seen.values())

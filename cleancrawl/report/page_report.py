"""Why each block of a page was kept or removed: one HTML file, for one recipe or for several in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.page_kind import decide
from cleancrawl.report.block_views import MOST_BLOCKS, RunView, Tally, run_views, tallies
from cleancrawl.report.stages import STAGES
from cleancrawl.report.templating import render


@dataclass(frozen=True, slots=True)
class PageView:
    """One page, as one recipe cleaned it."""

    document: Document
    number: int
    """Tells the columns apart."""
    facts: Sequence[tuple[str, str]]
    tallies: Sequence[Tally]
    runs: Sequence[RunView]

    @property
    def prefix(self) -> str:
        """What the addresses of its blocks within the report begin with."""
        return f"b{self.number}-" if self.number else "b"


def explain(*documents: Document, facts: Sequence[tuple[str, str]] = (), back: str | None = None) -> str:
    """A self-contained HTML report of a page: every block with its verdict, a summary by rule, the article beside it.

    Several documents are the same page as several recipes cleaned it; they stand in columns.
    ``facts`` are more of them for its head, by name; ``back`` is the address that it leads back to, on a server.
    Raises ``MissingExtra`` without Jinja2.
    """
    if not documents:
        raise TypeError("explain needs a document")
    views = [_view(document, number if len(documents) > 1 else 0) for number, document in enumerate(documents, 1)]
    stages = [name for name in STAGES if any(name == tally.stage for view in views for tally in view.tallies)]
    rules = sorted({tally.rule for view in views for tally in view.tallies if tally.rule})
    return render(
        "explain.html",
        title=documents[0].title or documents[0].url or "untitled page",
        url=documents[0].url,
        common=[*_common(documents[0]), *facts],
        views=views,
        stages={name: STAGES[name] for name in stages},
        rules=rules,
        back=back,
    )


def _view(document: Document, number: int) -> PageView:
    return PageView(document, number, _facts(document), tallies(document.blocks), list(run_views(document)))


def _facts(document: Document) -> list[tuple[str, str]]:
    """What the recipe made of the page."""
    blocks, kept, left_out = document.blocks, document.page.kept, document.page.left_out
    verdict = decide(document.page, document.metadata)
    # A score would look like a probability beside a verdict that it did not decide.
    sure = f"probability {verdict.score:.2f}"
    if not verdict.is_article:
        sure = f"no: {verdict.reason} ({sure} by what it says and how it reads)"
    else:
        sure = f"yes ({sure})"
    facts = {
        "recipe": document.recipe,
        "kept": f"{len(kept):,} of {len(blocks):,} blocks, {_words(kept):,} of {_words(blocks):,} words",
        "left out": f"{left_out:,} more blocks: the page has too many, and only the longest were looked at"
        if left_out
        else "",
        "shown": f"{MOST_BLOCKS:,} of {len(blocks):,} blocks: those that were kept, then the first of the others"
        if len(blocks) > MOST_BLOCKS
        else "",
        "score": f"{document.score:.2f}",
        "article": sure,
    }
    return [(name, value) for name, value in facts.items() if value]


def _common(document: Document) -> list[tuple[str, str]]:
    """What does not depend on the recipe."""
    metadata = document.metadata
    facts = {
        "published": metadata.published or "",
        "authors": ", ".join(metadata.authors),
        "language": metadata.language or "",
        "site": metadata.site_name or "",
    }
    return [(name, value) for name, value in facts.items() if value]


def _words(blocks: Sequence[Block]) -> int:
    return sum(block.words for block in blocks)

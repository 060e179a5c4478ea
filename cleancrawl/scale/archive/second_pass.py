"""The second pass: a page with what all pages of the archive tell about its site."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cleancrawl.core.article import Article, ArticleRecord
from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints.article_signature import Signature, signature
from cleancrawl.core.metadata.extract import language_of
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import decide, features_again
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.scale.archive.paused_pages import Cut, PausedPage, restored
from cleancrawl.scale.archive.site_blocks import Answer, OwnPage, SiteBlocks
from cleancrawl.scale.archive.stages_by_kept import run_score

SAMPLE_PAGES = 32
"""Pages of a site from which stages learn what they note about it: those whose URLs hash lowest."""


@dataclass(frozen=True, slots=True)
class PageResult:
    """The article of a page and its fingerprint, or why there is none."""

    article: ArticleRecord | None = None
    signature: Signature | None = None
    reason: str = ""


class Notebook:
    """The notes on one site while they are made."""

    def __init__(self) -> None:
        self.notes: dict[str, str] = {}

    def note(self, site: str, name: str) -> str | None:
        return self.notes.get(name)

    def set_note(self, site: str, name: str, text: str) -> None:
        self.notes[name] = text


def site_notes(site: str, samples: Iterable[tuple[str, PausedPage]], options: BulkOptions) -> dict[str, str]:
    """What the recipe's stages note about a site, from some of its pages with their URLs."""
    recipe, book = options.made_recipe, Notebook()
    for url, state in samples:
        recipe.learn_site(restored(state, url, recipe), book, site, url)
    return book.notes


def takes_notes(options: BulkOptions) -> bool:
    """Whether any stage of the recipe keeps notes about sites."""
    return any(hasattr(stage, "learn_site") for stage in options.made_recipe.stages())


def second_pass(
    facts: PageFacts,
    state: PausedPage,
    site: SiteBlocks,
    own: OwnPage,
    options: BulkOptions,
    answer: Answer | None = None,
) -> PageResult:
    """Clean a page with the knowledge of its site. Whatever goes wrong in it is raised.

    ``answer`` is the site's to the page, where several pages have asked at once.
    """
    recipe = options.made_recipe
    page = restored(state, facts.url, recipe)
    page.known = site.known(facts, page.blocks, own, answer)
    recipe.learn_site(page, site, facts.site, facts.url)
    recipe.run_phase("secondary", page)
    run_score(recipe, page, () if state.cut is None else state.cut.by_kept)
    document = Document(page, recipe.name)
    as_before = _take_over(document, page, state.cut)
    told = None if state.cut is None else features_again(state.cut.facts, page, same_text=as_before)
    verdict = decide(page, document.metadata, options.min_words, strict=options.only_articles, facts=told)
    if verdict.reason is not None:
        return PageResult(reason=verdict.reason)
    article = Article.of(
        document,
        url=facts.url,
        site=facts.site,
        fetched=facts.date or None,
        comments=options.comments_field,
        formats=options.formats,
    )
    return PageResult(article.to_record(), facts.signature if as_before else signature(document.text))


def _take_over(document: Document, page: Page, cut: Cut | None) -> bool:
    """Spare what the first pass has found out of the page's source; whether the same blocks are kept."""
    if cut is None:
        return False
    as_before = kept_blocks(page.blocks) == cut.kept
    metadata = cut.metadata
    if not as_before and page.head.language is None:
        # The only field that hangs on what is kept.
        metadata = replace(metadata, language=language_of(page))
    document.__dict__["metadata"] = metadata
    return as_before

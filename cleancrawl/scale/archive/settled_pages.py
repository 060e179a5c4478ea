"""Pages whose verdicts stand, whatever is known of their site: then the first pass's article is the second's.

What other pages say about a block makes it less likely content, or removes it. Where the blocks that it removes are
removed in any case, the others stay on their side of the bar, and no later stage takes their scores into account, all
else comes out as it was. This is found out from a few columns of numbers; a page that is not settled is judged anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.fingerprints.block_prints import possible_keys
from cleancrawl.core.known_blocks import KnownBlocks, own_words
from cleancrawl.core.own_text import SENTENCE
from cleancrawl.core.page import LEFT_OUT, Known, Page
from cleancrawl.core.page_kind import stays
from cleancrawl.core.recipe import Recipe, SiteNotes
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.calendars import Calendars
from cleancrawl.methods.learned.comments import ReadersComments, WantedComments
from cleancrawl.methods.learned.contents_list import ContentsList
from cleancrawl.methods.learned.declared_recipes import DeclaredRecipes
from cleancrawl.methods.learned.features.sheet import Matrix, running_sums
from cleancrawl.methods.learned.headings_between import HeadingsBetween
from cleancrawl.methods.learned.headline import Headline
from cleancrawl.methods.learned.hidden_blocks import HiddenBlocks
from cleancrawl.methods.learned.learned_score import SCORES, LearnedScore, with_seen
from cleancrawl.methods.learned.linked_lines import LinkedLines
from cleancrawl.methods.learned.one_article import OneArticle
from cleancrawl.methods.learned.related_boxes import RelatedBoxes
from cleancrawl.methods.learned.repeated_runs import RepeatedRuns
from cleancrawl.methods.learned.site_slots import (
    FIT,
    NOTE,
    SlotSamples,
    block_slots,
    log_odds,
    slot_evidence,
)
from cleancrawl.methods.learned.standfirst import Standfirst
from cleancrawl.methods.learned.stock_lines import StockLines
from cleancrawl.methods.learned.trailing_headings import TrailingHeadings
from cleancrawl.methods.learned.whole_lists import WholeLists

COLUMNS = np.dtype(
    [
        *(("slot", "<u8"), ("score", "<f4"), ("words", "<i4"), ("length", "<i4")),
        *(("rule", "u1"), ("open", "?"), ("text", "?"), ("quiet", "?"), ("apart", "?"), ("own", "?")),
    ]
)
_SITE_BLOCK, _LEARNED = "site-block", "learned"
_AFTER_REPEATED = frozenset({"repeated", "afterthought", "contents", "headline"})
"""The rules of ``RepeatedRuns`` and of the stages behind it."""
_LATER = (
    *(LearnedScore, WholeLists, DeclaredRecipes, HeadingsBetween, Standfirst, HiddenBlocks, ReadersComments),
    *(OneArticle, RelatedBoxes, Calendars, StockLines, LinkedLines, RepeatedRuns, TrailingHeadings, ContentsList),
    *(Headline, WantedComments),
)
"""The stages of which it is known what they take into account: of removed blocks none that is ``quiet``."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What comes of a page: its article, or the reason why there is none."""

    reason: str | None
    article: ArticleRecord | None


@dataclass(frozen=True, slots=True)
class JudgedAlone:
    """What the first pass has made of a page, and what tells whether it stands."""

    result: Settled
    """As it is without the site."""
    blocks: NDArray[Any]
    """A row of ``COLUMNS`` per block: its place in the template, its score and words, the rule that has removed it as a
    place in ``rules``; whether it was there when scores were given, whether it is text, whether it is removed in any
    case and disregarded, whether it has no part in bringing others back or in what is repeated, whether it may be what
    the page says of itself."""
    rules: tuple[str, ...]
    left_out: int
    certainty: float
    """How probable an article the page is."""

    @property
    def lengths(self) -> list[int]:
        """Characters of each block."""
        found: list[int] = self.blocks["length"].tolist()
        return found

    def settled(self, known: Known, notes: SiteNotes, site: str, url: str, recipe: Recipe) -> Settled | None:
        """The result with what is known of the site; None where the page has to be judged anew."""
        blocks = self.blocks
        if not len(blocks):
            return self.result
        stage, score = judges(recipe)
        if self._fits(notes, site, url, score):
            return None
        pages = np.asarray(known.pages)
        seen = (pages > 0) & (blocks["words"] > 1)
        noise = self._noise(known, pages, stage)
        quiet = blocks["quiet"]
        if ((seen | noise) & blocks["own"]).any() or (noise & (blocks["text"] | ~quiet)).any():
            return None
        result = self._with_noise(noise & blocks["open"])
        if not seen.any():
            return result
        heard = seen & ~quiet
        if not blocks["apart"][heard].all():
            return None
        weighed = self._weighed(seen, score)
        return None if weighed is None else self._rescored(result, weighed)

    def _fits(self, notes: SiteNotes, site: str, url: str, score: LearnedScore) -> bool:
        """Whether the page is of a known template: then every block is judged by its place as well."""
        if score.slots is None:
            return False
        records = SlotSamples.from_text(notes.note(site, NOTE)).others(url)
        if len(records) < score.slots.min_pages:
            return False
        odds = log_odds(self.blocks["score"])
        found = slot_evidence(self.blocks["slot"], odds, self.blocks["words"].astype(np.float64), records)
        return found is not None and found.fit >= FIT

    def _noise(self, known: Known, pages: NDArray[Any], stage: KnownBlocks) -> NDArray[np.bool_]:
        """What ``KnownBlocks`` removes, where it spares nothing."""
        _, enough = stage.bar(known, self.blocks["text"].__getitem__)
        return np.asarray(pages >= enough)

    def _weighed(self, seen: NDArray[np.bool_], score: LearnedScore) -> Matrix | None:
        """The scores with what was seen elsewhere; None where other blocks are above the bar, which moves with all."""
        alone, words = self.blocks["score"], self.blocks["words"].astype(np.int64)
        weighed = with_seen(alone, seen, score.seen_odds)
        before, now = (score.bar_of(words, each, score.share) for each in (alone, weighed))
        # In full precision, as one by one.
        kept, kept_now = alone.astype(np.float64) >= before, weighed.astype(np.float64) >= now
        return weighed if (kept == kept_now)[self.blocks["open"]].all() else None

    def _rescored(self, result: Settled, weighed: Matrix) -> Settled | None:
        """The result with other scores; None where these may make it another kind of page."""
        kept = self.blocks["rule"] == 0
        before, now = self.blocks["score"][kept].tolist(), weighed[kept].tolist()
        if before == now:
            return result
        if not stays(self.certainty, (sum(now) - sum(before)) / len(now)):
            return None
        if result.article is None:
            return result
        words = self.blocks["words"][kept].tolist()
        weight = sum(words)
        mean = sum(score * count for score, count in zip(now, words, strict=True)) / weight if weight else 0.0
        return Settled(result.reason, {**result.article, "score": round(mean, 4)})

    def _with_noise(self, noise: NDArray[np.bool_]) -> Settled:
        """The result, in which blocks of other pages were removed for being that."""
        learned = self.rules.index(_LEARNED) if _LEARNED in self.rules else 0
        moved = noise & (self.blocks["rule"] == learned)
        article = self.result.article
        if article is None or not learned or not moved.any():
            return self.result
        names = (*self.rules, _SITE_BLOCK)
        codes = np.where(moved, len(self.rules), self.blocks["rule"]).tolist()
        counts = rule_counts([names[code] for code in codes if code], self.left_out)
        return Settled(self.result.reason, {**article, "removed": counts})


def rule_counts(rules: Sequence[str], left_out: int) -> dict[str, int]:
    """How many blocks each rule removed, as ``Article.of`` has it."""
    removed = Counter(rules)
    if left_out:
        removed[LEFT_OUT] = left_out
    return dict(removed.most_common())


def can_be_settled(recipe: Recipe) -> bool:
    """Whether all stages after the primary phase are known to leave the others alone, as those of ``default`` are."""
    return (
        len(recipe.secondary) == 1
        and type(recipe.secondary[0]) is KnownBlocks
        and bool(recipe.score)
        and type(recipe.score[0]) is LearnedScore
        and all(type(stage) in _LATER and not getattr(stage, "wanted", False) for stage in recipe.score)
    )


def judges(recipe: Recipe) -> tuple[KnownBlocks, LearnedScore]:
    """The two stages that heed what is known of a site."""
    known, score = recipe.secondary[0], recipe.score[0]
    if isinstance(known, KnownBlocks) and isinstance(score, LearnedScore):
        return known, score
    raise TypeError(f"the recipe {recipe.name} has other stages")


def judged_alone(
    page: Page, removed: Iterable[int], keys: NDArray[np.uint64], result: Settled, certainty: float, recipe: Recipe
) -> JudgedAlone | None:
    """From the page, its blocks that were removed before scores were given, the keys of all, and what came of it."""
    layout, kept = page.layout, page.memo.get(SCORES)
    if not page.blocks:
        return JudgedAlone(result, np.zeros(0, COLUMNS), ("",), page.left_out, certainty)
    if not isinstance(layout, TextLayout) or kept is None:
        return None
    _, score = judges(recipe)
    words = layout.measures.words
    blocks = np.zeros(len(page.blocks), COLUMNS)
    blocks["slot"] = 0 if score.slots is None else block_slots(page)
    blocks["score"], blocks["words"], blocks["length"] = kept[1], words, layout.measures.lengths
    blocks["open"] = True
    blocks["open"][list(removed)] = False
    blocks["text"] = (words >= SENTENCE) & (2 * layout.link_words < words)
    names = [block.removed.rule if block.removed else "" for block in page.blocks]
    rules = {name: number for number, name in enumerate(dict.fromkeys(["", *names]))}
    blocks["rule"] = [rules[name] for name in names]
    blocks["own"] = np.isin(keys, np.array(possible_keys(own_words(page), page.url), dtype=np.uint64))
    blocks["apart"] = _apart(page, layout, recipe)
    blocks["quiet"] = _quiet(blocks, score, names)
    return JudgedAlone(result, blocks, tuple(rules), page.left_out, certainty)


def _quiet(blocks: NDArray[Any], score: LearnedScore, names: Sequence[str]) -> Any:
    """Which blocks no stage keeps, nor takes into account, as long as their scores do not rise."""
    low = blocks["score"].astype(np.float64) < score.floor
    by_score = np.fromiter((name == _LEARNED for name in names), np.bool_, len(names))
    return blocks["apart"] & (blocks["rule"] > 0) & (~blocks["open"] | by_score | low)


def _apart(page: Page, layout: TextLayout, recipe: Recipe) -> Any:
    """Which blocks have no part in bringing others back, nor in what is repeated: a list is brought back for the scores
    of all that is in it, a heading for those of its neighbours. Falling scores bring nothing back that was not before.
    """
    apart = ~_repeated(page)
    if not page.notes:
        return apart
    noted = np.zeros(len(page.blocks) + 2, np.bool_)
    noted[np.array(list(page.notes)) + 1] = True
    around = noted[1:-1] | noted[:-2] | noted[2:]
    before = running_sums(noted[1:-1])
    edges = np.zeros(len(around) + 1, dtype=np.int64)
    for stage in recipe.score:
        if isinstance(stage, WholeLists):
            lists = stage.lists(layout, running_sums(layout.measures.words))
            first, end = layout.first_block[lists], layout.end_block[lists]
            some = before[end] > before[first]
            np.add.at(edges, first[some], 1)
            np.add.at(edges, end[some], -1)
    return apart & ~around & (np.cumsum(edges)[:-1] == 0)


def _repeated(page: Page) -> NDArray[np.bool_]:
    """Which blocks have a text that was kept twice, until it was found to be repeated."""
    kept = [block for block in page.blocks if block.removed is None or block.removed.rule in _AFTER_REPEATED]
    found = np.zeros(len(page.blocks), np.bool_)
    texts = Counter([block.text for block in kept])
    if len(texts) < len(kept):
        found[[block.index for block in kept if texts[block.text] > 1]] = True
    return found

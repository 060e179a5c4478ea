"""The score of the default recipe: a small learned model over features of all five papers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import compress
from typing import ClassVar, NamedTuple

import numpy as np

from cleancrawl.core.block import Removal
from cleancrawl.core.block_columns import judge_blocks
from cleancrawl.core.known_blocks import NOISE_PLACES, own_words
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Favour, SettledNotes, SiteNotes, Wishes
from cleancrawl.core.segmentation.text_layout import TextLayout
from cleancrawl.methods.learned.features.page_features import feature_sheet
from cleancrawl.methods.learned.features.sheet import Bools, Floats, Matrix
from cleancrawl.methods.learned.model import Model, load_model
from cleancrawl.methods.learned.site_slots import (
    MIN_WORDS,
    NOTE,
    SlotEvidence,
    SlotSamples,
    SlotWeights,
    block_slots,
    log_odds,
    slot_evidence,
    slot_record,
    with_slots,
)

# Most blocks are removed here, by one of a hundred scores: making each removal anew costs as much as the model.
_REMOVALS = tuple(Removal("score", "learned", f"{percent / 100:.2f}") for percent in range(101))

SCORES, ODDS, SLOTS = "learned-scores", "learned-odds", "learned-slots"

LEAST = 0.2
"""What is less likely than this is no content on any page: a page may well have none."""


class Bar(NamedTuple):
    """What a user's favour makes of the bar for blocks."""

    share: float
    floor: float


BARS: dict[Favour, Bar] = {"precision": Bar(0.75, 0.4), "recall": Bar(0.3, 0.1)}
"""In place of the model's share and of ``LEAST``; chosen out of fold (see the documentation of the recipe)."""


@dataclass(frozen=True, slots=True)
class LearnedScore:
    """Score every block with the model and remove those that lower the page's expected F1. Needs ``TextBlocks``.

    ``model`` is the path of a model that ``cleancrawl train`` wrote; None is the one in the package.
    Raises ``ModelError`` where the file is damaged or made for other features.
    """

    needs: ClassVar[type[TextLayout]] = TextLayout
    heeds: ClassVar[frozenset[str]] = frozenset({"model", "favour"})

    model: str | None = None
    threshold: float | None = None
    """The share of the page's best expected F1 that a block's probability must reach; None takes the model's own."""
    favour: Favour | None = None
    """Replaces share and floor of the bar by those of ``BARS``."""
    seen_odds: float = 0.4
    """By how much a block seen on another page of the site is less likely to be content than its features say.

    Fitted on sites that are no part of the measurement (``python -m cleancrawl.lab.learn.site_odds``). Single words are
    left alone: "Summary" recurs by chance.
    """

    slots: SlotWeights | None = field(default_factory=SlotWeights)
    """How the places that hold content on the site's other pages count; None where they do not."""
    needs_site: ClassVar[bool] = True

    def tailored(self, wishes: Wishes) -> LearnedScore:
        if wishes.model is not None:
            load_model(wishes.model)
        return replace(self, model=wishes.model or self.model, favour=wishes.favour or self.favour)

    def __call__(self, page: Page) -> None:
        if not page.blocks:
            return
        alone = self.scores(page)
        in_slots, evidence = self.by_slots(page, alone)
        probabilities = with_site(page, in_slots, self.seen_odds)
        share = load_model(self.model).threshold if self.threshold is None else self.threshold
        bar = self.bar(page, probabilities, share)
        if evidence is not None and in_slots is not alone:
            for index in np.flatnonzero((alone >= bar) & (probabilities < bar) & (in_slots < alone)).tolist():
                pages = f"{evidence.pages[index]:.0f} other pages" if evidence.pages[index] else "no other page"
                page.blocks[index].remove("score", "site-slot", f"{alone[index]:.2f}, its place on {pages}")
        mark(page, probabilities, bar)

    def scores(self, page: Page) -> Matrix:
        """What the model says of each block; the site has no part in it, so it is asked once."""
        model = load_model(self.model)
        kept: tuple[Model, Matrix] | None = page.memo.get(SCORES)
        if kept is not None and kept[0] is model and len(kept[1]) == len(page.blocks):
            return kept[1]
        found = model.probabilities(feature_sheet(page))
        page.memo[SCORES] = (model, found)
        return found

    def bar(self, page: Page, probabilities: Matrix, share: float) -> float:
        """How likely content a block must be to be kept; ``share`` counts where nothing is favoured."""
        share, floor = BARS[self.favour] if self.favour else (share, LEAST)
        return page_threshold(page, probabilities, share, floor)

    def learn_site(self, page: Page, notes: SiteNotes, site: str, url: str) -> None:
        """Take what is known of the site's slots from the store's notes, and the page as a sample of them."""
        page.memo.pop(SLOTS, None)
        page.memo.pop(NOISE_PLACES, None)
        if not page.blocks or self.slots is None:
            return
        odds, slots = own_odds(page, self.scores(page)), block_slots(page)
        words = page.layout_of(TextLayout).measures.words.astype(np.float64)
        samples = SlotSamples.from_text(notes.note(site, NOTE))
        evidence = slot_evidence(slots, odds, words, samples.others(url))
        if evidence is not None:
            page.memo[SLOTS] = evidence
            page.memo[NOISE_PLACES] = evidence.noise.tolist()
        if isinstance(notes, SettledNotes):
            return
        fits = evidence is not None and evidence.fits
        if words[odds > 0].sum() < MIN_WORDS or samples.has_no_use_for(url, fits=fits):
            return
        if samples.add(url, slot_record(slots, odds, words), fits=fits):
            notes.set_note(site, NOTE, samples.to_text())

    def by_slots(self, page: Page, alone: Matrix) -> tuple[Matrix, SlotEvidence | None]:
        """The probabilities with what is known of the site's slots, and this itself where there is some."""
        evidence: SlotEvidence | None = page.memo.get(SLOTS)
        if evidence is None or self.slots is None:
            return alone, None
        odds = own_odds(page, alone)
        changed = with_slots(odds, evidence, self.slots)
        if changed is odds:
            return alone, evidence
        found = np.where(changed == odds, alone, 1 / (1 + np.exp(-changed)))
        return np.asarray(found, dtype=alone.dtype), evidence


def own_odds(page: Page, alone: Matrix) -> Floats:
    """The log-odds of what the model says, made once: the look-up asks for them, and so does the stage after it."""
    known: tuple[Matrix, Floats] | None = page.memo.get(ODDS)
    if known is None or known[0] is not alone:
        known = page.memo[ODDS] = alone, log_odds(alone)
    return known[1]


def with_site(page: Page, probabilities: Matrix, seen_odds: float) -> Matrix:
    """The probabilities in the light of what a store knows of the page's site; as they are where there is none."""
    if page.known is None or not any(page.known.pages):
        return probabilities
    weighted = probabilities * np.where(seen_elsewhere(page), seen_odds, 1.0)
    return np.asarray(weighted / (weighted + 1.0 - probabilities), dtype=probabilities.dtype)


def seen_elsewhere(page: Page) -> Bools:
    """Which blocks other pages of the site have too, its headline and its single words aside."""
    # NumPy reads bytes as they are, and lists slowly.
    flags, blocks = bytearray(len(page.blocks)), page.blocks
    if page.known is not None:
        recurring = [place for place in compress(range(len(flags)), page.known.pages) if blocks[place].words > 1]
        for place in own_words(page).others(blocks, recurring):
            flags[place] = True
    return np.frombuffer(flags, np.bool_)


def page_threshold(page: Page, probabilities: Matrix, share: float, floor: float = LEAST) -> float:
    """How likely content a block must be to be kept.

    A choice of blocks with probability p and w words has the expected F1 2·Σwp / (Σw + Σwp over all blocks). Keeping
    all blocks above half of the best value gives that value; ``share`` is near one half. So on a page of which the
    model is sure the bar is near one half, and on one that is all uncertain it is lower, instead of leaving nothing.
    """
    words = page.layout_of(TextLayout).measures.words.astype(np.float64)
    return max(share * _best_share(words, probabilities), floor)


def best_share_in_python(words: Floats, probabilities: Matrix) -> float:
    """The best expected F1 of any choice of blocks: it keeps all above some probability."""
    order = np.argsort(-probabilities, kind="stable")
    words = words[order]
    wanted = np.cumsum(words * probabilities[order])
    return float((2 * wanted / np.maximum(np.cumsum(words) + wanted[-1], 1e-9)).max())


_part = compiled("perceptron")
_best_share = best_share_in_python if _part is None else _part.best_share


def mark(page: Page, probabilities: Matrix, threshold: float) -> None:
    """Give every block its score, and remove those below the threshold."""
    judge_blocks(page.blocks, probabilities.astype(np.float64), threshold, _REMOVALS)

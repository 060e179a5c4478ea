"""Templates of a site, learned in a crawl and kept in its store (METHODS C6), which follow the site as it changes.

Every one of a site's first pages is a sample. Later ones are where they teach something: pages that fit no template,
pages of a template that is new or that was not met for long, and one in sixteen of the others. The newest samples are
clustered, so a new design makes a cluster of its own, and a template that no sample has had for long expires. Age is
counted in samples, not in time.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from xxhash import xxh32_intdigest

from cleancrawl.core.recipe import SiteNotes
from cleancrawl.methods.site_template.paths import Paths
from cleancrawl.methods.site_template.site_templates import Method, SiteTemplates, Template, find_templates

NOTE = "templates"
WINDOW_NOTE = "templates/samples"
"""By itself, as it is large and most pages do not need it."""
LEARN_AT = (4, 8, 16, 32)
"""Numbers of samples of a site, and later of a template, at which the templates are learned (again)."""
SAMPLES = LEARN_AT[-1]
"""How many are kept, the newest. So many first pages are all samples, and so many of a new template."""
STRAYS = LEARN_AT[0]
"""So many samples that fit nothing are reason to learn again."""
PATIENCE = 2
"""So often learning from them may be in vain; each time after that half as many pages that fit nothing are samples."""
MOST_IN_VAIN = PATIENCE + 4
EVERY = 16
"""One page in so many of those that fit is a sample, and so it is of those that do not after all patience."""
LATE, EXPIRES = 16, 40
"""Samples after which any page of a template is one again, and after which a template that had none is forgotten."""
FIT = 0.7
"""The share of a template that a page must hold to tell nothing new."""
SURE = 8
"""Pages of a cluster that are enough to replace what more pages had taught before."""
SAME = 0.5
"""Templates are one if so much of their paths together is in both."""
METHOD: Method = "mdl"
EXAMPLES = 3
MOST_PATHS = 10_000
"""Larger pages are no samples: a store keeps eight bytes per path of each."""
_FORMAT = 2
_REMEMBERED = 8
"""Sites whose notes stay read: a crawl asks for a note with every page, and it seldom changes."""


class Sample(NamedTuple):
    number: int
    """How many samples the site had had with it."""
    paths: Paths


Window = dict[str, Sample]
"""The newest samples by URL, in order of arrival."""


class Followed(NamedTuple):
    """A template, and how it is doing."""

    template: Template
    seen: int
    """Samples that fitted it."""
    last: int
    """Number of the newest of them."""
    share: float = 0.0
    """For people: the mean share of its paths among those of its pages …"""
    urls: tuple[str, ...] = ()
    """… and some of these pages."""


@dataclass(slots=True)
class Samples:
    """What the store keeps about a site's templates, apart from the samples themselves."""

    followed: tuple[Followed, ...] = ()
    taken: int = 0
    """Samples so far."""
    learned: int = 0
    """How many they were when the templates were learned last."""
    strays: int = 0
    """Samples since then that fitted none of them."""
    in_vain: int = 0
    """How often in a row learning from strays did not help, or not for long: then fewer of them are samples."""

    @property
    def templates(self) -> SiteTemplates | None:
        return SiteTemplates(tuple(one.template for one in self.followed)) if self.followed else None

    def wants(self, paths: Paths) -> bool:
        """Whether a page may teach something; told without the samples themselves."""
        if len(paths) > MOST_PATHS:
            return False
        if self.taken < SAMPLES:
            return True
        found = self._fitting(paths)
        if found is None:
            return _is_one_of(paths, 2 ** max(0, self.in_vain - PATIENCE))
        one = self.followed[found]
        return one.seen < SAMPLES or self.taken - one.last >= LATE or _is_one_of(paths, EVERY)

    def add(self, window: Window, url: str, paths: Paths) -> bool:
        """Take a page as a sample unless it, or one just like it, is one already; whether anything changed.

        A page that is fetched again takes the place of what it was where it fits no template any more.
        """
        if len(paths) > MOST_PATHS or any(np.array_equal(paths, known.paths) for known in window.values()):
            return False
        found = self._fitting(paths)
        if url in window and (found is not None or not self.followed):
            return False
        window.pop(url, None)
        self.taken += 1
        window[url] = Sample(self.taken, paths)
        for oldest in list(window)[:-SAMPLES]:
            del window[oldest]
        if self._count(found):
            self._learn(window)
        self.followed = tuple(one for one in self.followed if self.taken - one.last < EXPIRES)
        return True

    def _fitting(self, paths: Paths) -> int | None:
        best, share = None, FIT
        for place, (template, *_) in enumerate(self.followed):
            held = template.held_by(paths) if template.size > 1 else 0.0
            if held >= share:
                best, share = place, held
        return best

    def _count(self, found: int | None) -> bool:
        """Count a sample; whether it is time to learn."""
        due = self.taken <= SAMPLES and self.taken in LEARN_AT
        if found is None:
            self.strays += bool(self.followed)
            return due or self.strays >= STRAYS
        one = self.followed[found]._replace(seen=self.followed[found].seen + 1, last=self.taken)
        self.followed = (*self.followed[:found], one, *self.followed[found + 1 :])
        grown = self.taken > SAMPLES and one.seen in LEARN_AT
        return due or grown or self.taken - self.learned >= SAMPLES

    def _learn(self, window: Window) -> None:
        urls, samples = list(window), list(window.values())
        pages = [sample.paths for sample in samples]
        earlier = [one for one in self.followed if one.template.size > 1]
        followed = []
        for template in find_templates(pages, METHOD).templates:
            share = round(template.share(pages), 4)
            last = max(samples[page].number for page in template.pages)
            shown = tuple(urls[page] for page in template.pages[:EXAMPLES])
            followed.append(_continued(Followed(template, template.size, last, share, shown), earlier))
        self.followed = tuple([*followed, *earlier][:SAMPLES])
        if self.strays >= STRAYS:
            fresh = [sample for sample in samples if sample.number > self.learned]
            left = sum(self._fitting(sample.paths) is None for sample in fresh)
            helped = 2 * left <= self.strays and len(fresh) >= 2 * STRAYS
            self.in_vain = 0 if helped else min(self.in_vain + 1, MOST_IN_VAIN)
        self.learned, self.strays = self.taken, 0

    def to_text(self) -> str:
        listed = [
            [one.template.size, _packed(one.template.paths), one.seen, one.last, one.share, one.urls]
            for one in self.followed
        ]
        counts = [self.taken, self.learned, self.strays, self.in_vain]
        return json.dumps({"format": _FORMAT, "templates": listed, "counts": counts})

    @classmethod
    def from_text(cls, text: str | None) -> Samples:
        """Starts afresh where there is nothing, or something of another version."""
        followed, counts = _read_note(text) if text else ((), ())
        return cls(followed, *counts)


def learn_page(notes: SiteNotes, site: str, url: str, paths: Paths | None) -> SiteTemplates | None:
    """The templates of a site, which a page has taught what it can."""
    samples = Samples.from_text(notes.note(site, NOTE))
    if paths is not None and samples.wants(paths):
        window = read_window(notes.note(site, WINDOW_NOTE))
        if samples.add(window, url, paths):
            notes.set_note(site, WINDOW_NOTE, write_window(window))
            notes.set_note(site, NOTE, samples.to_text())
    return samples.templates


def write_window(window: Window) -> str:
    return json.dumps([[url, sample.number, _packed(sample.paths)] for url, sample in window.items()])


def read_window(text: str | None) -> Window:
    """Empty where there is nothing, or something that cannot be read."""
    try:
        return {str(url): Sample(int(number), _unpacked(paths)) for url, number, paths in json.loads(text or "[]")}
    except (ValueError, TypeError):
        return {}


@lru_cache(maxsize=_REMEMBERED)
def _read_note(text: str) -> tuple[tuple[Followed, ...], tuple[int, ...]]:
    try:
        stored: dict[str, Any] = json.loads(text)
        if stored["format"] != _FORMAT:
            return (), ()
        taken, learned, strays, in_vain = map(int, stored["counts"])
        followed = tuple(
            Followed(Template((), int(size), _unpacked(paths)), int(seen), int(last), float(share), tuple(urls))
            for size, paths, seen, last, share, urls in stored["templates"]
        )
        return followed, (taken, learned, strays, in_vain)
    except (ValueError, TypeError, KeyError):
        return (), ()


def _continued(found: Followed, earlier: list[Followed]) -> Followed:
    """A cluster together with the template that it was before, which is taken off the list."""
    alike = [_overlap(found.template.paths, one.template.paths) for one in earlier]
    if found.template.size < 2 or max(alike, default=0.0) < SAME:
        return found
    before = earlier.pop(alike.index(max(alike)))
    # A few leftover samples know less of it than the many that have aged.
    known = found if found.template.size >= min(SURE, before.template.size) else before
    return known._replace(seen=max(found.seen, before.seen), last=max(found.last, before.last))


def _overlap(first: Paths, second: Paths) -> float:
    both = len(np.intersect1d(first, second, assume_unique=True))
    return both / max(len(first) + len(second) - both, 1)


def _is_one_of(paths: Paths, many: int) -> bool:
    """The same for the same page in every process."""
    return xxh32_intdigest(paths.tobytes()) % many == 0


def _packed(paths: Paths) -> str:
    return b64encode(paths.tobytes()).decode()


def _unpacked(text: str) -> Paths:
    return np.frombuffer(b64decode(text), dtype=np.uint64)

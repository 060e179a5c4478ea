"""All extractors over all pages, page by page in one process, so that noise hits them alike."""

from __future__ import annotations

import gc
import logging
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from cleancrawl.core.html.head import scan_head
from cleancrawl.errors import MissingExtra
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.evaluate import PageScore, score_page
from cleancrawl.lab.bench.peers import Extractor, Source
from cleancrawl.lab.bench.predictions import text_of

_WARM_UP = "<html lang=en><head><title>Warm</title></head><body><p>Loads what is loaded lazily.</p></body>"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One extractor on one page."""

    score: PageScore
    seconds: float | None = None
    """Processor time; None for texts that were made elsewhere."""
    error: str | None = None


@dataclass(slots=True)
class Results:
    """Outcomes by extractor, each list aligned with ``pages``."""

    pages: list[GoldPage] = field(default_factory=list)
    languages: list[str | None] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def select(self, places: Sequence[int]) -> Results:
        """The same results on some of the pages."""
        return Results(
            [self.pages[place] for place in places],
            [self.languages[place] for place in places],
            [self.sizes[place] for place in places],
            {name: [outcomes[place] for place in places] for name, outcomes in self.outcomes.items()},
            self.kinds,
            self.versions,
        )

    def names(self, *kinds: str) -> list[str]:
        """The extractors of these kinds, in order."""
        return [name for name, kind in self.kinds.items() if kind in kinds]


def run(
    pages: Iterable[GoldPage], extractors: Sequence[Extractor], texts: Mapping[str, Mapping[str, str]] | None = None
) -> Results:
    """Time and score every extractor on every page.

    ``texts`` are extractions made elsewhere, by name and page key. Under an extractor's own name they are scored in
    place of what it gives, while its time counts: a model that was trained on the pages is judged by what models
    say that were not.
    """
    results = Results()
    for extractor in extractors:
        results.outcomes[extractor.name] = []
        results.kinds[extractor.name] = extractor.kind
        results.versions[extractor.name] = extractor.version
    for name in texts or {}:
        if name not in results.kinds:
            results.outcomes[name] = []
            results.kinds[name] = "texts"
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _run(pages, extractors, texts or {}, results)
    finally:
        logging.disable(logging.NOTSET)
    return results


def _run(
    pages: Iterable[GoldPage],
    extractors: Sequence[Extractor],
    texts: Mapping[str, Mapping[str, str]],
    results: Results,
) -> None:
    for extractor in extractors:
        with suppress(Exception):  # what fails here fails again, and is counted, on every page
            extractor.extract(Source(_WARM_UP))
    try:
        for number, page in enumerate(pages):
            # What is there by now is never garbage: a collection before each call costs little then.
            gc.collect()
            gc.freeze()
            html = page.html()
            source = Source(html, page.url, scan_head(html).language)
            results.pages.append(page)
            results.languages.append(source.language)
            results.sizes.append(len(html))
            # Each page starts with another extractor, so that none always finds the page in the processor's caches.
            start = number % len(extractors) if extractors else 0
            for extractor in (*extractors[start:], *extractors[:start]):
                text, seconds, error = timed(extractor, source)
                if extractor.name in texts:
                    text = text_of(texts[extractor.name], page)
                results.outcomes[extractor.name].append(Outcome(score_page(text, page), seconds, error))
            for name in results.names("texts"):
                results.outcomes[name].append(Outcome(score_page(text_of(texts[name], page), page)))
    finally:
        gc.unfreeze()


def timed(extractor: Extractor, source: Source) -> tuple[str, float, str | None]:
    """The text, the processor time it took, and the error where there was one (its text is then empty)."""
    gc.collect()
    begin = time.process_time()
    try:
        text, error = extractor.extract(source), None
    except Exception as problem:  # a peer may raise anything; that is a result too
        text, error = "", f"{type(problem).__name__}: {problem}"
    return text, time.process_time() - begin, error


def progress(pages: Sequence[GoldPage], title: str) -> Iterator[GoldPage]:
    """The pages behind a progress bar on a terminal, and without one elsewhere."""
    if not sys.stderr.isatty():
        return iter(pages)
    try:
        from tqdm import tqdm
    except ImportError:
        raise MissingExtra("tqdm", "bench") from None
    return iter(tqdm(pages, desc=title, unit="page", file=sys.stderr))

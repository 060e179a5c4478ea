"""Does cleaning help search? Known-item search in an index of raw pages, of cleaned pages and of gold texts."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import process_time

from lxml import etree
from lxml.html import HTMLParser, document_fromstring

from cleancrawl.cleaner import clean
from cleancrawl.core.article import ArticleRecord
from cleancrawl.core.text.words import count_words, normalise, words
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.edited_texts import sentences
from cleancrawl.lab.bench.predictions import text_of
from cleancrawl.recipes import get_recipe
from cleancrawl.sinks.embedded import EmbeddedSink
from cleancrawl.sinks.reader import EmbeddedReader

SEED = 7
DEPTH = 10
_SHORTEST_QUERY = 4
_NOISE_QUERIES = 200
_NOISE_PAGES = 10
"""On so many pages a word must stand outside of the gold text to be one of boilerplate."""
_MOSTLY = 4
"""Words that stand mostly there are on so many times as many pages as in gold texts."""
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Query:
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Figures:
    """One index: what it cost, and for each kind of query the mean reciprocal rank and recall among ten.

    ``asking`` is the processor time of one query. ``precision`` and ``false_hits`` are those of words of boilerplate.
    """

    words: int
    size: int
    preparing: float
    indexing: float
    found: dict[str, tuple[float, float]]
    asking: float
    precision: float
    false_hits: float


@dataclass(frozen=True, slots=True)
class NoiseQueries:
    """Words of boilerplate: those that some gold texts have as well, with the pages whose text does, and the others."""

    mixed: dict[str, frozenset[str]]
    alone: tuple[str, ...]


def report(pages: Sequence[GoldPage], recipe: str, texts: Mapping[str, str] | None = None) -> str:
    """The table of ``cleancrawl bench --search``; pages without a gold text are in the indexes as distractors.

    ``texts`` are what the recipe is judged by where they are given: those of models that have not seen the site.
    """
    chosen = get_recipe(recipe)
    languages: dict[str, str | None] = {}

    def cleaned(page: GoldPage) -> str:
        document = clean(page.html(), page.url, chosen)
        languages[page.key] = document.metadata.language
        return f"{document.title}\n{document.text if texts is None else text_of(texts, page)}"

    name = f"cleaned ({recipe})" if texts is None else f"cleaned ({recipe}, out of fold)"
    makers: dict[str, Callable[[GoldPage], str]] = {
        name: cleaned,
        "raw page": raw_text,
        "gold text": lambda page: f"{page.title or ''}\n{page.text or ''}",
    }
    queries = {"title": list(title_queries(pages)), "sentence": list(sentence_queries(pages))}
    figures: dict[str, Figures] = {}
    made = {name: prepare(pages, make) for name, make in makers.items()}
    with index_of(made["gold text"][0], languages) as (gold, _, _):
        noise = noise_queries(pages, made["raw page"][0], gold)
    for label, (prepared, preparing) in made.items():
        figures[label] = measure(prepared, preparing, languages, queries, noise)
    order = ("raw page", name, "gold text")
    return _table({label: figures[label] for label in order}, len(pages), queries, noise)


def raw_text(page: GoldPage) -> str:
    """All that a page shows, navigation and boilerplate included, as an indexer without cleaning takes it."""
    parser = HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = document_fromstring(page.html().encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return ""
    etree.strip_elements(tree, "script", "style", "noscript", "template", etree.Comment, with_tail=False)
    return "\n".join(line for text in tree.itertext() if (line := normalise(text)))


def title_queries(pages: Sequence[GoldPage]) -> Iterator[Query]:
    for page in pages:
        found = words(page.title or "")
        if page.text and len(found) >= _SHORTEST_QUERY:
            yield Query(page.key, " ".join(found))


def sentence_queries(pages: Sequence[GoldPage]) -> Iterator[Query]:
    chance = Random(SEED)
    for page in pages:
        long_enough = [part for part in sentences(page.text or "") if len(words(part)) >= 2 * _SHORTEST_QUERY]
        if long_enough:
            yield Query(page.key, " ".join(words(chance.choice(long_enough))))


def noise_queries(pages: Sequence[GoldPage], raw: Mapping[str, str], gold: EmbeddedReader) -> NoiseQueries:
    """Words that stand on many pages outside of the gold text, the most frequent first."""
    outside: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    for page in pages:
        if page.text:
            text = set(words(f"{page.title or ''}\n{page.text}".lower()))
            inside.update(text)
            outside.update(set(words(raw[page.key].lower())) - text)
    mixed: dict[str, frozenset[str]] = {}
    alone: list[str] = []
    for word, count in sorted(outside.items(), key=lambda found: (-found[1], found[0])):
        if count < _NOISE_PAGES or min(len(mixed), len(alone)) >= _NOISE_QUERIES:
            break
        if count < _MOSTLY * inside[word] or not word.isalpha():
            continue
        # The index knows words by their stems: what it finds in gold texts is what a reader looks for.
        wanted = frozenset(gold.urls(word, limit=len(pages)))
        if wanted and len(mixed) < _NOISE_QUERIES and count >= _MOSTLY * len(wanted):
            mixed[word] = wanted
        elif not wanted and len(alone) < _NOISE_QUERIES:
            alone.append(word)
    return NoiseQueries(mixed, tuple(alone))


def prepare(pages: Sequence[GoldPage], make_text: Callable[[GoldPage], str]) -> tuple[dict[str, str], float]:
    """The texts of an index, by page, and the processor time that they took."""
    start = process_time()
    texts = {page.key: make_text(page) for page in pages}
    return texts, process_time() - start


@contextmanager
def index_of(
    texts: Mapping[str, str], languages: Mapping[str, str | None]
) -> Iterator[tuple[EmbeddedReader, float, int]]:
    """An index of texts while it is needed, the processor time that it took, and its bytes."""
    # Title and text in one field, as a raw page has them: a field of its own would weigh the title more.
    articles: list[ArticleRecord] = [
        {"url": key, "site": "example.com", "text": text, "language": languages.get(key)} for key, text in texts.items()
    ]
    with tempfile.TemporaryDirectory() as directory:
        start = process_time()
        sink = EmbeddedSink(Path(directory))
        for first in range(0, len(articles), _BATCH):
            sink.write(articles[first : first + _BATCH])
        sink.close()
        indexing = process_time() - start
        size = sum(file.stat().st_size for file in Path(directory).iterdir())
        yield EmbeddedReader(Path(directory)), indexing, size


def measure(
    texts: Mapping[str, str],
    preparing: float,
    languages: Mapping[str, str | None],
    queries: dict[str, list[Query]],
    noise: NoiseQueries,
) -> Figures:
    with index_of(texts, languages) as (reader, indexing, size):
        start = process_time()
        found = {kind: search_all(reader, asked) for kind, asked in queries.items()}
        asking = (process_time() - start) / max(sum(map(len, queries.values())), 1)
        precision = [_precision(reader.urls(word, limit=DEPTH), wanted) for word, wanted in noise.mixed.items()]
        false_hits = [len(reader.urls(word, limit=DEPTH)) for word in noise.alone]
    known = [value for value in precision if value is not None]
    return Figures(
        sum(map(count_words, texts.values())),
        size,
        preparing,
        indexing,
        found,
        asking,
        sum(known) / max(len(known), 1),
        sum(false_hits) / max(len(false_hits), 1),
    )


def _precision(urls: Sequence[str], wanted: Collection[str]) -> float | None:
    """The share of what was found that was looked for; None where nothing was found.

    >>> _precision(["a", "b"], {"a"}), _precision([], {"a"})
    (0.5, None)
    """
    return sum(url in wanted for url in urls) / len(urls) if urls else None


def search_all(reader: EmbeddedReader, queries: Sequence[Query]) -> tuple[float, float]:
    """Mean reciprocal rank (0 beyond the tenth) and the share of queries whose page is among the first ten."""
    reciprocal = hits = 0.0
    for query in queries:
        urls = reader.urls(query.text, limit=DEPTH)
        if query.url in urls:
            hits += 1
            reciprocal += 1 / (urls.index(query.url) + 1)
    return reciprocal / max(len(queries), 1), hits / max(len(queries), 1)


def _table(figures: dict[str, Figures], pages: int, queries: dict[str, list[Query]], noise: NoiseQueries) -> str:
    kinds = list(queries)
    heads = [f"{kind}: {measure}" for kind in kinds for measure in ("MRR", "recall@10")]
    heads += ["noise words: precision@10", "words of boilerplate alone: hits@10"]
    heads += ["words", "size", "ms per query (CPU)", "indexing (CPU)", "making the text (CPU)"]
    asked = [f"{len(listed)} {kind} queries" for kind, listed in queries.items()]
    asked += [f"{len(noise.mixed)} noise words", f"{len(noise.alone)} words of boilerplate alone"]
    lines = [
        f"{pages} pages; " + ", ".join(asked),
        "",
        "| index of | " + " | ".join(heads) + " |",
        "| --- |" + " ---: |" * len(heads),
    ]
    for name, made in figures.items():
        scores = [f"{value:.3f}" for kind in kinds for value in made.found[kind]]
        scores += [f"{made.precision:.3f}", f"{made.false_hits:.2f}"]
        costs = [f"{made.words:,}", f"{made.size / 1e6:.1f} MB", f"{1000 * made.asking:.2f}"]
        costs += [f"{made.indexing:.1f} s", f"{made.preparing:.1f} s"]
        lines.append(f"| {name} | " + " | ".join([*scores, *costs]) + " |")
    return "\n".join(lines)

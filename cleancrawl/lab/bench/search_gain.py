"""Does cleaning help search? Known-item search in an index of raw pages, of cleaned pages and of gold texts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
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
from cleancrawl.recipes import get_recipe
from cleancrawl.sinks.embedded import EmbeddedSink
from cleancrawl.sinks.reader import EmbeddedReader

SEED = 7
DEPTH = 10
_SHORTEST_QUERY = 4
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Query:
    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Figures:
    """One index: what it cost, and for each kind of query the mean reciprocal rank and recall among ten."""

    words: int
    size: int
    preparing: float
    indexing: float
    found: dict[str, tuple[float, float]]


def report(pages: Sequence[GoldPage], recipe: str) -> str:
    """The table of ``cleancrawl bench --search``; pages without a gold text are in the indexes as distractors."""
    chosen = get_recipe(recipe)
    languages: dict[str, str | None] = {}

    def cleaned(page: GoldPage) -> str:
        document = clean(page.html(), page.url, chosen)
        languages[page.key] = document.metadata.language
        return f"{document.title}\n{document.text}"

    makers: dict[str, Callable[[GoldPage], str]] = {
        f"cleaned ({recipe})": cleaned,
        "raw page": raw_text,
        "gold text": lambda page: f"{page.title or ''}\n{page.text or ''}",
    }
    queries = {"title": list(title_queries(pages)), "sentence": list(sentence_queries(pages))}
    figures = {name: measure(pages, make, languages, queries) for name, make in makers.items()}
    order = ("raw page", f"cleaned ({recipe})", "gold text")
    return _table({name: figures[name] for name in order}, len(pages), queries)


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


def measure(
    pages: Sequence[GoldPage],
    make_text: Callable[[GoldPage], str],
    languages: dict[str, str | None],
    queries: dict[str, list[Query]],
) -> Figures:
    start = process_time()
    texts = {page.key: make_text(page) for page in pages}
    preparing = process_time() - start
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
        reader = EmbeddedReader(Path(directory))
        found = {kind: search_all(reader, asked) for kind, asked in queries.items()}
    return Figures(sum(map(count_words, texts.values())), size, preparing, indexing, found)


def search_all(reader: EmbeddedReader, queries: Sequence[Query]) -> tuple[float, float]:
    """Mean reciprocal rank (0 beyond the tenth) and the share of queries whose page is among the first ten."""
    reciprocal = hits = 0.0
    for query in queries:
        urls = reader.urls(query.text, limit=DEPTH)
        if query.url in urls:
            hits += 1
            reciprocal += 1 / (urls.index(query.url) + 1)
    return reciprocal / max(len(queries), 1), hits / max(len(queries), 1)


def _table(figures: dict[str, Figures], pages: int, queries: dict[str, list[Query]]) -> str:
    kinds = list(queries)
    heads = [f"{kind}: {measure}" for kind in kinds for measure in ("MRR", "recall@10")]
    lines = [
        f"{pages} pages; " + ", ".join(f"{len(asked)} {kind} queries" for kind, asked in queries.items()),
        "",
        "| index of | " + " | ".join([*heads, "words", "size", "indexing (CPU)", "making the text (CPU)"]) + " |",
        "| --- |" + " ---: |" * (len(heads) + 4),
    ]
    for name, made in figures.items():
        scores = [f"{value:.3f}" for kind in kinds for value in made.found[kind]]
        costs = [f"{made.words:,}", f"{made.size / 1e6:.1f} MB", f"{made.indexing:.1f} s", f"{made.preparing:.1f} s"]
        lines.append(f"| {name} | " + " | ".join([*scores, *costs]) + " |")
    return "\n".join(lines)

"""Search in the embedded index."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cleancrawl.core.article import ArticleRecord
from cleancrawl.sinks.analysis import base_language, index_terms
from cleancrawl.sinks.embedded import EARLIEST, check_identity, load_tantivy, open_index, to_text
from cleancrawl.sinks.query import Clause, parse_query
from cleancrawl.sinks.sink import article_id
from cleancrawl.sinks.snippets import Snippet, mark, snippet

# A word in the title says more about an article than one in its text; in the authors' names it is mostly chance.
BOOSTS = {"title": 2.0, "text": 1.0, "authors": 0.5}
_TIE_BREAKER = 0.3


@dataclass(frozen=True, slots=True)
class Hit:
    """One article that a query found."""

    score: float
    article: ArticleRecord
    title: Snippet
    passage: Snippet


@dataclass(frozen=True, slots=True)
class Filters:
    """What every hit must fulfil."""

    site: str | None = None
    since: datetime | None = None
    language: str | None = None


NO_FILTERS = Filters()


class EmbeddedReader:
    """Reads the index in a directory, also while a crawl writes it; sees what was committed when it was opened."""

    def __init__(self, directory: Path) -> None:
        check_identity(directory)
        self._tantivy = load_tantivy()
        index = open_index(directory)
        self._schema, self._searcher = index.schema, index.searcher()

    @property
    def size(self) -> int:
        """How many articles the index holds."""
        return int(self._searcher.num_docs)

    def search(
        self, query: str, filters: Filters = NO_FILTERS, limit: int = 10, offset: int = 0
    ) -> tuple[int, list[Hit]]:
        """The number of articles found, and the best of them after ``offset`` better ones, best first."""
        clauses = parse_query(query)
        count, ranked = self._rank(clauses, filters, limit, offset)
        return count, [to_hit(score, article, clauses) for score, article in ranked]

    def article(self, url: str) -> ArticleRecord | None:
        """What the index holds of the article at a URL."""
        query = self._tantivy.Query.term_query(self._schema, "id", article_id(url))
        for _, address in self._searcher.search(query, limit=1).hits:
            found: ArticleRecord = json.loads(bytes(self._searcher.doc(address).get_first("article")))
            return found
        return None

    def urls(self, query: str, filters: Filters = NO_FILTERS, limit: int = 10) -> list[str]:
        """The URLs of the best articles, best first: a search without the cost of passages."""
        return [article["url"] for _, article in self._rank(parse_query(query), filters, limit)[1]]

    def _rank(
        self, clauses: Sequence[Clause], filters: Filters, limit: int, offset: int = 0
    ) -> tuple[int, list[tuple[float, ArticleRecord]]]:
        languages = [base_language(filters.language)] if filters.language else self._languages()
        result = self._searcher.search(self._compile(clauses, languages, filters), limit=limit, offset=offset)
        documents = ((score, self._searcher.doc(address).get_first("article")) for score, address in result.hits)
        return int(result.count), [(score, json.loads(bytes(stored))) for score, stored in documents]

    def _languages(self) -> list[str]:
        """The languages in the index: a query is stemmed in each, because it does not say which one it is in."""
        return [language for language, _ in self._searcher.terms_with_prefix("language", "")] or [""]

    def _compile(self, clauses: Sequence[Clause], languages: Sequence[str], filters: Filters) -> Any:
        query, occur = self._tantivy.Query, self._tantivy.Occur
        parts = []
        for clause in clauses:
            must = occur.MustNot if clause.excluded else occur.Must if clause.required else occur.Should
            parts.append((must, self._clause(clause, languages)))
        if parts and all(clause.excluded for clause in clauses):
            parts.append((occur.Must, query.all_query()))
        # Inside one Must: filters would otherwise satisfy a query none of whose words occur.
        found = query.boolean_query(parts) if parts else query.empty_query()
        return query.boolean_query([(occur.Must, found), *((occur.Must, each) for each in self._filters(filters))])

    def _clause(self, clause: Clause, languages: Sequence[str]) -> Any:
        query = self._tantivy.Query
        fields = {clause.field: 1.0} if clause.field else BOOSTS
        variants = {tuple(index_terms(clause.text, language)): None for language in (*languages, "")}
        options = [
            query.boost_query(self._terms(field, terms), boost)
            for field, boost in fields.items()
            for terms in variants
            if terms
        ]
        return query.disjunction_max_query(options, _TIE_BREAKER) if options else query.empty_query()

    def _terms(self, field: str, terms: tuple[str, ...]) -> Any:
        query = self._tantivy.Query
        if len(terms) == 1:
            return query.term_query(self._schema, field, terms[0])
        return query.phrase_query(self._schema, field, list(terms))

    def _filters(self, filters: Filters) -> list[Any]:
        query, kinds = self._tantivy.Query, self._tantivy.FieldType
        since = filters.since and max(filters.since, EARLIEST)
        chosen: list[tuple[object, Callable[[], Any]]] = [
            (filters.site, lambda: query.term_query(self._schema, "site", filters.site)),
            (filters.language, lambda: query.term_query(self._schema, "language", base_language(filters.language))),
            (since, lambda: query.range_query(self._schema, "published", kinds.Date, since)),
        ]
        return [query.const_score_query(make(), 0.0) for value, make in chosen if value]


def to_hit(score: float, article: ArticleRecord, clauses: Sequence[Clause]) -> Hit:
    """A found article with what the query matches in it."""
    language = to_text(article.get("language"))
    wanted = [clause.text for clause in clauses if not clause.excluded]
    terms = {term for text in wanted for spoken in (language, None) for term in index_terms(text, spoken)}
    title = mark(to_text(article.get("title")) or article["url"], terms, language)
    return Hit(score, article, title, snippet(to_text(article.get("text")), terms, language))

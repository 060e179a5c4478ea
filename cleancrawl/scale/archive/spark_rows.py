"""What Spark hands from one step to the next, and the Python between: batches of rows in, batches of rows out.

Whatever is decided about pages is decided by the same functions as on one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, Protocol

import numpy as np
from xxhash import xxh32_intdigest

from cleancrawl.archives.warc_pages import SavedPage, read_warc
from cleancrawl.core.article import FIELDS
from cleancrawl.core.fingerprints.article_signature import HASHES, SAME, Signature
from cleancrawl.core.fingerprints.originals import Claim
from cleancrawl.core.text.encodable import encodable
from cleancrawl.corpus.parquet_file import load_pyarrow, schema, to_cell
from cleancrawl.scale.archive.alike import COPY, marks
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.counting import ROW, Rows, combined, packed_site, page_rows
from cleancrawl.scale.archive.first_pass import RECORDS, Draft, PageFacts, first_pass
from cleancrawl.scale.archive.part_work import DIED, named
from cleancrawl.scale.archive.paused_pages import unpack
from cleancrawl.scale.archive.second_pass import second_pass, site_notes
from cleancrawl.scale.archive.site_blocks import OwnPage, SiteBlocks
from cleancrawl.scale.archive.worker_pool import Died, Result, Task
from cleancrawl.stores.page_rules import COPY_DISTANCE

Batches = Iterable[Any]
"""Record batches of Arrow."""

PAGE, SKIPPED, FAILED, TROUBLE = "page", "skipped", "failed", "trouble"
ARTICLE, DROPPED = "article", "dropped"
ROWS_AT_ONCE = 64
"""Pages of a batch that leaves Python: about two megabytes."""
RESULT_FIELDS = tuple(name for name in FIELDS if name != "duplicate_of")

FACT_FIELDS = "url string, site string, number long, date double, place long, article boolean, content long"
PAGE_SCHEMA = (
    f"kind string, {FACT_FIELDS}, hash long, keys binary, near binary, long binary, sections binary,"
    " bands array<long>, data binary, state binary, archive string, record long, reason string"
)
CLAIM_FIELDS = ("number", "url", "canonical_url", "published", "date", "place")
ROW_SCHEMA = (
    "site string, key long, near long, long boolean, articles long, others long, first long, last long,"
    " sections long, squares long"
)


class Caller(Protocol):
    """How a page is worked on: here, or by a ``Survivor`` where pages have killed their process."""

    def __call__(self, work: Callable[[Task], Result], task: Task, /) -> Result: ...


def here(work: Callable[[Task], Result], task: Task) -> Result:
    return work(task)


def first_rows(
    files: Iterable[tuple[str, BinaryIO]], options: BulkOptions, numbers: dict[str, int], call: Caller = here
) -> Iterator[tuple[Any, ...]]:
    """The first pass over some files: a row per page, with its kind."""
    for path, stream in files:
        troubles: list[str] = []
        file = numbers[path]
        for record, saved in enumerate(read_warc(stream, path, troubles.append)):
            place = file << RECORDS | record
            where = (encodable(path), record)
            try:
                draft = call(_first_of, (saved, place, options))
            except Died:
                yield _no_page(FAILED, encodable(saved.url), *where, DIED)
                continue
            except Exception as error:  # whatever it is, the pages after it are to be cleaned
                yield _no_page(FAILED, encodable(saved.url), *where, named(error))
                continue
            if isinstance(draft, Draft):
                yield _page(draft, *where)
            else:
                yield _no_page(SKIPPED, encodable(saved.url), *where, draft)
        for message in troubles:
            yield _no_page(TROUBLE, "", encodable(path), 0, message)


def _first_of(page: tuple[SavedPage, int, BulkOptions]) -> Draft | str:
    return first_pass(*page)


def _page(draft: Draft, archive: str, record: int) -> tuple[Any, ...]:
    facts, told = draft.facts, draft.facts.signature
    content = facts.content - (1 << 64) if facts.content >= 1 << 63 else facts.content
    return (
        *(PAGE, encodable(facts.url), encodable(facts.site), facts.number, facts.date, facts.place, facts.article),
        *(content, xxh32_intdigest(facts.url.encode("utf-8", "surrogatepass")), facts.keys, facts.near, facts.long),
        facts.sections,
        *((None, None) if told is None else (list(told.keys), told.data)),
        *(draft.state, archive, record, None),
    )


def _no_page(kind: str, url: str, archive: str, record: int, reason: str) -> tuple[Any, ...]:
    return (kind, url, *(None,) * 14, archive, record, encodable(reason))


def facts_of(row: dict[str, Any]) -> PageFacts:
    """The facts in a row of the first pass."""
    told = None if row["bands"] is None else Signature(tuple(row["bands"]), row["data"])
    names = ("url", "site", "number", "date", "place", "article", "content", "keys", "near", "long", "sections")
    values = {name: row[name] for name in names}
    return PageFacts(**{**values, "content": row["content"] % (1 << 64)}, signature=told)


def block_rows(batches: Batches) -> Iterator[Any]:
    """Pages → the rows of their blocks, added up within a batch."""
    for batch in batches:
        by_site: dict[str, list[Rows]] = {}
        for row in batch.to_pylist():
            facts = facts_of({**row, "bands": None, "url": "", "content": 0})
            by_site.setdefault(facts.site, []).append(page_rows(facts, row["distinct"], facts.article))
        for site, rows in by_site.items():
            yield _columns(site, combined(rows))


def member_rows(batches: Batches) -> Iterator[Any]:
    """Pages that have copies, or are some → the rows of their blocks, each with its distinct page."""
    arrow = load_pyarrow()
    for batch in batches:
        for row in batch.to_pylist():
            facts = facts_of({**row, "bands": None, "url": "", "content": 0})
            # As an article: whether it is one is not known before all copies are.
            made = _columns(facts.site, page_rows(facts, row["distinct"], True))
            yield made.append_column("distinct", arrow.array([row["distinct"]] * made.num_rows, arrow.int64()))


def _columns(site: str, rows: Rows) -> Any:
    arrow = load_pyarrow()
    signed = {
        name: np.ascontiguousarray(rows[name]).view("<i8" if rows.dtype[name] == np.dtype("<u8") else rows.dtype[name])
        for name in ROW.names or ()
    }
    columns = {name: values if values.dtype == np.bool_ else values.astype("<i8") for name, values in signed.items()}
    return arrow.RecordBatch.from_pydict({"site": [site] * len(rows), **columns})


def packed_rows(table: Any) -> Any:
    """All rows of one site → what is known of it, packed."""
    arrow = load_pyarrow()
    rows = np.zeros(table.num_rows, ROW)
    for name in ROW.names or ():
        values = table[name].to_numpy()
        rows[name] = values.view("<u8") if rows.dtype[name] == np.dtype("<u8") else values
    site, pages = table["site"][0].as_py(), table["pages"][0].as_py()
    return arrow.table({"site": [site], "blocks": arrow.array([packed_site(rows, pages)], arrow.binary())})


def note_rows(table: Any, options: BulkOptions, call: Caller = here) -> Any:
    """Sample pages of one site → its notes; a site that kills its process has none."""
    rows = sorted(table.to_pylist(), key=lambda row: (row["hash"], row["place"]))
    try:
        notes = call(_notes_of, (rows[0]["site"], [(row["url"], row["state"]) for row in rows], options))
    except Died:
        notes = {}
    arrow = load_pyarrow()
    kind = arrow.map_(arrow.string(), arrow.string())
    return arrow.table({"site": [rows[0]["site"]], "notes": arrow.array([list(notes.items())], kind)})


def _notes_of(samples: tuple[str, list[tuple[str, bytes]], BulkOptions]) -> dict[str, str]:
    site, pages, options = samples
    return site_notes(site, ((url, unpack(state)) for url, state in pages), options)


def same_rows(batches: Batches, *, copies: bool) -> Iterator[Any]:
    """Pairs of texts → those that are the same: copies of a page, or one story."""
    arrow = load_pyarrow()
    for batch in batches:
        first, second = (_hashes(batch.column(name)) for name in ("data", "other_data"))
        same = (first == second).mean(axis=1) >= (COPY if copies else SAME)
        if copies:
            one, two = (batch.column(name).to_numpy() for name in ("content", "other_content"))
            same &= (one == 0) | (two == 0) | (np.bitwise_count((one ^ two).view("<u8")) <= COPY_DISTANCE)
        yield batch.filter(arrow.array(same)).select(["number", "older", "before", "candidate"])


def story_rows(table: Any) -> Any:
    """Pairs of articles with one story, and with theirs → which of them is a copy of which."""
    claims: dict[int, Claim] = {}
    orders: dict[int, tuple[float, int]] = {}
    older: dict[int, list[int]] = {}
    for row in table.to_pylist():
        for prefix in ("", "other_"):
            number, url, canonical, published, date, place = (row[f"{prefix}{name}"] for name in CLAIM_FIELDS)
            claims[number] = Claim(url, canonical or "", published)
            orders[number] = (date, place)
        older.setdefault(row["number"], []).append(row["other_number"])
    found: dict[int, str] = {}
    for number in sorted(older, key=lambda number: orders[number]):
        twins = sorted(older[number], key=lambda twin: orders[twin])
        known = [(twin, replace(claims[twin], duplicate_of=found.get(twin))) for twin in twins]
        found.update(marks(number, claims[number], known))
    return load_pyarrow().table(
        {"number": list(found), "duplicate_of": list(found.values())},
        load_pyarrow().schema([("number", "int64"), ("duplicate_of", "string")]),
    )


def _hashes(column: Any) -> Any:
    return np.frombuffer(b"".join(column.to_pylist()), "<u2").reshape(-1, HASHES)


def result_schema() -> Any:
    """The columns of a page after its second pass: its article's, and what the next steps need."""
    arrow = load_pyarrow()
    fields = [
        arrow.field(field.name, arrow.timestamp("us", "UTC")) if arrow.types.is_timestamp(field.type) else field
        for field in schema(RESULT_FIELDS)
    ]
    long = arrow.int64()
    more = [
        *(("kind", arrow.string()), ("number", long), ("date", arrow.float64()), ("place", long)),
        *(("bands", arrow.list_(long)), ("data", arrow.binary()), ("reason", arrow.string())),
        *(("archive", arrow.string()), ("record", long)),
    ]
    return arrow.schema([*fields, *(arrow.field(*each) for each in more)])


def second_rows(batches: Batches, options: BulkOptions, call: Caller = here) -> Iterator[Any]:
    """The second pass. Before the pages of a site comes a row with what is known of it."""
    found: list[dict[str, Any]] = []
    site, known = "", SiteBlocks()
    for batch in batches:
        for row in _dicts(batch):
            if row["blocks"] is not None:
                site, known = row["site"], SiteBlocks.unpack(row["blocks"], dict(row["notes"] or ()))
                continue
            if row["site"] != site:
                site, known = row["site"], SiteBlocks()
            try:
                found.append(call(_result, (row, known, options)))
            except Died:
                found.append({**_where(row), "kind": FAILED, "reason": DIED})
            if len(found) >= ROWS_AT_ONCE:
                yield from _batches(found)
                found = []
    yield from _batches(found)


def _dicts(batch: Any) -> Iterator[dict[str, Any]]:
    """The rows one by one: a batch may hold thousands of pages."""
    for place in range(batch.num_rows):
        (row,) = batch.slice(place, 1).to_pylist()
        yield row


def _batches(rows: list[dict[str, Any]]) -> Iterator[Any]:
    if rows:
        yield from load_pyarrow().Table.from_pylist(rows, schema=result_schema()).to_batches()


def _where(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("url", "number", "date", "place", "archive", "record")}


def _result(page: tuple[dict[str, Any], SiteBlocks, BulkOptions]) -> dict[str, Any]:
    row, known, options = page
    facts, where = facts_of(row), _where(row)
    own = OwnPage(row["distinct"], row["distinct_article"])
    try:
        outcome = second_pass(facts, unpack(row["state"]), known, own, options)
    except Exception as error:
        return {**where, "kind": FAILED, "reason": encodable(named(error))}
    if outcome.article is None:
        return {**where, "kind": DROPPED, "reason": outcome.reason}
    cells = {name: to_cell(name, outcome.article.get(name)) for name in RESULT_FIELDS}
    told = outcome.signature
    bands = {"bands": None, "data": None} if told is None else {"bands": list(told.keys), "data": told.data}
    return {**where, **cells, **bands, "kind": ARTICLE}

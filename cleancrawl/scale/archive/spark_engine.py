"""``--engine spark``: an archive on a cluster (extra ``spark``), with the result of one machine.

The steps are those of the local engine. Each leaves a directory that Spark marks as complete, and the passes go through
the archives in groups of files, so that a run that was killed goes on with what is missing.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cleancrawl.archives.warc_pages import WARC_SUFFIXES
from cleancrawl.core.article import FIELDS
from cleancrawl.corpus.card import Counts, card_json, card_markdown
from cleancrawl.errors import ConfigError, MissingExtra
from cleancrawl.scale.archive import spark_rows as rows
from cleancrawl.scale.archive import spark_tasks as tasks
from cleancrawl.scale.archive.article_files import COUNTED
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.bulk_run import ARTICLES, MANIFEST, WORK, OnProgress, Summary, manifest_json
from cleancrawl.scale.archive.counting import BLOCKS_PER_SITE, ROW, least_pages, packed_site
from cleancrawl.scale.archive.second_pass import SAMPLE_PAGES, takes_notes
from cleancrawl.scale.archive.spark_alike import duplicates, leaders
from cleancrawl.scale.archive.spark_files import ClusterFiles, exactly, file_settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FILES_AT_ONCE = 64
"""Files of a group: what is lost when a run is killed."""
SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.ui.showConsoleProgress": "false",
    # Or a pattern in s3a:// is taken for the name of a stream's directory, and a page of Java says that there is none.
    "spark.sql.streaming.fileStreamSink.ignoreMetadata": "true",
    # Tasks by the size of what they get: small archives are not cut into two hundred.
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
}
"""Of a session that the command opens."""
_CRASHED = "Python worker exited unexpectedly"
"""What Spark says of a process that died."""
PAGES_TOGETHER = 2_000
"""A site with more pages is divided, so that it is nobody's alone."""


@dataclass(frozen=True, slots=True)
class SparkRun:
    """One run on a session. Paths and the directory are what Spark reads and writes: local, ``hdfs://``, ``s3a://``.

    Patterns and directories are allowed. Every machine needs cleancrawl with the extras ``spark`` and ``warc``.
    """

    session: SparkSession
    paths: Sequence[str]
    out: str
    options: BulkOptions = field(default_factory=BulkOptions)
    made: dict[str, Any] = field(default_factory=dict)
    """How the result was made, for its card."""
    files_at_once: int = FILES_AT_ONCE
    through_spark: bool = False
    """Whether files that every machine can open come through Spark's own reader, too, as all others do."""
    on_progress: OnProgress = lambda what, more, total: None
    on_trouble: Callable[[str], object] = print

    @property
    def files(self) -> ClusterFiles:
        return ClusterFiles(self.session, self.out)

    def run(self) -> Summary:
        """Clean the archives into the directory; killed at any moment, the next run gives the same articles."""
        _ = self.options.made_recipe
        with file_settings(self.session):
            return self._run()

    def _run(self) -> Summary:
        archives = self.find_archives()
        manifest = manifest_json([list(each) for each in archives], self.options, self.files_at_once)
        finished = self._begin(manifest)
        if finished is not None:
            return finished
        pages = self._first_pass([path for path, _ in archives])
        sites = self._reduce(pages)
        results = self._second_pass(pages, sites, groups=-(-len(archives) // self.files_at_once))
        self.on_progress("steps", 1, 1)
        summary = self._write(pages, results)
        self.files.write_text(MANIFEST, json.dumps({**manifest, "summary": summary.to_json()}, ensure_ascii=False))
        self.files.remove(WORK)
        return summary

    def find_archives(self) -> list[tuple[str, int]]:
        """The WARC files and their sizes, by name."""
        reader = self.session.read.format("binaryFile").option("recursiveFileLookup", "true")
        try:
            found = reader.load(list(self.paths)).select("path", "length").collect()
        except Exception as error:  # Spark's own, with a page of Java behind it
            raise ConfigError(f"{', '.join(self.paths)}: {str(error).splitlines()[0]}") from None
        archives = sorted((row.path, row.length) for row in found if row.path.endswith(WARC_SUFFIXES))
        if not archives:
            raise ConfigError(f"no WARC files in {', '.join(self.paths)}")
        for path, size in archives:
            if size > tasks.MOST_BYTES and not self._is_opened(path):
                raise ConfigError(f"{path} has more than 2 GB: copy it to a file system that every machine has")
        return archives

    def _begin(self, manifest: dict[str, Any]) -> Summary | None:
        stored = self.files.read_text(MANIFEST)
        if stored is None:
            found = self.files.names() - {f"{MANIFEST}.tmp"}
            if found and WORK not in found:
                raise ConfigError(f"{self.out} is not empty: choose another directory")
            self.files.write_text(MANIFEST, json.dumps(manifest, ensure_ascii=False))
            return None
        before = json.loads(stored)
        summary = before.pop("summary", None)
        if before != json.loads(json.dumps(manifest)):
            other = [name for name, value in manifest.items() if before.get(name) != value]
            raise ConfigError(f"{self.out} belongs to a run with other {' and '.join(other)}: choose another directory")
        return None if summary is None else Summary.from_json(summary)

    def _step(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """The rows of a step, made where they are not there yet."""
        place = f"{WORK}/{name}"
        if not self.files.is_complete(place):
            make().write.mode("overwrite").parquet(self.files.path(place))
        return self.session.read.parquet(self.files.path(place))

    def _guarded_step(self, name: str, make: Callable[[bool], DataFrame]) -> DataFrame:
        """The same for work on pages, one of which may kill its process: then once more, behind a guard."""
        try:
            return self._step(name, lambda: make(False))
        except Exception as error:  # Spark's own, of several kinds
            if _CRASHED not in str(error):
                raise
        self.on_trouble(f"a page has killed its process: {name} is done again, pages in processes of their own")
        return self._step(name, lambda: make(True))

    def _first_pass(self, paths: list[str]) -> DataFrame:
        numbers = {path: number for number, path in enumerate(paths)}
        work = partial(tasks.first_task, options=self.options, numbers=numbers)
        groups = [paths[start : start + self.files_at_once] for start in range(0, len(paths), self.files_at_once)]
        for number, group in enumerate(groups):
            self._guarded_step(
                f"first/group={number}",
                lambda guarded, group=group: self._pages(group, partial(work, guarded=guarded)),  # type: ignore[misc]
            )
            self.on_progress("files", len(group), len(paths))
        return self.session.read.parquet(self.files.path(f"{WORK}/first"))

    def _pages(self, paths: list[str], work: Callable[..., Any]) -> DataFrame:
        if all(map(self._is_opened, paths)):
            # A file that Python can open itself is read record by record.
            files = self.session.sparkContext.parallelize(paths, len(paths)).mapPartitions(tasks.opened_files)
        else:
            # Not as a table, of whose columns each hand makes another copy: a file of 400 MB did not fit into 6 GB.
            whole = self.session.sparkContext.binaryFiles(",".join(map(exactly, paths)), len(paths))
            files = whole.mapPartitions(tasks.files_in_memory)
        return self.session.createDataFrame(files.mapPartitions(work), rows.PAGE_SCHEMA, verifySchema=False)

    def _is_opened(self, path: str) -> bool:
        return path.startswith(tasks.LOCAL) and not self.through_spark

    def _reduce(self, pages: DataFrame) -> DataFrame:
        """What is known of the sites, and which page is which distinct page."""
        light = pages.where(f"kind = '{rows.PAGE}'").drop("state", "archive", "record", "reason", "kind")
        newest = self._step("newest", lambda: _newest(light))
        current = light.join(newest, ["number", "place"], "left_semi")
        texts = current.select("number", "date", "place", "bands", "data", "content", _named("site", "within"))
        copies = self._step("copies", lambda: leaders(texts))
        distinct = self._step("distinct", lambda: _distinct(current, copies))
        blocks = self._step("blocks", lambda: _blocks(current, distinct))
        sites = self._step("sites", lambda: self._sites(distinct, blocks))
        if not takes_notes(self.options):
            return sites.selectExpr("*", "cast(null AS map<string, string>) AS notes")
        notes = self._guarded_step("notes", lambda guarded: self._notes(pages, current, guarded))
        return sites.join(notes, "site", "left")

    def _sites(self, distinct: DataFrame, blocks: DataFrame) -> DataFrame:
        from pyspark.sql import functions as f

        pages = distinct.groupBy("site").agg(f.countDistinct("distinct").alias("pages"))
        kept = _most_common(blocks, BLOCKS_PER_SITE).join(pages, "site")
        packed = kept.groupBy("site").applyInArrow(rows.packed_rows, "site string, blocks binary")
        empty = f.udf(lambda count: packed_site(np.zeros(0, ROW), count), "binary")
        return pages.join(packed, "site", "left").withColumn("blocks", f.coalesce("blocks", empty("pages")))

    def _notes(self, pages: DataFrame, current: DataFrame, guarded: bool) -> DataFrame:
        from pyspark.sql import Window
        from pyspark.sql import functions as f

        by_hash = Window.partitionBy("site").orderBy("hash", "place")
        several = current.groupBy("site").count().where("count > 1").select("site")
        chosen = current.join(several, "site", "left_semi").select("site", "hash", "place", "number")
        chosen = chosen.withColumn("rank", f.row_number().over(by_hash)).where(f.col("rank") <= SAMPLE_PAGES)
        states = pages.select("number", "place", "url", "state").join(
            chosen.select("number", "place", "site", "hash"), ["number", "place"]
        )
        work = partial(tasks.note_task, options=self.options, guarded=guarded)
        schema = "site string, notes map<string, string>"
        return states.groupBy("site").applyInArrow(lambda table: work(table), schema)

    def _second_pass(self, pages: DataFrame, sites: DataFrame, groups: int) -> DataFrame:
        distinct = self.session.read.parquet(self.files.path(f"{WORK}/distinct"))
        for number in range(groups):
            own = pages.where(f"group = {number} AND kind = '{rows.PAGE}'")
            self._guarded_step(
                f"second/group={number}",
                lambda guarded, own=own: self._cleaned(own, distinct, sites, guarded),  # type: ignore[misc]
            )
            self.on_progress("groups", 1, groups)
        return self.session.read.parquet(self.files.path(f"{WORK}/second"))

    def _cleaned(self, pages: DataFrame, distinct: DataFrame, sites: DataFrame, guarded: bool) -> DataFrame:
        """Every page behind what is known of its site. Of a large site each part has its own copy of that."""
        from pyspark.sql import functions as f
        from pyspark.sql.pandas.types import from_arrow_schema

        parts = f.greatest(f.lit(1), f.ceil(f.col("pages") / PAGES_TOGETHER)).cast("int")
        known = sites.withColumn("part", f.explode(f.sequence(f.lit(0), parts - 1)))
        cut = pages.drop("kind", "hash", "reason").join(distinct.drop("site"), ["number", "place"])
        cut = cut.join(sites.select("site", parts.alias("parts")), "site")
        cut = cut.withColumn("part", f.pmod(f.col("place"), f.col("parts")).cast("int")).drop("parts")
        wanted = known.join(cut.select("site", "part").distinct(), ["site", "part"], "left_semi").drop("pages")
        both = wanted.withColumn("after", f.lit(0)).unionByName(
            cut.withColumn("after", f.lit(1)), allowMissingColumns=True
        )
        ordered = both.repartition("site", "part").sortWithinPartitions("site", "part", "after", "place")
        work = partial(tasks.second_task, options=self.options, guarded=guarded)
        return ordered.mapInArrow(lambda batches: work(batches), from_arrow_schema(rows.result_schema()))

    def _write(self, pages: DataFrame, results: DataFrame) -> Summary:
        from pyspark.sql import functions as f

        found = results.where(f"kind = '{rows.ARTICLE}'")
        texts = found.select("number", "date", "place", "bands", "data", f.lit(0).cast("long").alias("content"))
        claims = found.select(*rows.CLAIM_FIELDS)
        same = self._step("stories", lambda: duplicates(texts.withColumn("within", f.lit("")), claims))
        marked = found.join(same, "number", "left")
        if self.options.drop_duplicates:
            marked = marked.where("duplicate_of IS NULL")
        articles = marked.select(*FIELDS)
        articles.write.mode("overwrite").parquet(self.files.path(ARTICLES))
        failed = _failures(pages, "first pass").unionByName(_failures(results, "second pass"))
        failed.write.mode("overwrite").json(self.files.path("failed"))
        counts = self._counts()
        self.files.write_text("card.md", card_markdown(counts, self.made))
        self.files.write_text("card.json", json.dumps(card_json(counts, self.made), ensure_ascii=False, indent=2))
        troubles = [row.reason for row in pages.where(f"kind = '{rows.TROUBLE}'").orderBy("archive").collect()]
        for message in troubles:
            self.on_trouble(message)
        dropped = _reasons(results, rows.DROPPED)
        again = pages.where(f"kind = '{rows.PAGE}'").count() - results.count()
        return Summary(
            pages=pages.where(f"kind != '{rows.TROUBLE}'").count(),
            articles=counts.articles,
            duplicates=same.count(),
            words=counts.words,
            sites=len(counts.sites),
            skipped=_reasons(pages, rows.SKIPPED),
            dropped=dropped + Counter({"fetched-again": again}) if again else dropped,
            failed=failed.count(),
            troubles=troubles,
        )

    def _counts(self) -> Counts:
        counts = Counts()
        articles = self.session.read.parquet(self.files.path(ARTICLES)).select(*COUNTED)
        for part in articles.rdd.mapPartitions(_counted).collect():
            counts.merge(Counts.from_json(part))
        return counts


def _named(name: str, other: str) -> Any:
    from pyspark.sql import functions as f

    return f.col(name).alias(other)


def _newest(pages: DataFrame) -> DataFrame:
    """Of pages with the same URL the newest counts."""
    from pyspark.sql import functions as f

    newest = pages.groupBy("number").agg(f.max(f.struct("date", "place")).alias("newest"))
    return newest.select("number", f.col("newest.place").alias("place"))


def _distinct(current: DataFrame, copies: DataFrame) -> DataFrame:
    """Which distinct page every page is, and whether that is an article: one of its copies is enough."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    leading = copies.select(f.col("leader").alias("number"), "leader").distinct()
    clusters = copies.unionByName(leading)
    pages = current.select("number", "place", "site", "article").join(clusters, "number", "left")
    pages = pages.withColumn("clustered", f.col("leader").isNotNull())
    pages = pages.withColumn("distinct", f.coalesce("leader", "number")).drop("leader")
    article = f.max("article").over(Window.partitionBy("distinct"))
    return pages.withColumn("distinct_article", article).drop("article")


def _blocks(current: DataFrame, distinct: DataFrame) -> DataFrame:
    """Every block of every site, counted: what is added up within batches is added up again by key."""
    from pyspark.sql import functions as f

    which = distinct.drop("site", "distinct_article")
    pages = current.select("site", "number", "date", "place", "article", "keys", "near", "long", "sections")
    pages = pages.join(which, ["number", "place"])
    plain = pages.where("NOT clustered").mapInArrow(rows.block_rows, rows.ROW_SCHEMA)
    members = pages.where("clustered").mapInArrow(rows.member_rows, f"{rows.ROW_SCHEMA}, distinct long")
    once = members.groupBy("site", "distinct", "key").agg(
        *(f.max("near").alias("near"), f.max("long").alias("long")),
        *(f.min("first").alias("first"), f.max("sections").alias("sections")),
    )
    judged = once.join(distinct.select("distinct", "distinct_article").distinct(), "distinct")
    merged = judged.select(
        *("site", "key", "near", "long"),
        f.col("distinct_article").cast("long").alias("articles"),
        (~f.col("distinct_article")).cast("long").alias("others"),
        *("first", f.col("first").alias("last")),
        (f.col("sections") * f.col("distinct_article").cast("long")).alias("sections"),
        (f.col("sections") * f.col("sections") * f.col("distinct_article").cast("long")).alias("squares"),
    )
    counted = plain.unionByName(merged).groupBy("site", "key")
    return counted.agg(
        *(f.max("near").alias("near"), f.max("long").alias("long")),
        *(f.sum("articles").alias("articles"), f.sum("others").alias("others")),
        *(f.min("first").alias("first"), f.max("last").alias("last")),
        *(f.sum("sections").alias("sections"), f.sum("squares").alias("squares")),
    ).where("articles + others > 1 OR long")


def _most_common(blocks: DataFrame, most: int) -> DataFrame:
    """Without the rarest blocks of sites that have too many."""
    from pyspark.sql import functions as f

    large = blocks.groupBy("site").count().where(f.col("count") > most).select("site")
    histograms: dict[str, dict[int, int]] = {}
    sizes = blocks.join(large, "site", "left_semi").groupBy(
        "site", (f.col("articles") + f.col("others")).alias("pages")
    )
    for row in sizes.count().collect():
        histograms.setdefault(row["site"], {})[row["pages"]] = row["count"]
    if not histograms:
        return blocks
    session = blocks.sparkSession
    least = [(site, least_pages(histogram, most)) for site, histogram in histograms.items()]
    floors = f.broadcast(session.createDataFrame(least, "site string, least long"))
    return blocks.join(floors, "site", "left").where("least IS NULL OR articles + others >= least").drop("least")


def _failures(found: DataFrame, step: str) -> DataFrame:
    from pyspark.sql import functions as f

    failed = found.where(f"kind = '{rows.FAILED}'")
    return failed.select("url", "archive", "record", f.lit(step).alias("step"), "reason")


def _reasons(found: DataFrame, kind: str) -> Counter[str]:
    grouped = found.where(f"kind = '{kind}'").groupBy("reason").count()
    return Counter({row["reason"]: row["count"] for row in grouped.collect()})


def _counted(articles: Iterable[Any]) -> Iterator[dict[str, Any]]:
    counts = Counts()
    for row in articles:
        counts.add(row.asDict())
    yield counts.to_json()


def open_session(master: str | None = None) -> SparkSession:
    """A session for the command: as ``spark-submit`` or the environment has set it up, else on this machine."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtra("pyspark", "spark") from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("cleancrawl archive").config(map=SETTINGS)
    try:
        return (builder if master is None else builder.master(master)).getOrCreate()
    except PySparkException as error:
        raise ConfigError(f"Spark does not start: {str(error).splitlines()[0]} (it needs Java 17)") from None

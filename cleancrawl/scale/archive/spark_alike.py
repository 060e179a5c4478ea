"""Texts that are the same, as ``alike`` finds them on one machine, as Spark jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cleancrawl.scale.archive.alike import GROUP
from cleancrawl.scale.archive.spark_rows import same_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_STEPS = 64
"""Of a chain of copies of copies; each halves its length."""


def leaders(texts: DataFrame, *, copies: bool) -> DataFrame:
    """``number`` and ``leader`` of each text that belongs to an older one.

    ``texts`` has ``number``, ``date``, ``place``, ``bands``, ``data``, ``content`` and ``within``.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    bands = texts.where("bands IS NOT NULL").select(
        *("number", "date", "place", "data", "content", "within", f.explode("bands").alias("key"))
    )
    oldest = Window.partitionBy("key", "within").orderBy("date", "place")
    others = bands.withColumn("rank", f.row_number().over(oldest)).where(f.col("rank") <= GROUP)
    others = others.select(
        *("key", "within", f.col("date").alias("older"), f.col("place").alias("before")),
        *(f.col(name).alias(other) for name, other in _OTHERS.items()),
    )
    older = "older < date OR (older = date AND before < place)"
    pairs = bands.join(others, ["key", "within"]).where(older).dropDuplicates(["number", "candidate"])
    columns = ("number", "data", "content", "older", "before", "candidate", "other_data", "other_content")
    schema = "number long, older double, before long, candidate long"
    same = pairs.select(*columns).mapInArrow(lambda batches: same_rows(batches, copies=copies), schema)
    first = same.groupBy("number").agg(f.min(f.struct("older", "before", "candidate")).alias("first"))
    return _followed(first.select("number", f.col("first.candidate").alias("leader")))


_OTHERS = {"number": "candidate", "data": "other_data", "content": "other_content"}


def _followed(found: DataFrame) -> DataFrame:
    """The copy of a copy is a copy of the first."""
    from pyspark.sql import functions as f

    found = found.persist()
    for _ in range(_MOST_STEPS):
        next_ones = found.select(f.col("number").alias("leader"), f.col("leader").alias("further"))
        longer: Any = found.join(next_ones, "leader", "left")
        if longer.where("further IS NOT NULL").isEmpty():
            break
        followed = longer.select("number", f.coalesce("further", "leader").alias("leader")).persist()
        followed.count()
        found.unpersist()
        found = followed
    return found

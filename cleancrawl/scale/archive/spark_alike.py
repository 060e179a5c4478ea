"""Texts that are the same, as ``alike`` finds them on one machine, as Spark jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cleancrawl.scale.archive.alike import GROUP
from cleancrawl.scale.archive.spark_rows import same_rows, story_rows

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_STEPS = 64
"""Of a chain of copies of copies; each halves its length."""


def leaders(texts: DataFrame) -> DataFrame:
    """``number`` and ``leader`` of each text that is a copy of an older one.

    ``texts`` has ``number``, ``date``, ``place``, ``bands``, ``data``, ``content`` and ``within``.
    """
    from pyspark.sql import functions as f

    same = _same_pairs(texts, copies=True)
    first = same.groupBy("number").agg(f.min(f.struct("older", "before", "candidate")).alias("first"))
    return _followed(first.select("number", f.col("first.candidate").alias("leader")))


def duplicates(texts: DataFrame, claims: DataFrame) -> DataFrame:
    """``number`` and ``duplicate_of`` of each article that repeats another one.

    Articles with one story, and those with theirs, are decided about together, in their order. ``claims`` has
    ``number``, ``date``, ``place``, ``url``, ``canonical_url`` and ``published``.
    """
    from pyspark.sql import functions as f

    same = _same_pairs(texts, copies=False).select("number", "candidate").persist()
    groups = _groups(same)
    other = claims.select(*(f.col(name).alias(f"other_{name}") for name in claims.columns))
    pairs = same.join(groups, "number").join(claims, "number")
    pairs = pairs.join(other, f.col("candidate") == f.col("other_number")).drop("candidate")
    return pairs.groupBy("story").applyInArrow(story_rows, "number long, duplicate_of string")


def _groups(pairs: DataFrame) -> DataFrame:
    """``number`` and ``story``: the least number among all that pairs lead to from it."""
    from pyspark.sql import functions as f

    back = pairs.select(f.col("candidate").alias("number"), f.col("number").alias("candidate"))
    edges = pairs.unionByName(back).persist()
    found = edges.groupBy("number").agg(f.least("number", f.min("candidate")).alias("story")).persist()
    for _ in range(_MOST_STEPS):
        beside = found.select(f.col("number").alias("candidate"), f.col("story").alias("other"))
        least = edges.join(beside, "candidate").groupBy("number").agg(f.min("other").alias("least"))
        nearer: Any = found.join(least, "number")
        if nearer.where("least < story").isEmpty():
            break
        moved = nearer.select("number", f.least("story", "least").alias("story")).persist()
        moved.count()
        found.unpersist()
        found = moved
    return found


def _same_pairs(texts: DataFrame, *, copies: bool) -> DataFrame:
    """``number``, and ``older``, ``before`` and ``candidate`` of each older text that is the same."""
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
    return pairs.select(*columns).mapInArrow(lambda batches: same_rows(batches, copies=copies), schema)


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

"""Atomic text blocks, a decision tree over shallow features, and block weights (METHODS B)."""

from __future__ import annotations

from typing import Literal

from cleancrawl.core.recipe import Recipe
from cleancrawl.core.text.stemming import stemmer
from cleancrawl.methods.shallow_features.atomic_blocks import AtomicBlocks
from cleancrawl.methods.shallow_features.block_weight import BlockWeight
from cleancrawl.methods.shallow_features.classifiers import CLASSIFIERS
from cleancrawl.methods.shallow_features.cosine_duplicates import CosineDuplicates

Classifier = Literal["trained-tree", "stopword-context", "printed-tree"]


def recipe(classifier: Classifier = "trained-tree") -> Recipe:
    """METHODS B; the other classifiers are ``stopword-context`` and ``printed-tree``."""
    stemmer("porter")  # where it is not installed, the choice of the recipe says so, not every page
    return Recipe(
        name="shallow-features",
        summary="atomic text blocks, classified by a decision tree over shallow text features",
        segment=(AtomicBlocks(),),
        primary=(CLASSIFIERS[classifier](),),
        secondary=(CosineDuplicates(),),
        score=(BlockWeight(),),
    )


def by_context() -> Recipe:
    """The two-stage classes, by import path: ``cleancrawl.methods.shallow_features.by_context``."""
    return recipe("stopword-context")


def by_printed_tree() -> Recipe:
    """The printed tree, by import path: ``cleancrawl.methods.shallow_features.by_printed_tree``."""
    return recipe("printed-tree")

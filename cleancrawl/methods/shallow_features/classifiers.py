"""The classifiers of METHODS B by name."""

from __future__ import annotations

from collections.abc import Callable

from cleancrawl.core.recipe import Stage
from cleancrawl.methods.shallow_features.printed_tree import PrintedTree
from cleancrawl.methods.shallow_features.stopword_context import StopwordContext
from cleancrawl.methods.shallow_features.trained_tree import TrainedTree

CLASSIFIERS: dict[str, Callable[[], Stage]] = {
    "trained-tree": TrainedTree,
    "stopword-context": StopwordContext,
    "printed-tree": PrintedTree,
}

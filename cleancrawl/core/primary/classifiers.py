"""The classifiers of METHODS B by name."""

from __future__ import annotations

from collections.abc import Callable

from cleancrawl.core.primary.printed_tree import PrintedTree
from cleancrawl.core.primary.stopword_context import StopwordContext
from cleancrawl.core.primary.trained_tree import TrainedTree
from cleancrawl.core.recipe import Stage

CLASSIFIERS: dict[str, Callable[[], Stage]] = {
    "trained-tree": TrainedTree,
    "stopword-context": StopwordContext,
    "printed-tree": PrintedTree,
}

"""Which tests stay on one worker of pytest-xdist: those that share what is dear to start, or may not run at once.

pytest-xdist tells groups by a suffix of each test's name, which pytest lets nobody change since 9.2: there its marker
``xdist_group`` has no effect. So groups are told here by the beginnings of names, and the marker is not used.
"""

from __future__ import annotations

import os

import pytest
from xdist.scheduler import LoadScopeScheduling

GROUPS = {
    "tests/scale/archive/test_spark_cluster.py": "clusters of Spark",
    "tests/scale/archive/test_spark_engine.py": "a session of Spark",
    "tests/test_package.py": "wheels",
    # They write into the checkout.
    "tests/crawl/output/test_summary.py::test_make_crawl": "output",
    "tests/crawl/output/test_index_extension.py::test_make_crawl": "output",
    "tests/sinks/test_opensearch.py": "an OpenSearch",
    "tests/test_regular_expressions.py::test_all_expressions_are_found": "expressions",
    "tests/test_regular_expressions.py::test_no_expression_of_the_package_grows": "expressions",
    "tests/crawl/test_crashes.py": "a crawl that nobody disturbs",
    "tests/serve/test_serve_in_browser.py": "a window",
    "tests/report/test_harvest_in_browser.py": "a window",
    "tests/report/test_compare_in_browser.py": "a window",
    "tests/report/test_explain_in_browser.py": "a window",
    "tests/crawl/test_foreign_project.py": "a project that is crawled in its directory",
}
"""In the order in which they begin: the longest first. A worker with a group of two takes the next one along."""


class TogetherScheduling(LoadScopeScheduling):
    """Groups first, the longest at the head; then all other tests, each where there is room."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


def group_of(name: str) -> str:
    """
    >>> group_of("tests/sinks/test_opensearch.py::test_down_then_up")
    'an OpenSearch'
    >>> group_of("tests/test_recipes.py::test_names")
    'tests/test_recipes.py::test_names'
    """
    return next((group for start, group in GROUPS.items() if name.startswith(start)), name)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> TogetherScheduling | None:
    if config.getvalue("dist") != "loadgroup":
        return None
    # Not by how many tests a group has: they come in the order in which they are collected.
    config.option.loadscopereorder = False
    return TogetherScheduling(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: most of the long tests wait for crawls, servers and browsers."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups first, in their order."""
    places = {group: place for place, group in enumerate(dict.fromkeys(GROUPS.values()))}
    items.sort(key=lambda item: places.get(group_of(item.nodeid), len(places)))

"""Fixtures that several test modules share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from cleancrawl.core.metadata.guarded_fields import logged
from tests.crawling import crawl, loop, other_server, server, site
from tests.site.server import SampleSite
from tests.together import (
    pytest_collection_modifyitems,
    pytest_xdist_auto_num_workers,
    pytest_xdist_make_scheduler,
)

__all__ = [
    "crawl",
    "loop",
    "other_server",
    "pytest_collection_modifyitems",
    "pytest_xdist_auto_num_workers",
    "pytest_xdist_make_scheduler",
    "server",
    "site",
]

# The same examples in every run, however slow the machine; ``--hypothesis-profile=explore`` looks for new ones.
settings.register_profile("explore", deadline=None)
settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("same")


@pytest.fixture(autouse=True)
def no_failed_fields() -> Iterator[None]:
    """A metadata field that fails costs a crawl only that field; here it fails the test, or bugs would hide."""
    logged.clear()
    yield
    assert not logged


@pytest.fixture(scope="session")
def served_site() -> Iterator[SampleSite]:
    """The sample site, started once: its slow page answers quickly here, and robots.txt asks for little patience."""
    with SampleSite(slow=0.05, crawl_delay=0.01) as site:
        yield site


@pytest.fixture
def sample_site(served_site: SampleSite) -> SampleSite:
    """The sample site with every page as written and an empty log."""
    served_site.reset()
    return served_site

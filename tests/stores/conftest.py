"""Every contract test runs on all stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cleancrawl import open_store
from cleancrawl.stores.base import Limits, Store

OpenStore = Callable[..., Store]


@pytest.fixture(params=["memory", "sqlite"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "memory":
        return "memory:"
    return f"sqlite:///{tmp_path / 'store.db'}"


@pytest.fixture
def make_store(store_url: str) -> Iterator[OpenStore]:
    opened: list[Store] = []

    def make(**limits: float) -> Store:
        opened.append(open_store(store_url, Limits(**limits)))  # type: ignore[arg-type]
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(make_store: OpenStore) -> Store:
    return make_store()

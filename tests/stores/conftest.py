"""Every contract test runs on all stores."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from cleancrawl import open_store
from cleancrawl.stores.protocol import Limits, Store
from tests.stores.redis_process import RedisProcess

OpenStore = Callable[..., Store]
_number = count()


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisProcess]:
    # Not below pytest's own directory: the path of a socket may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="redis-") as directory:
        server = RedisProcess(Path(directory)).start()
        yield server
        server.stop()


@pytest.fixture
def redis_url(redis_server: RedisProcess) -> str:
    """A store of its own on the server of all tests."""
    return f"{redis_server.url}?prefix=test{next(_number)}:"


@pytest.fixture(params=["memory", "sqlite", "redis"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "redis":
        url: str = request.getfixturevalue("redis_url")
        return url
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'store.db'}"


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

"""The measurements run, on a small scale."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from cleancrawl.lab.chaos import redis_cost
from cleancrawl.lab.chaos.capacity import measure
from cleancrawl.lab.chaos.redis_here import RedisHere
from cleancrawl.lab.chaos.redis_weight import add_ballast
from cleancrawl.stores.redis.redis_store import RedisStore
from tests.stores.pages import article_of, record_of, signature_of, story, url_of
from tests.stores.redis_process import find_redis_server


def test_what_redis_costs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    find_redis_server()
    monkeypatch.setattr(redis_cost, "MEASURED", 10)
    assert redis_cost.main(["--articles", "20,50", "--sites", "5", "--ballast", "30", "--tables"]) == 0
    leases, beside, _, *rows = capsys.readouterr().out.splitlines()
    assert leases.startswith("5 sites: take ")
    assert beside.startswith("beside 30 articles")
    rows, tables = rows[:2], rows[2:]
    # A look-up, a record, the page's state and the same story elsewhere: one round trip each.
    assert [row.split()[:2] for row in rows] == [["20", "4.0"], ["50", "4.0"]]
    assert {"texts", "stories:…", "near:…", "blocks:…"} <= {table.split()[0] for table in tables}


def test_ballast_is_as_the_store_would_have_it() -> None:
    find_redis_server()
    with tempfile.TemporaryDirectory(prefix="ballast-") as directory:
        redis = RedisHere(Path(directory), durable=False).start()
        try:
            store = RedisStore(redis.url)
            add_ballast(store, 100)
            assert len(store.page_states([f"https://ballast.example/2026/11/{number}" for number in (1, 100)])) == 2
            hashes = store._redis.keys(store.prefix + "stories:*")
            assert len(hashes) == 32
            assert {store._redis.hlen(name) for name in hashes} == {38}
            # The store goes on with it: what it adds is found, and the hashes divide.
            signatures = {number: signature_of(*(number + 640 * key for key in range(12))) for number in range(90)}
            for number, signature in signatures.items():
                record = record_of(url_of(number), *story(number), article=article_of("T"), signature=signature)
                store.record(record)
            found = [store.candidates(signature.keys[:1]) for signature in signatures.values()]
            assert [candidate.url for candidates in found for candidate in candidates] == [*map(url_of, signatures)]
            assert len(store._redis.keys(store.prefix + "stories:*")) > 32
            store.close()
        finally:
            redis.kill()


def test_what_a_worker_holds() -> None:
    find_redis_server()
    with tempfile.TemporaryDirectory(prefix="capacity-") as directory:
        measured = measure(1, sites=2, articles=2, large=3, directory=Path(directory))
    assert (measured.sites, measured.articles) == (3, 7)
    assert measured.requests >= 3 * 2 + 7
    assert "3" in measured.line()

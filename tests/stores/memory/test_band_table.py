from __future__ import annotations

import random

from cleancrawl.stores.memory import band_table as bands
from cleancrawl.stores.memory.band_table import BandTable


def test_finds_what_a_dictionary_finds(monkeypatch):
    monkeypatch.setattr(bands, "_RECENT", 64)
    monkeypatch.setattr(bands, "_LARGEST_MERGE", 1024)
    chance, table, expected = random.Random(1), BandTable(), {}
    for number in range(1500):
        keys = [chance.randrange(1 << 63) if chance.random() < 0.8 else chance.randrange(50) for _ in range(4)]
        table.add(keys, number)
        for key in keys:
            expected.setdefault(key, set()).add(number)
    assert table.bytes > 0
    for key, numbers in expected.items():
        assert table.find([key], 9999, range(1500)) == sorted(numbers)
        assert table.find([key], 3, range(1, 1500, 2)) == sorted(number for number in numbers if number % 2)[:3]
    assert table.find([(1 << 63) + 5], 9, range(1500)) == []

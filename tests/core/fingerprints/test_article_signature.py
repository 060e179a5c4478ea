from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.fingerprints.article_signature import BANDS, HASHES, Signature, first_same, signature, similarity


def story(seed: int, sentences: int = 40) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(f"w{chance.randrange(3000)}" for _ in range(15)) + "." for _ in range(sentences)]


def sign(sentences: list[str]) -> Signature:
    made = signature(" ".join(sentences))
    assert made
    return made


@pytest.mark.parametrize("dropped", [1, 4, 8])
def test_an_edit_moves_the_estimate_by_its_share(dropped: int):
    whole = story(1)
    edited = random.Random(2).sample(range(40), 40 - dropped)
    kept = sign([whole[index] for index in sorted(edited)])
    estimate = similarity(sign(whole).data, kept.data)
    assert abs(estimate - (40 - dropped) / 40) < 0.2
    assert set(sign(whole).keys) & set(kept.keys)


def test_other_stories_share_nothing():
    one, two = sign(story(1)), sign(story(2))
    assert not set(one.keys) & set(two.keys)
    assert similarity(one.data, two.data) < 0.1


@dataclass(frozen=True)
class Earlier:
    url: str
    data: bytes


def test_the_first_of_several_copies_is_named():
    data = sign(story(1)).data
    candidates = [Earlier("a", sign(story(2)).data), Earlier("b", data), Earlier("c", data)]
    assert first_same(data, candidates) == candidates[1]
    assert first_same(data, candidates, where=lambda other: other.url != "b") == candidates[2]
    assert first_same(data, candidates[:1]) is None


def test_incomparable_data_is_not_similar():
    assert similarity(b"", b"") == 0.0
    assert similarity(b"1234", b"12") == 0.0


@given(st.text(max_size=400))
@settings(deadline=None, max_examples=60)
def test_any_text_has_a_signature_or_none(text: str):
    made = signature(text + " " + text)
    if made:
        assert len(made.keys) == BANDS
        assert len(made.data) == 2 * HASHES
        assert all(0 <= key < 1 << 63 for key in made.keys)
        assert made == signature(text + " " + text)


def test_a_very_long_text_costs_a_bounded_effort():
    words = [f"word{number}" for number in range(60_000)]
    assert signature(" ".join(words)) == signature(" ".join(words[:50_000])) != signature(" ".join(words[:49_000]))

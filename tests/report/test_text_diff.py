from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cleancrawl.core.text.words import words
from cleancrawl.report import sequence_match
from cleancrawl.report.sequence_match import matched
from cleancrawl.report.text_diff import Diff, diff
from tests.growth import about_linear

texts = st.text(st.sampled_from("ab .\n,北"), max_size=60)


def side(found: Diff, other: str) -> str:
    """One of the texts, from the rows."""
    lines = ["".join(piece.text for piece in row.pieces if piece.fate != other) for row in found.rows]
    return "".join("".join(lines).split())


@given(texts, texts)
@example("a\nb", "a\n\nb")
@example("a. b", "a.\nb. b")
def test_both_texts_are_in_it_whole(before: str, after: str) -> None:
    found = diff(before, after)
    assert side(found, "gained") == "".join(before.split())
    assert side(found, "lost") == "".join(after.split())
    assert [row for rows in found.hunks() for row in rows] == list(found.rows)
    assert found.before - found.lost == found.after - found.gained
    assert (found.before, found.after) == (len(words(before)), len(words(after)))
    assert 0 <= found.alike <= 1
    assert diff(before, before).changed == 0


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abcd"), max_size=30))
def test_parts_are_all_of_both_and_say_the_truth(a: list[str], b: list[str]) -> None:
    parts = matched(a, b)
    assert [item for part in parts for item in a[part.a : part.a_end]] == a
    assert [item for part in parts for item in b[part.b : part.b_end]] == b
    assert all(part.same == (a[part.a : part.a_end] == b[part.b : part.b_end]) for part in parts)
    assert all(first.same != second.same or first.same for first, second in pairwise(parts))


def test_a_changed_line_shows_its_words() -> None:
    before = "The council voted on Monday.\nIt cost 4 million euros.\nNobody spoke against it."
    after = "The council voted on Monday evening.\nIt cost 4 million euros.\nTwo members spoke against it.\nThe end."
    rows = diff(before, after).rows
    assert [[(piece.fate, piece.text) for piece in row.pieces] for row in rows] == [
        [("same", "The council voted on Monday"), ("gained", " evening"), ("same", ".")],
        [("same", "It cost 4 million euros.")],
        [("lost", "Nobody"), ("gained", "Two members"), ("same", " spoke against it.")],
        [("gained", "The end.")],
    ]
    found = diff(before, after)
    assert (found.lost, found.gained) == (1, 5)


def test_phrases_stay_whole_and_other_lines_are_other_lines() -> None:
    (row,) = diff("He saw a red old car there", "He saw two new blue ships there").rows
    assert [piece.text for piece in row.pieces] == ["He saw ", "a red old car", "two new blue ships", " there"]
    assert [row.fate for row in diff("One two three four", "Five six four seven eight nine ten").rows] == [
        "lost",
        "gained",
    ]


def test_what_is_far_from_changes_is_apart() -> None:
    lines = [f"Line {number} of the story." for number in range(20)]
    found = diff("\n".join(lines), "\n".join([*lines[:10], "A new line in the middle.", *lines[10:]]))
    assert [len(rows) for rows in found.hunks()] == [0, 8, 5, 8]
    assert diff("a\nb", "a\nb").hunks() == [[], list(diff("a\nb", "a\nb").rows)]


HOSTILE: dict[str, Callable[[int], tuple[str, str]]] = {
    "words that repeat": lambda size: ("a b " * size, "b a " * size),
    "lines that repeat": lambda size: ("a\nb\n" * size, "b\na\n" * size),
    "all in reverse": lambda size: (" ".join(map(str, range(size))), " ".join(map(str, range(size, 0, -1)))),
    "an anchor at a time": lambda size: (
        "\n".join(f"x\n{number}\nx" for number in range(size)),
        "\n".join(f"y\n{number}\ny\ny" for number in range(size)),
    ),
    "no spaces": lambda size: ("北京" * size, "京北" * size),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_texts_made_to_hurt_cost_what_long_texts_cost(kind: str) -> None:
    assert about_linear(lambda pair: diff(*pair), HOSTILE[kind], 8_000)


def test_looks_for_anchors_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nested as deep as it likes, a text gets no more looks than its length allows."""
    depth = 300
    a, b = ["x"], ["x"]
    for number in range(depth):
        a = [f"p{number}", *a, "q", "q"]
        b = ["r", "r", f"p{number}", *b]
    looked = []
    real = sequence_match._anchors

    def counted(one: list[str], other: list[str], *place: int) -> list[tuple[int, int]]:
        looked.append(place[1] - place[0] + place[3] - place[2])
        return real(one, other, *place)

    monkeypatch.setattr(sequence_match, "_anchors", counted)
    matched(a, b)
    assert sum(looked) <= (sequence_match.ROUNDS + 1) * (len(a) + len(b))

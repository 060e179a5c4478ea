from __future__ import annotations

from importlib.resources import files

from cleancrawl.core.text.stop_words import stop_words


def test_the_list_states_its_origin() -> None:
    assert files("cleancrawl").joinpath("data/stop_words.txt").read_text("utf-8").startswith("# ")


def test_norwegian_goes_by_its_two_written_forms() -> None:
    assert stop_words("nb") == stop_words("nn") == stop_words("no") != stop_words("da")

from __future__ import annotations

from cleancrawl.core.text.stop_words import function_words, stop_words


def test_norwegian_goes_by_its_two_written_forms() -> None:
    assert stop_words("nb") == stop_words("nn") == stop_words("no") != stop_words("da")


def test_content_words_of_a_language_are_stop_words_of_no_other() -> None:
    assert "sl" not in function_words()
    assert "april" in stop_words("sl")
    assert "april" not in stop_words()

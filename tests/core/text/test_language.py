"""The language of texts that do not say it."""

from __future__ import annotations

import pytest

from cleancrawl.core.text.language import by_function_words, detect_language

ENGLISH = "The council said on Monday that it would not be moved by what had been written about it in the papers."
DANISH = (
    "Regeringen har i dag godkendt et lovforslag, som ifølge ministeren skal gøre livet lettere for folk, der ikke er"
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (ENGLISH, "en"),
        ("Der Rat hat am Montag gesagt, dass er nicht auf das hören wird, was über ihn geschrieben wurde.", "de"),
        ("Совет сказал в понедельник, что он не будет это делать, потому что так уже было и все это знали.", "ru"),
    ],
)
def test_function_words_settle_running_text(text: str, language: str) -> None:
    assert by_function_words(text) == detect_language(text) == language


@pytest.mark.parametrize("text", [DANISH, "Home News Sport Weather Business Markets Travel Culture Contact"])
def test_function_words_leave_near_relatives_and_lists_alone(text: str) -> None:
    assert by_function_words(text) is None


def test_the_model_decides_what_is_left() -> None:
    assert detect_language(DANISH) == "da"


def test_text_that_was_decoded_wrongly_has_no_language() -> None:
    assert detect_language("\ufffd\ufffdb\ufffd" * 50 + ENGLISH) is None

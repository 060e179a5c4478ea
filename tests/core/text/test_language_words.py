"""The files of the languages: whole, and of one mind."""

from __future__ import annotations

import pytest

from cleancrawl.core.page_kind import KINDS
from cleancrawl.core.text.language_words import languages, months, phrases
from cleancrawl.data import read_text
from cleancrawl.methods.learned.features.markers import marker_names

SECTIONS = {
    *("also", "function-words", "stop-words", "months", "own-months", "date-updated", "date-other"),
    *(f"author-{kind}" for kind in ("prefixes", "glued", "and", "after", "date", "credentials", "roles", "nobodies")),
    *("utility-links", "copyright-notices", "search-fields"),
    *(f"comment-{kind}" for kind in ("headings", "counts", "counts-to", "buttons", "says")),
    *("time-ago", "read-also", "embed-notice"),
    *(f"url-{kind}" for kind in KINDS),
    *(f"marker-{name}" for name in marker_names()),
}


@pytest.mark.parametrize("code", languages())
def test_a_file_says_where_its_facts_come_from_and_has_known_sections(code: str) -> None:
    assert read_text(f"languages/{code}.txt").startswith("# ")
    sections = languages()[code]
    assert sections.keys() <= SECTIONS
    assert all(sections.values()), "a section without a line"
    assert not {"function-words", "stop-words"} <= sections.keys()


@pytest.mark.parametrize("section", sorted(SECTIONS - {"months", "own-months", "also"}))
def test_every_section_is_filled_and_in_lower_case(section: str) -> None:
    found = phrases(section)
    assert found
    assert [phrase for phrase in found if phrase != phrase.lower() or not phrase] == []


def test_a_month_that_means_another_one_elsewhere_is_its_language_s_own() -> None:
    meanings: dict[str, set[int]] = {}
    for names in months().values():
        for name, number in names.items():
            meanings.setdefault(name, set()).add(number)
    assert [name for name, numbers in meanings.items() if len(numbers) > 1] == []
    for names in months("own-months").values():
        assert [name for name, number in names.items() if number in meanings.get(name, ())] == []

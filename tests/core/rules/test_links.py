"""Links to social sites and to the small print."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.rules.links import copyright_candidates, copyright_notice, search_box, social_link, utility_link


@settings(deadline=None, max_examples=80)
@given(st.lists(st.sampled_from(["© 2026", "all rights reserved", "News", "İ", "", "Copyright", "a (c) b"])))
def test_candidates_are_the_texts_with_a_sign(texts: list[str]) -> None:
    signs = ("©", "all rights reserved", "copyright", "(c)")
    lowered = [text.lower() for text in texts]
    expected = [index for index, text in enumerate(lowered) if any(sign in text for sign in signs)]
    assert copyright_candidates(lowered) == expected


def test_what_one_link_was_found_to_be_does_not_rub_off_on_another() -> None:
    links = [("https://fb.men", None), ("https://fb.me", "fb.me"), ("https://fb.me/x", "fb.me"), ("//fb.men/a/b", None)]
    for ordered in (links, links[::-1]):
        assert [social_link(href) for href, _ in ordered] == [site for _, site in ordered]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [("Über uns", "über uns"), ("Mentions légales", "mentions légales"), ("利用規約", "利用規約"), ("RSS", "rss")],
)
def test_small_print_is_known_in_many_languages(text: str, phrase: str) -> None:
    assert utility_link("/x", text) == phrase


def test_of_two_formulas_in_a_line_the_english_one_is_the_evidence() -> None:
    assert copyright_notice("Alle Rechte vorbehalten / All rights reserved") == "all rights reserved"
    assert copyright_notice("Alle Rechte vorbehalten") == "alle rechte vorbehalten"


@pytest.mark.parametrize("name", ["q", "Suche", "keyword"])
def test_a_search_field_is_told_by_its_name(name: str) -> None:
    assert search_box("input", {"name": name})
    assert not search_box("input", {"name": name, "type": "checkbox"})

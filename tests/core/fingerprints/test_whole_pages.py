"""What a page is told by is the same at once and piece by piece, in Python and compiled."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cleancrawl.core.document import Document
from cleancrawl.core.fingerprints import whole_pages
from cleancrawl.core.fingerprints.article_signature import signature
from cleancrawl.core.fingerprints.block_prints import content_print, print_columns
from cleancrawl.core.fingerprints.whole_pages import page_digests, text_digests, text_digests_in_python
from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.recipes import get_recipe

part = compiled("page_digests")
built = pytest.mark.skipif(part is None, reason=f"compiled part page_digests: {why_not('page_digests')}")
ODD_WORDS = ["One", "two,", "größe", "ΣΑΣ", "“six”", "北京", "\0", "a\nb", "—", "it’s", "ÉTÉ", "«OUI»", "½", "e…g"]
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(ODD_WORDS), max_size=40).map(" ".join))
STORY = "The council of the harbour town met on Monday to talk about the price of ice cream in the hot summer. "


@built
@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, st.booleans()), max_size=6))
@example([("", True)])
@example([("one two", False), ("one\0two three", True)])
@example([(STORY * 2, True), ("Menu", False), (STORY, False)])
def test_texts_are_told_by_the_same(pairs: list[tuple[str, bool]]) -> None:
    texts, kept = [text for text, _ in pairs], bytes(is_kept for _, is_kept in pairs)
    found, expected = text_digests(texts, kept), text_digests_in_python(texts, kept)
    assert found.near.tolist() == expected.near.tolist()
    assert found.long.tolist() == expected.long.tolist()
    assert found[2:] == expected[2:]


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_page_is_told_by_what_its_blocks_and_its_text_are_told_by(
    is_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_compiled:
        monkeypatch.setattr(whole_pages, "_digests", None)
    lines = "".join(f"<p>{STORY} {number}</p><li><a href='/{number}'>Read more</a></li>" for number in range(8))
    page = Page(f"<html><body><h1>Ice cream</h1>{lines}</body></html>", "https://blog.a.example/news/ice")
    recipe = get_recipe("default")
    recipe.run(page)
    found, text = page_digests(page), Document(page, recipe.name).text
    assert text.count("council") > 1
    assert all(np.array_equal(one, other) for one, other in zip(found.columns, print_columns(page), strict=True))
    assert found.content == content_print(page) != 0
    assert found.signature == signature(text) is not None


@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_page_without_text_has_nothing_to_be_told_by(is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_compiled:
        monkeypatch.setattr(whole_pages, "_digests", None)
    found = page_digests(Page("", "https://a.example/"))
    assert (found.content, found.signature, len(found.columns.exact)) == (0, None, 0)


@built
def test_texts_and_what_is_kept_of_them_fit() -> None:
    with pytest.raises(ValueError, match="differ"):
        text_digests(["one", "two"], b"\1")

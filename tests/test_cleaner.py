from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl import Cleaner, UnknownRecipe, clean, open_store

BANNER = "We and our partners store and read cookies on your device to measure how our pages are used."


def html_of(number: int) -> str:
    sentence = f"Story {number} tells at some length what happened in town number {number} on that day, and why."
    body = "".join(f"<p>{sentence} Paragraph {part} of {number}.</p>" for part in range(4))
    return f"<html><body><div>{BANNER}</div><article>{body}</article></body></html>"


def test_site_knowledge_grows_with_every_page() -> None:
    with Cleaner() as cleaner:
        for number in range(4):
            document = cleaner.clean(html_of(number), f"https://portal.example/{number}")
            assert document.page.known is not None
            assert document.page.known.site_pages == number
            banner = next(i for i, block in enumerate(document.blocks) if "partners" in block.text)
            # The pages before count, but not where two short pages still look like copies of one.
            assert document.page.known.pages[banner] in (number, 0)
        assert document.page.known.pages[banner] == 3


def test_without_a_url_there_is_no_site() -> None:
    cleaner = Cleaner()
    document = cleaner.clean(html_of(1))
    assert document.page.known is None
    assert document.text == clean(html_of(1)).text
    assert cleaner.store.sites() == []


def test_a_store_by_url_is_closed_with_the_cleaner(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a' / 'store.db'}"
    with Cleaner(store=url) as cleaner:
        cleaner.clean(html_of(1).encode(), "https://portal.example/1")
    store = open_store(url)
    with Cleaner(store=store, site_by="host") as cleaner:
        cleaner.clean(html_of(2), "https://www.portal.example/2")
    assert [site.site for site in store.sites()] == ["portal.example", "www.portal.example"]
    store.close()


def test_wrong_use() -> None:
    with pytest.raises(UnknownRecipe):
        Cleaner("no-such-recipe")
    with pytest.raises(TypeError):
        Cleaner().clean(5, "https://portal.example/")  # type: ignore[arg-type]

"""``clean`` for one page, ``Cleaner`` for many pages of one site after another."""

from __future__ import annotations

from cleancrawl.core.decode import decode
from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.lookup import get_recipe


def load_page(html: str | bytes, url: str | None = None, *, comments: bool = False) -> Page:
    """A page from text or bytes; raises ``TypeError`` on anything else."""
    if isinstance(html, str):
        return Page(html, url, comments=comments)
    if isinstance(html, (bytes, bytearray, memoryview)):
        text, encoding = decode(bytes(html))
        return Page(text, url, encoding, comments=comments)
    raise TypeError(f"html must be str or bytes, not {type(html).__name__}")


def clean(
    html: str | bytes, url: str | None = None, recipe: str | Recipe = "default", comments: bool = False
) -> Document:
    """Clean one page. Never raises on any HTML; an empty or contentless page gives an empty ``.text``.

    Raises ``TypeError`` or ``UnknownRecipe`` on wrong use.
    """
    chosen = get_recipe(recipe)
    page = load_page(html, url, comments=comments)
    chosen.run(page)
    return Document(page, chosen.name)

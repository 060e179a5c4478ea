from __future__ import annotations

from cleancrawl import Block, Page


def test_the_first_verdict_on_a_block_stands() -> None:
    block = Block("text", 1, 0, "p")
    block.remove("primary", "iab-size", "468x60")
    block.remove("score", "low")
    assert str(block.removed) == "primary: iab-size (468x60)"


def test_a_tree_is_built_only_when_asked_for() -> None:
    page = Page("<html lang=de><title>T</title><p>x", "https://news.example.co.uk/a")
    assert (page.title, page.language, page.site) == ("T", "de", "example.co.uk")
    assert not page.has_tree
    assert page.tree.tag == "html"
    assert page.has_tree

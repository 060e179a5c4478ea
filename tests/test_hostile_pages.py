"""Pages that are made to hurt: every recipe takes them in about linear time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cleancrawl import Document, Page, clean
from cleancrawl.core.html import dom
from cleancrawl.core.html.dom import MOST_ATTRIBUTES, parse_tree
from cleancrawl.core.segmentation import text_blocks
from cleancrawl.lab.bench.hostile import victims
from cleancrawl.lab.bench.hostile.attack_table import attacks
from cleancrawl.recipes import RECIPES, get_recipe
from tests.growth import STEP, about_linear
from tests.measuring import peak_memory
from tests.soundness import flaws

SENTENCE = "The council said that the old bridge, which had been closed, would open again in May. "


def siblings(size: int) -> str:
    return "<p>One, two.</p>" * size


def one_line(size: int) -> str:
    return "<p>" + SENTENCE * size


def unclosed(size: int) -> str:
    return "<div><p>" * size + SENTENCE


def attributes(size: int) -> str:
    return f"<div {' '.join(f'a{number}=b' for number in range(size))}>{SENTENCE}"


def long_attributes(size: int) -> str:
    return f'<div class="{"ad top " * size}"><a href="{"/a?b" * size}">{SENTENCE}'


def nearly_described(size: int) -> str:
    """A title, a description and a declared body that hold nearly, but not quite, each of the texts."""
    said = "the storm came over the sea " * (3 * size)
    body = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{said}"}}</script>'
    texts = "".join(f"<p>the storm came over a sea {number}</p>" for number in range(size))
    return f'<title>{"sea " * size}</title><meta name=description content="{said}">{body}{texts}'


# Below the blocks and elements from which on a page is cut down, and below the size from which on ``default`` builds no
# tree (4 MB): on both sides of them the cost of a byte differs.
PAGES: dict[Callable[[int], str], int] = {
    siblings: 16_000,
    one_line: 24_000,
    unclosed: 24_000,
    attributes: 16_000,
    long_attributes: 300_000,
    nearly_described: 16_000,
}
DEEP = "<div>" * 5000 + f"<p>{SENTENCE * 3}</p>" + "</div>" * 5000
KEEPS_DEEP_TEXT = {
    "default": True,
    "core-content": False,
    "shallow-features": True,
    "site-template": True,
    "key-pattern": True,
    "line-block": True,
}
"""What each segmentation returns 5,000 levels deep: lxml's tree ends at some 250 levels, a parser target does not."""


@pytest.mark.parametrize("make", PAGES)
@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_takes_hostile_pages_in_about_linear_time(name: str, make: Callable[[int], str]) -> None:
    assert flaws(clean(make(PAGES[make] // STEP), recipe=name)) == []
    assert about_linear(lambda html: clean(html, recipe=name), make, PAGES[make])


@pytest.mark.parametrize("largest_tree", [dom.LARGEST_TREE, -1], ids=["from a tree", "in Python"])
@pytest.mark.parametrize("make", PAGES)
def test_so_does_the_default_where_lxml_does_not_show_its_parser(
    make: Callable[[int], str], largest_tree: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_blocks, "read_parsed", lambda source, rules: None)
    monkeypatch.setattr(dom, "LARGEST_TREE", largest_tree)
    assert about_linear(clean, make, PAGES[make])


def test_a_page_beyond_the_largest_tree() -> None:
    assert clean(one_line(1 + dom.LARGEST_TREE // len(SENTENCE))).text.count(SENTENCE.strip()) > 40_000


@pytest.mark.parametrize("name", RECIPES)
def test_a_text_in_many_pieces_is_rendered_in_about_linear_time(name: str) -> None:
    def pieces(size: int) -> Document:
        return clean("<p>" + "Tea &amp;&nbsp;&#99;ake. " * size, recipe=name)

    document = pieces(1000)
    if document.text:
        assert document.markdown.count("Tea & cake") == document.html.count("Tea &amp; cake") == 1000
    assert about_linear(lambda document: (document.markdown, document.html), pieces, 24_000)


def test_a_tree_keeps_the_first_attributes_of_an_element_that_has_too_many() -> None:
    """libxml2 and lxml search attributes one by one: all that work on a tree would take the square of them."""
    slim, plain = (
        parse_tree(
            "<title>T</title><br><script>a < b && c</script><p>1 &lt; 2<div "
            + " ".join(f'a{number}="&quot;{number}"' for number in range(MOST_ATTRIBUTES + more))
            + ">x &amp; y</div><img src=z>w"
        )
        for more in (1, 0)
    )
    wide = slim.find(".//div")
    assert wide is not None
    assert list(wide.attrib.items()) == [(f"a{number}", f'"{number}') for number in range(MOST_ATTRIBUTES)]
    assert [(node.tag, node.text, node.tail) for node in slim.iter()] == [
        (node.tag, node.text, node.tail) for node in plain.iter()
    ]


@pytest.mark.parametrize("name", RECIPES)
def test_text_five_thousand_levels_deep(name: str) -> None:
    page = Page(DEEP)
    get_recipe(name).run_phase("segment", page)
    assert any(SENTENCE.strip() in block.text for block in page.blocks) is KEEPS_DEEP_TEXT[name]


def test_the_default_recipe_keeps_deep_text() -> None:
    assert SENTENCE.strip() in clean(DEEP).text


@pytest.mark.parametrize(
    ("attack", "recipe"),
    [
        ("less-than signs", "key-pattern"),
        ("less-than signs", "site-template"),
        ("bytes of no encoding", "shallow-features"),
        ("opened start tags", "line-block"),
    ],
)
def test_memory_is_a_bounded_multiple_of_the_page(attack: str, recipe: str) -> None:
    """The bar is 400 MB for 9 MB, 44 for each byte; counted by the interpreter, so no other process has a say."""
    victims.load("page", recipe)
    body = attacks()[attack].make(600_000)
    assert peak_memory(lambda: victims.clean_page(body, recipe)) < 42 * len(body)

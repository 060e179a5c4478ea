"""Pages that are made to hurt: every recipe takes them in about linear time. A square would run for minutes here."""

from __future__ import annotations

import pytest

from cleancrawl import Page, clean
from cleancrawl.core.html.dom import MOST_ATTRIBUTES, parse_tree
from cleancrawl.recipes import RECIPES, get_recipe

SENTENCE = "The council said that the old bridge, which had been closed, would open again in May. "
PAGES = {
    "100,000 siblings": "<p>One, two.</p>" * 100_000,
    "one line of 5 MB": "<p>" + SENTENCE * 60_000,
    "50,000 unclosed elements": "<div><p>" * 25_000 + SENTENCE,
    "an element with 50,000 attributes": f"<div {' '.join(f'a{number}=b' for number in range(50_000))}>{SENTENCE}",
    "a description of 4 MB and 40,000 texts that are nearly in it": (
        f'<title>{"sea " * 50_000}</title><meta name=description content="{"the storm came over the sea " * 150_000}">'
        + "".join(f"<p>the storm came over a sea {number}</p>" for number in range(40_000))
    ),
    "an attribute of 5 MB": f'<div class="{"ad top " * 750_000}"><a href="{"/a?b" * 300_000}">{SENTENCE}',
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


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_takes_hostile_pages(name: str, page: str) -> None:
    assert isinstance(clean(PAGES[page], recipe=name).text, str)


@pytest.mark.parametrize("name", RECIPES)
def test_renderings_of_a_text_in_many_pieces(name: str) -> None:
    document = clean("<p>" + "Tea &amp;&nbsp;&#99;ake. " * 25_000, recipe=name)
    if document.text:
        assert document.markdown.count("Tea & cake") == document.html.count("Tea &amp; cake") == 25_000


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

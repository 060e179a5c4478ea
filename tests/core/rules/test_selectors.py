"""Selectors give what parsel gives, in linear time."""

from __future__ import annotations

import parsel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from lxml.html import HtmlElement

from cleancrawl.core.html.dom import parse_tree
from cleancrawl.core.rules import selectors
from cleancrawl.core.rules.selectors import BadSelector, Matcher, compile_selector
from tests.growth import about_linear

SELECTORS = (
    *("p", ".a", "#b", "div p", "div > p", "p + p", "p ~ p", "div div .a", "div > div > p, .b", "p.a:not(.b)"),
    *(".a .b .a", "div p + p", "div ~ p .a", "p:nth-child(2)", "div:has(p)", "*", "p:is(.a, .b)", "[id] > *"),
)
TAGS = ("p", "div", "div class=a", "p class='a b'", "span class=b", "section id=b", "/div", "/p", "/section")


def matched(html: str, *sources: str) -> list[list[HtmlElement]]:
    """The elements of each selector, found as the stage finds them."""
    root = parse_tree(html)
    found = []
    for source in sources:
        matcher = Matcher([compile_selector(source)])
        candidates = matcher.candidates(root)
        elements, level = [], [0, 0, 0, 0]
        stack = [level]
        for event, node in etree.iterwalk(root, events=("start", "end")):
            if event == "end":
                stack.pop()
                level = stack[-1]
                continue
            bits = matcher.matched(candidates.get(node, 0), *level)
            level[2], level[3] = bits, level[3] | bits
            level = [bits, level[1] | bits, 0, 0]
            stack.append(level)
            if matcher.selector(bits) is not None:
                elements.append(node)
        found.append(elements)
        assert elements == [selected.root for selected in parsel.Selector(root=root, type="html").css(source)], source
    return found


@given(st.lists(st.sampled_from(TAGS), max_size=30))
def test_the_elements_are_those_of_parsel(tags: list[str]) -> None:
    matched("".join(f"<{tag}>x" for tag in tags), *SELECTORS)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "Expected selector"),
        ("p[", "Expected"),
        ("p >", "Expected selector"),
        ("p::text", "::text selects no elements"),
        ("a::attr(href)", "::attr selects no elements"),
        ("p:nonsense", "pseudo-class"),
        ("svg|p", "namespace"),
        ("//p", "Expected"),
    ],
)
def test_what_is_no_selector_of_elements_is_refused(source: str, words: str) -> None:
    with pytest.raises(BadSelector) as error:
        compile_selector(source)
    assert words in str(error.value)


def walk(source: str, html: str) -> None:
    matcher = Matcher([compile_selector(source)])
    matcher.candidates(parse_tree(html))


@pytest.mark.parametrize("source", ["p + p", "p ~ p", "div div p", ".none div div div p"])
def test_the_cost_is_linear(source: str) -> None:
    assert about_linear(lambda html: walk(source, html), lambda size: "<div><div><p>x</p></div></div>" * size, 20_000)
    assert about_linear(lambda html: walk(source, html), lambda size: "<p>x</p>" * size, 40_000)


def test_siblings_are_not_counted_on_huge_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    root = parse_tree("<p>a</p><p>b</p>")
    matcher = Matcher([compile_selector("p:nth-child(2)"), compile_selector("p")])
    assert len(matcher.candidates(root)) == 2
    monkeypatch.setattr(selectors, "MOST_COUNTED", 3)
    assert set(matcher.candidates(root).values()) == {2}

"""METHODS A1: blocks of DIV and TD."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Page
from cleancrawl.core.text.words import normalise
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks, DivTdLayout
from tests.growth import about_linear


def segment(html: str) -> Page:
    page = Page(html)
    DivTdBlocks()(page)
    return page


def texts(html: str) -> list[str]:
    return [block.text for block in segment(html).blocks]


def test_a1_nested_blocks_are_taken_out_of_the_outer_one() -> None:
    html = "<body><table><tr><td>outer <div>inner <div>innermost</div> rest</div><p>tail</p></td></tr></table>"
    assert texts(html) == ["outer\ntail", "inner\nrest", "innermost"]


def test_a1_text_directly_in_body_is_a_block() -> None:
    page = segment("<body>loose <b>text</b><div>block</div><p>more</p>")
    assert [(block.tag, block.text) for block in page.blocks] == [("body", "loose text\nmore"), ("div", "block")]


def test_a1_empty_elements_make_no_block() -> None:
    assert texts("<div><div> \n </div><div><img src=a.png></div><div>x</div></div>") == ["x"]


def test_a1_lines_break_at_block_level_tags_only() -> None:
    html = "<div><h2>Head\nline</h2><p>One <i>two</i>\nthree<br>four</p><ul><li>a</li><li>b</li></ul>end</div>"
    assert texts(html) == ["Head line\nOne two three\nfour\na\nb\nend"]


def test_a1_inline_tags_do_not_part_words() -> None:
    assert texts("<div>un<b>bro</b>ken <a href=x>wo</a>rd</div>") == ["unbroken word"]


def test_a1_what_no_reader_sees_is_no_text() -> None:
    html = "<div>a<script>var x = '<div>no</div>'</script>b<style>p{}</style><noscript><div>no</div></noscript>c</div>"
    assert texts(html) == ["abc"]


def test_a1_words_and_link_words_are_counted() -> None:
    page = segment("<div>one <a href=x>two three</a> four</div>")
    (block,) = page.blocks
    assert (block.words, block.link_words) == (4, 2)
    assert page.layout == DivTdLayout(["two three"], ["one   four"], 1)
    assert block.node.tag == "div"


def test_a1_a_block_that_is_all_heading_has_its_tag() -> None:
    page = segment("<div><h2>Title</h2></div><div><h2>Title</h2>and text</div>")
    assert [block.tag for block in page.blocks] == ["h2", "div"]


def test_a1_framesets_and_empty_pages_have_no_blocks() -> None:
    assert texts("") == []
    assert texts("<frameset><frame src=a></frameset>") == []


def test_a1_deep_and_wide_pages_are_one_walk() -> None:
    assert len(texts("<div>x</div>" * 10_000)) == 10_000
    assert len(texts("<td>" + "<a>x<b>" * 1_000)) == 1
    for piece in ("<div>x", "<div>x</div>", "<a>x<b>"):
        assert about_linear(segment, lambda size, piece=piece: piece * size, 16_000), piece


@settings(deadline=None, max_examples=80)
@given(st.lists(st.sampled_from(["<div>", "</div>", "<td>", "<table>", "<p>", "</p>", "<a>", "</a>", "w ", "<h1>"])))
def test_a1_no_word_is_lost_or_doubled(pieces: list[str]) -> None:
    html = "<body>" + "".join(pieces)
    page = segment(html)
    assert sum(block.text.count("w") for block in page.blocks) == html.count("w ")
    assert all(block.text == "\n".join(map(normalise, block.text.split("\n"))) for block in page.blocks)
    assert [block.index for block in page.blocks] == list(range(len(page.blocks)))

"""METHODS E1–E2."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Page
from cleancrawl.methods.line_block.line_blocks import LineBlocks, mark_lines
from tests.growth import about_linear

MARKUP = st.lists(
    st.sampled_from(
        [
            "<p>",
            "</p>",
            "<a href='x>'>",
            "</a>",
            "<!--",
            "-->",
            "<script>",
            "</script>",
            "<",
            ">",
            '="',
            "&amp;",
            "word ",
        ]
    )
    | st.text(max_size=5),
    max_size=40,
).map("".join)


def segment(html: str, **parameters: int) -> Page:
    page = Page(html)
    LineBlocks(**parameters)(page)
    return page


def texts(html: str, **parameters: int) -> list[str]:
    return [block.text for block in segment(html, **parameters).blocks]


def test_e1_head_script_style_and_comments_are_gone_and_the_title_is_read_first() -> None:
    html = "<head><title>The &amp; title</title><meta></head><p>a<script>b</script><style>c</style><!-- <p>d -->e"
    page = segment(html)
    assert page.layout.title == "The & title"
    assert [block.text for block in page.blocks] == ["ae"]


def test_e2_a_block_tag_starts_a_line_and_neighbouring_lines_join() -> None:
    assert texts("<div><p>a</p><p>b <b>c</b></p></div><div><p>d</p></div>") == ["a\nb c", "d"]
    assert texts("<p>a<div><p>b", distance=2) == ["a\nb"]


def test_line_breaks_of_the_source_count_only_where_asked_for() -> None:
    html = "<p>a\nb</p>\n</div>\n<p>c"
    assert texts(html) == ["a b\nc"]
    assert texts(html, source_lines=True) == ["a\nb", "c"]


def test_counts_of_text_tags_and_anchor_text() -> None:
    layout = segment("<p>ab <a href=x>cd</a><br>ef</p>").layout
    assert (layout.text_length, layout.tags, layout.anchor_length) == ([8], [5], [2])


def test_an_anchor_around_block_tags_holds_the_text_of_all_its_lines() -> None:
    layout = segment("<a href=x><div><h3>Card</h3><p>Teaser</p></div></a><p>Text").layout
    assert layout.anchor_length == [10]
    assert layout.text_length == [14]


def test_a_bracket_in_an_attribute_ends_no_tag() -> None:
    assert texts("""<P CLASS="[&>p]:mt-2" data-x='<i>'>a</P>""") == ["a"]


def test_a_single_heading_is_a_heading() -> None:
    assert [block.tag for block in segment("<h1>Head</h1></div><div></div><p>text").blocks] == ["h2", "p"]


@given(MARKUP)
@settings(deadline=None, max_examples=100)
def test_no_tree_is_built_and_nothing_raises(html: str) -> None:
    page = segment(html)
    assert page.has_tree is False
    assert len(page.layout.tags) == len(page.blocks)
    assert all(0 <= a <= t for a, t in zip(page.layout.anchor_length, page.layout.text_length, strict=True))


@pytest.mark.parametrize(
    "piece",
    ["<!--", "<script>", "<svg>", "</script", "<div ", '="', "='>", '=">', "<a ", "<", "&#", "</a", "<p>", "x", "\x01"],
)
def test_a_megabyte_of_anything_unclosed_is_read_in_linear_time(piece: str) -> None:
    # A page with too many elements is cut down, which costs more than its lines: at both sizes, or at none. So does
    # counting them, which is done where there are many brackets.
    size = 3_000_000 if piece in ("<p>", "<!--") else 1_000_000
    assert about_linear(segment, lambda size: piece * (size // len(piece)), size)


def test_one_line_of_five_megabytes_is_one_block() -> None:
    page = segment("<p>" + "word " * 1_000_000)
    assert [block.words for block in page.blocks] == [1_000_000]


def test_depth_means_nothing_to_lines() -> None:
    assert texts("<div>" * 5000 + "deep text" + "</div>" * 5000) == ["deep text"]


def test_unclosed_elements_other_than_raw_text_hide_nothing() -> None:
    assert [line.text for line in mark_lines("<svg><p>kept")] == ["kept"]

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks


def segment(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def texts(html: str) -> list[str]:
    return [block.text for block in segment(html).blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><b>foo</b>bar</p>", ["foobar"]),
        ("<p>foo <b>bar</b></p>", ["foo bar"]),
        ("<p><b>foo</b> <i>bar</i></p>", ["foo bar"]),
        ("<ul><li>a1</li><li>b1</li></ul>", ["a1", "b1"]),
        ("<div>one<p>two</p>three</div>", ["one", "two", "three"]),
        ("<p>one<br>two</p>", ["one\ntwo"]),
        ("<p>one<br>\n<br/>two</p>", ["one", "two"]),
        ("<p>one<br><br><br>two<br></p>", ["one", "two"]),
        ("<p>a &amp; b&nbsp;&nbsp;c</p>", ["a & b c"]),
        ("<pre>\n  x = 1\n    y = 2  \n</pre>", ["  x = 1\n    y = 2"]),
        ("<table><tr><td>one</td><th>two</th></tr></table>", ["one", "two"]),
        ("<figure><img><figcaption>A cat</figcaption></figure>", ["A cat"]),
        ("<p>a<script>var x</script>b<style>p{}</style>c<SVG><text>d</text></SVG></p>", ["abc"]),
        ("<p>seen <span style='display: none'>un<b>seen</b></span>text</p>", ["seen text"]),
        ("<p>seen <a hidden>unseen</a>text</p>", ["seen text"]),
        ("<select><option>one</select><textarea>two</textarea><noscript><p>three</p></noscript>", []),
        ("<p>•</p><p> | </p><p>...</p><p>7</p>", ["7"]),
        ("<p>مرحبا <b>بالعالم</b></p><p>北京<b>欢迎</b>你</p>", ["مرحبا بالعالم", "北京欢迎你"]),
        ("text alone", ["text alone"]),
        ("", []),
        ("<title>only a title</title>", []),
    ],
)
def test_texts(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


def test_words_links_and_tags() -> None:
    blocks = segment("<h1>A <a href=x>b c</a></h1><ul><li><a>d</a> e f</ul><p>北京 x</p>").blocks
    assert [(block.tag, block.words, block.link_words) for block in blocks] == [("h1", 3, 2), ("li", 3, 1), ("p", 3, 0)]
    assert [block.index for block in blocks] == [0, 1, 2]


def test_head_comes_with_the_same_pass() -> None:
    page = segment(
        '<html lang="pt-BR"><head><title>T &lt; U</title><meta name="Author" content="A"><link rel=canonical href=/c>'
        '<script type="application/ld+json">{"a": 1}</script><script>no()</script></head><body><p>x</p></body></html>'
    )
    assert (page.title, page.language) == ("T < U", "pt")
    assert page.head.meta == [("author", "A")]
    assert page.head.links == [("canonical", "/c", "")]
    assert page.head.json_ld == ['{"a": 1}']
    assert not page.has_tree


def test_head_equals_the_stand_alone_scan() -> None:
    html = (
        '<html xml:lang="fr"><head><base href="/b/"><title>One</title><meta property="og:title" content="O"></head>'
        '<body><svg><title>icon</title></svg><p>x<script type="application/ld+json">[]</script></p></body></html>'
    )
    page = segment(html)
    assert page.head == Page(html).head


def test_layout_ranges_and_ancestors() -> None:
    page = segment("<body><div><p>a1</p><p>b1</p></div><div class='comments'><p>c1</p></div></body>")
    layout = page.layout
    paragraphs = layout.container
    assert layout.path[paragraphs].tolist()[0] == layout.path[paragraphs].tolist()[2]
    assert layout.class_path[paragraphs].tolist()[0] != layout.class_path[paragraphs].tolist()[2]
    parents = layout.parent[paragraphs]
    assert [(int(layout.first_block[c]), int(layout.end_block[c])) for c in parents] == [(0, 2), (0, 2), (2, 3)]
    assert (layout.parent[1:] < range(1, len(layout.parent))).all()


def test_a_paragraph_that_screen_readers_pass_over_is_seen() -> None:
    page = segment("<p>a1</p><p aria-hidden=true>b1</p><div aria-hidden=true>c1</div><p aria-hidden=true hidden>d1</p>")
    hidden = page.layout.hidden[page.layout.container]
    assert (hidden > 0).tolist() == [False, False, True, True]


def test_hidden_containers_are_marked_not_dropped() -> None:
    page = segment("<p>a1</p><div hidden><p>b1</p><div aria-hidden=true>c1</div></div><p style='visibility:hidden'>d1")
    hidden = page.layout.hidden[page.layout.container]
    assert (hidden > 0).tolist() == [False, True, True, True]
    assert hidden[1] == hidden[2]


def test_dialogs_are_hidden_until_they_are_opened() -> None:
    page = segment("<p>a1</p><dialog><p>b1</p></dialog><dialog open><p>c1</p></dialog>")
    assert (page.layout.hidden[page.layout.container] > 0).tolist() == [False, True, False]


def test_deep_nesting_keeps_its_text() -> None:
    for depth in (300, 1500):
        assert texts("<div>" * depth + "bottom" + "</div>" * depth + "<p>after</p>") == ["bottom", "after"]


def test_hostile_pages_are_cut_too() -> None:
    assert len(texts("<p>word" * 20_000)) == 20_000
    assert len(texts("<div>" * 10_000 + "x1")) <= 1
    assert len(texts("x" * 5_000_000)[0]) == 5_000_000
    assert texts("<a>" * 5_000 + "text")


PIECES = (
    *"<div> </div> <p> </p> <b> </b> <br> <td> </table> <pre> <script> </script> <title> </title> </span>".split(),
    *"<!-- --> < & x1 <svg> </svg> </body> <select> \x00 \ud800 <form><form> <h1 </a>".split(),
    *("<a href=x>", "<span hidden>", "<html lang=de>", " "),
)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_markup_gives_a_sound_layout(pieces: list[str]) -> None:
    page = segment("".join(pieces))
    layout = page.layout
    assert len(layout.container) == len(page.blocks)
    assert (layout.first_block <= layout.end_block).all()
    assert (layout.end_block <= len(page.blocks)).all()
    for index, container in enumerate(layout.container.tolist()):
        assert layout.first_block[container] <= index < layout.end_block[container]
    assert all(block.text == block.text.strip("\n") and block.text for block in page.blocks)


@pytest.mark.parametrize("tag", ["noscript", "video", "NOSCRIPT", "map", "template"])
def test_an_element_left_open_does_not_swallow_the_page(tag: str) -> None:
    story = "".join(f"<p>Paragraph {number} of a story that readers see.</p>" for number in range(40))
    page = segment(f"<h1>Head</h1><{tag}><div>{story}</div><footer>End</footer>")
    assert [block.text for block in page.blocks][:2] == ["Head", "Paragraph 0 of a story that readers see."]
    assert len(page.blocks) == 42


def test_a_notice_for_browsers_without_scripts_is_no_text() -> None:
    page = segment(f"<noscript>{'Turn on JavaScript. ' * 20}</noscript><p>Text</p>")
    assert [block.text for block in page.blocks] == ["Text"]

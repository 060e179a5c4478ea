from __future__ import annotations

import pytest

from tests.core.render.soup import assert_clean, document

PAGES = [
    # (source, text, Markdown, HTML)
    ("<h1>A <b>b</b></h1>", "A b", "# A **b**", "<h1>A <strong>b</strong></h1>"),
    ("<p><b>foo</b>bar</p>", "foobar", "**foo**bar", "<p><strong>foo</strong>bar</p>"),
    ("<p><b>foo </b>bar</p>", "foo bar", "**foo** bar", "<p><strong>foo</strong> bar</p>"),
    ("<p><b>fo</b><b>o</b></p>", "foo", "**foo**", "<p><strong>foo</strong></p>"),
    ("<p><b><b>foo</b></b> <i></i>x</p>", "foo x", "**foo** x", "<p><strong>foo</strong> x</p>"),
    ("<p>a<b>“b”</b>c</p>", "a“b”c", "a“b”c", "<p>a<strong>“b”</strong>c</p>"),
    ("<p>fo<wbr>o&shy;b&#8203;ar&nbsp; &amp; x</p>", "foobar & x", "foobar & x", "<p>foobar &amp; x</p>"),
    ("<p>one<br>two</p>", "one\ntwo", "one\\\ntwo", "<p>one<br/>two</p>"),
    ("<p>one<br><br>two<br></p>", "one\ntwo", "one\n\ntwo", "<p>one</p>\n<p>two</p>"),
    ("<h2>one<br>two #</h2>", "one\ntwo #", "## one two \\#", "<h2>one<br/>two #</h2>"),
    ("<ul><li>a1</li><li>b1</li></ul>", "a1\nb1", "- a1\n- b1", "<ul><li>a1</li><li>b1</li></ul>"),
    (
        "<ul><li>a1<ol start=4><li>b1<li>c1</ol></li><li>d1</li></ul>",
        "a1\nb1\nc1\nd1",
        "- a1\n\n  4. b1\n  5. c1\n- d1",
        '<ul><li>a1<ol start="4"><li>b1</li><li>c1</li></ol></li><li>d1</li></ul>',
    ),
    (
        "<ul><li>a1</li><ul><li>b1</li></ul></ul><ul><li>c1</li></ul>",
        "a1\nb1\nc1",
        "- a1\n  - b1\n\n* c1",
        "<ul><li>a1<ul><li>b1</li></ul></li></ul>\n<ul><li>c1</li></ul>",
    ),
    (
        "<ul><li><p>a1</p><p>b1</p></li><li>c1</li></ul>",
        "a1\nb1\nc1",
        "- a1\n\n  b1\n\n- c1",
        "<ul><li><p>a1</p><p>b1</p></li><li>c1</li></ul>",
    ),
    ("<li>a1</li><li>b1</li><p>c1</p>", "a1\nb1\nc1", "- a1\n- b1\n\nc1", "<ul><li>a1</li><li>b1</li></ul>\n<p>c1</p>"),
    (
        "<dl><dt>Term</dt><dd>What it is</dd></dl>",
        "Term\nWhat it is",
        "**Term**\n\nWhat it is",
        "<dl><dt>Term</dt><dd>What it is</dd></dl>",
    ),
    (
        "<blockquote><p>a1</p><ul><li>b1</ul></blockquote>",
        "a1\nb1",
        "> a1\n>\n> - b1",
        "<blockquote><p>a1</p><ul><li>b1</li></ul></blockquote>",
    ),
    ("<pre>\n  x = 1\n\n\ty *= 2 &lt; ```\n</pre>", None, "````\n  x = 1\n\n\ty *= 2 < ```\n````", None),
    (
        "<pre><div>a = 1</div><div>b = 2</div></pre>",
        "a = 1\nb = 2",
        "```\na = 1\nb = 2\n```",
        "<pre>a = 1\nb = 2</pre>",
    ),
    (
        "<p>Call <code>f(`x`)</code> now</p>",
        None,
        "Call ``f(`x`)`` now",
        None,
    ),
    (
        "<table><caption>Sizes</caption><tr><th>Name<th>m<tr><td>A|B<td>1<tr><td><td>2</table>",
        "Sizes\nName\tm\nA|B\t1\n2",
        "Sizes\n\n| Name | m |\n| --- | --- |\n| A\\|B | 1 |\n|  | 2 |",
        "<table><caption>Sizes</caption><tr><th>Name</th><th>m</th></tr><tr><td>A|B</td><td>1</td></tr>"
        "<tr><td></td><td>2</td></tr></table>",
    ),
    (
        "<table><thead><tr><td colspan=2>Both<td>c1</thead><tbody><tr><td>1<td>2<td>3</table>",
        "Both\tc1\n1\t2\t3",
        "| Both |  | c1 |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
        '<table><tr><th colspan="2">Both</th><th>c1</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    ),
    (
        "<table role=presentation><tr><td>a1<td>b1<tr><td>c1<td>d1</table>",
        None,
        "a1\n\nb1\n\nc1\n\nd1",
        "<p>a1</p>\n<p>b1</p>\n<p>c1</p>\n<p>d1</p>",
    ),
    (
        "<table><tr><td><h2>a1</h2><p>b1<td><p>c1</table>",
        "a1\nb1\nc1",
        "## a1\n\nb1\n\nc1",
        "<h2>a1</h2>\n<p>b1</p>\n<p>c1</p>",
    ),
    (
        "<p>a <a href='/x (1)' onclick='y()' style=z>b <i>c</i></a>d</p>",
        "a b cd",
        "a [b *c*](https://e.org/x%20%281%29)d",
        '<p>a <a href="https://e.org/x%20(1)">b <em>c</em></a>d</p>',
    ),
    (
        "<p>Wow!<a href=b>c</a></p>",
        "Wow!c",
        "Wow\\![c](https://e.org/a/b)",
        '<p>Wow!<a href="https://e.org/a/b">c</a></p>',
    ),
    ("<p><a href=' java\nscript:alert(1)'>a1</a></p>", "a1", "a1", "<p>a1</p>"),
    ("<p><a href='data:text/html,x'>a1</a> <a>b</a></p>", "a1 b", "a1 b", "<p>a1 b</p>"),
    (
        "<a href=/x><h3>a1</h3><p>b1</p></a>",
        "a1\nb1",
        "### [a1](https://e.org/x)\n\n[b1](https://e.org/x)",
        '<h3><a href="https://e.org/x">a1</a></h3>\n<p><a href="https://e.org/x">b1</a></p>',
    ),
    (
        "<p>a1</p><figure><img src=i.png alt='A \"cat\"'><figcaption>By <b>me</b></figcaption></figure><p>b1</p>",
        "a1\nBy me\nb1",
        'a1\n\n![A "cat"](https://e.org/a/i.png)\n\nBy **me**\n\nb1',
        '<p>a1</p>\n<figure><img src="https://e.org/a/i.png" alt="A &quot;cat&quot;"/>'
        "<figcaption>By <strong>me</strong></figcaption></figure>\n<p>b1</p>",
    ),
    (
        "<p>a1</p><div><img src=data:x data-src=/i.png alt=I></div><img src=/i.png><img src=/t.gif width=1><p>b1</p>",
        "a1\nb1",
        "a1\n\n![I](https://e.org/i.png)\n\nb1",
        '<p>a1</p>\n<p><img src="https://e.org/i.png" alt="I"/></p>\n<p>b1</p>',
    ),
    (
        "<p>1. one</p><p># two</p><p>- three</p><p>*a* _b_ c_d [e](f) `g` ~~h~~ <</p>",
        None,
        "1\\. one\n\n\\# two\n\n\\- three\n\n\\*a\\* \\_b\\_ c_d \\[e\\](f) \\`g\\` \\~\\~h\\~\\~ <",
        None,
    ),
    ("<p>x<sup>2</sup> <q>b</q> <u>c</u></p>", "x2 b c", "x2 b c", "<p>x<sup>2</sup> <q>b</q> c</p>"),
    ("<p>a1<script>x()</script><span hidden>no</span><svg><text>no</text></svg></p>", "a1", "a1", "<p>a1</p>"),
    ("<p>مرحبا <b>بالعالم</b></p>", "مرحبا بالعالم", "مرحبا **بالعالم**", "<p>مرحبا <strong>بالعالم</strong></p>"),
    ("<p>北京<b>欢迎</b>你</p>", "北京欢迎你", "北京**欢迎**你", "<p>北京<strong>欢迎</strong>你</p>"),
    ("<details><summary>More</summary>text</details>", "More\ntext", "More\n\ntext", "<p>More</p>\n<p>text</p>"),
    ("<h2><div>a1</div>b1</h2>", "a1\nb1", "## a1\n\n## b1", "<h2>a1</h2>\n<h2>b1</h2>"),
    ("<p>•</p>", "", "", ""),
    ("", "", "", ""),
]


@pytest.mark.parametrize(("source", "text", "markdown", "html"), PAGES, ids=[page[0][:40] for page in PAGES])
def test_renderings(source: str, text: str | None, markdown: str, html: str | None) -> None:
    cleaned = document(source)
    assert cleaned.markdown == markdown
    if text is not None:
        assert cleaned.text == text
    if html is not None:
        assert cleaned.html == html
    assert_clean(cleaned.html)


def test_removed_blocks_leave_nothing() -> None:
    source = "<p>a1<ul><li>b1<li>c1<img src=/c.png></ul><table><tr><th>d1<th>e1<tr><td>f1<td>g1</table><p>h1"
    cleaned = document(source)
    for block in cleaned.blocks:
        if block.text in ("b1", "c1", "f1", "h1"):
            block.remove("score", "low")
    assert cleaned.markdown == "a1\n\n| d1 | e1 |\n| --- | --- |\n|  | g1 |"
    assert cleaned.html == "<p>a1</p>\n<table><tr><th>d1</th><th>e1</th></tr><tr><td></td><td>g1</td></tr></table>"


def test_images_stay_only_where_their_surroundings_do() -> None:
    source = (
        "<p>a1</p><figure><img src=/1.png><figcaption>b1</figcaption></figure><p>c1</p>"
        "<img src=/2.png><p>d1</p><figure><img src=/3.png></figure><p>e1</p>"
    )
    cleaned = document(source)
    for index in (1, 3):
        cleaned.blocks[index].remove("score", "low")
    assert [name for name in ("1.png", "2.png", "3.png") if name in cleaned.html] == ["1.png"]


def test_a_block_whose_text_was_cut_comes_out_as_it_is_now() -> None:
    cleaned = document("<p>A <b>long</b> text. Read more</p>")
    cleaned.blocks[0].text = "A long text."
    assert cleaned.markdown == "A long text."


def test_addresses_without_a_page_address_stay_relative() -> None:
    cleaned = document("<p><a href=/x>a1</a></p>", url=None)
    assert cleaned.html == '<p><a href="/x">a1</a></p>'
    assert (
        document("<base href=https://b.org/y/><p><a href=x>a1</a></p>", url=None).markdown == "[a1](https://b.org/y/x)"
    )

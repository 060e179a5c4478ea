"""Text blocks are read from the parser's events, in Python or compiled, and from lxml's tree. All see the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import tostring

from cleancrawl.core.html import dom
from cleancrawl.core.html.dom import LARGEST_TREE, MOST_ATTRIBUTES, fits_tree, parse_source
from cleancrawl.core.html.head import source_bytes
from cleancrawl.core.native import compiled, why_not
from cleancrawl.core.page import Page
from cleancrawl.core.rules.attributes import AttributeRules
from cleancrawl.core.segmentation import readings, text_blocks
from cleancrawl.core.segmentation.readings import Reading, read_events, read_parsed, read_tree
from cleancrawl.core.segmentation.text_blocks import TextBlocks, read_source

pytestmark = pytest.mark.skipif(
    compiled("segmentation") is None, reason=f"compiled part segmentation: {why_not('segmentation')}"
)
SITE = Path(__file__).parents[2] / "site"
RULES = AttributeRules()

ODD = {
    "nothing": "",
    "white space": " \n\t ",
    "text alone": "just text",
    "a comment alone": "<!-- nothing -->",
    "text around a comment": "<p>One<!-- two -->three <b>fo</b>ur</p>",
    "entities in a link": "<p><a href='/x'>AT&amp;T &lt;now&gt; &nbsp; and&#160;then</a> more</p>",
    "lines": "<p>One<br>two<br/><br>three <br> four</p><pre>\n  if x:\n\ty<br>z\n</pre>",
    "lists": "<ul><li>a<li>b<ul><li>c</ul></ul>",
    "hidden": "<div hidden>One two</div><p>See <span style='DISPLAY : none'>not this</span> that</p>"
    "<div style='visibility:hidden'><p>three four</div><p aria-hidden=true>five six</p><i aria-hidden='false'>ok</i>",
    "a hidden link": "<p>One <a href='https://x.com/a' hidden>two</a> <a href='https://x.com/b'>three</a> four</p>",
    "streamed": "<div hidden id='S:1'><p>Streamed text</p></div>",
    "dialogs": "<dialog><p>Closed box</p></dialog><dialog open><p>Open box</p></dialog>",
    "social links": "<p><a href='https://www.facebook.com/sharer'>Share this</a> <a href='whatsapp://send'>it</a></p>"
    "<p><a href='https://buffer.com/about'>About</a> <a href='https://buffer.com/add?u'>Add</a></p><a href=''>x1</a>",
    "advertisements": "<div class='ad-slot banner' data-ad-slot='3'><p>Buy this now</p></div><p id=google_ads_x>y1</p>",
    "embedded advertisements": "<div><iframe src='//ad.doubleclick.net/x' width=300 height=200></iframe>An ad</div>"
    "<div><a href='https://shop.example/x'><img width='468 ' height=60px src=/a.png></a>Label</div>"
    "<div><img width=468 height=60 src=/a.png>Caption</div><div><ins class=adsbygoogle style='Width:9px'>x1</ins></div>"
    "<div style='WIDTH: 728px;height :90px'>Sized</div><div style='width:728px' height=90>Half sized</div>"
    "<section><script src='https://cdn.taboola.com/l.js'></script>More</section><aside><amp-ad></amp-ad>Ad</aside>"
    "<div><iframe width=600 height=75></iframe>Flexible</div><p><a href=https://ad.doubleclick.net/c>Buy now</a></p>"
    "<div><img data-src='//awin1.com/p.gif'>Bought through</div><div><object data='//adnxs.com/x'></object>Old</div>"
    "<div><iframe id=google_ads width=1 height=9999999></iframe>By name</div><div><img class='ad-image'>Is ad</div>",
    "names": "<div class='postBody HTMLText col-2 älter'><p id=comments role=main itemprop=articleBody>Text</p></div>",
    "long names": f"<div class='{'entry content ' * 60}'>Some text</div><p class='{'x' * 100}'>more text</p>",
    "head": "<html lang=de-AT><head><title> A &amp; B </title><meta property='og:type' content=article>"
    "<link rel=Canonical href=' /x '><base href=/b><script type='application/ld+json'>{\"a\": 1}</script>"
    "<script type=text/javascript>if (a<b) {}</script><title>Second</title></head><body class=x>Text here",
    "svg title": "<p>One</p><svg><title>Icon</title><text>Two</text></svg><p>Three</p>",
    "swallowed": "<p>Short</p><noscript>" + "<p>Long hidden text of the page.</p>" * 60,
    "skipped in skipped": "<select><option>a<option>b</select><noscript><script>x</script><p>No script</p></noscript>",
    "misnested": "<p>One <b>two <i>three</b> four</i> five</p><a href=/x>six<div>seven</a></div>",
    "two bodies": "<body class=a><p>One</p><body class=b><p>Two</p></html><p>Three</p>",
    "tables": "<table><tr><td>a1<td>b1<tr><th>c1</table><table><p>foster</p></table>",
    "signs": "<p>***</p><p>?!</p><p>©</p><p>a</p><p>…</p>",
    "scripts": "<p>北京の天気 2026</p><p>می\u200cخواهم</p><p>Donau\u00addampf\u200bschiff</p><p>\u2003 \u00a0</p>😀 ok",
    "surrogates and zeros": "<p>a\ud800b\x00c\x0bd\x1ce</p>",
    "a stray line sign": "<p>one\ue0fetwo</p>",
    "unclosed": "<p class='a<div>text</p><p title=\"never closed>text",
    "plaintext": "<p>a1</p><plaintext><p>b1</p>",
    "foreign names": "<fb:like xml:lang=fr>One</fb:like><o:p>Two</o:p><html xml:lang=pt><p>Três</p>",
    "frames": "<frameset><frame src=x><noframes><p>Text</p></noframes></frameset>",
    "deep": "<div>" * 1800 + "core text" + "</div>" * 1800,
    "deep and bold": "<b><p>" * 400 + "core text",
    "many": "<p>text</p>" * 3000,
    "no end": "<p>text <!-- no end",
}


def assert_equal(one: Reading, other: Reading) -> None:
    assert one.texts == other.texts
    assert one.head == other.head
    assert one.unseen == other.unseen
    for left, right in ((one.layout, other.layout), (one.layout.measures, other.layout.measures)):
        for column in fields(left):
            if column.name != "measures":
                np.testing.assert_equal(getattr(left, column.name), getattr(right, column.name), err_msg=column.name)


def assert_same(html: str) -> None:
    source = source_bytes(html)
    events = read_events(source, RULES)
    root = parse_source(source)
    if root is None:
        assert not events.texts
    else:
        tree = read_tree(root, RULES)
        assert tree is not None
        assert_equal(events, tree)
    if compiled("parser_events"):
        parsed = read_parsed(source, RULES)
        assert parsed is not None
        assert_equal(events, parsed)


@pytest.mark.parametrize("html", ODD.values(), ids=ODD.keys())
def test_on_odd_markup(html: str) -> None:
    assert_same(html)


@pytest.mark.parametrize("path", sorted(SITE.rglob("*.html")), ids=lambda path: path.stem)
def test_on_the_sample_pages(path: Path) -> None:
    assert_same(path.read_text("utf-8", "replace"))


TAGS = (
    "p",
    "div",
    "b",
    "a",
    "span",
    "li",
    "ul",
    "br",
    "pre",
    "td",
    "table",
    "title",
    "script",
    "noscript",
    "img",
    "h1",
)
ATTRIBUTES = (
    *("", " class='entry content'", " hidden", " style='display:none'", " id=comments", " href='https://x.com/a'"),
    *(" href=/b", " aria-hidden=true", " class=adBox data-x", " class='postBody'", " type=application/ld+json"),
)
PIECES = st.one_of(
    st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(
        (
            "text",
            " ",
            "\n",
            "word, word.",
            "&amp;",
            "&nbsp;",
            "<!-- c -->",
            "ü",
            "北京",
            "\u200b",
            "<",
            "&#x2003;",
            "it’s –",
            "é\u00a0",
            "ไทย",
            "👍🏽",
            "\x97",
        )
    ),
    st.text(max_size=12),
)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_on_any_markup(html: str) -> None:
    assert_same(html)


@pytest.mark.parametrize(
    "html",
    [
        *("<p>a</p>", "", "<", "<p", "<p a=1 b=2 c>x", "<a b='>' c=\">\" d=>", "<a/b/c/d/e>", "<!-- <a b c d> -->x"),
        *(
            "<script>if (a<b c d e f g) {}</script>",
            "<title><a b c d></title>",
            "<a b = c d = 'e f g' >",
            "<a =b ==c d>",
        ),
        *(
            "</a b c d e f>",
            "<!DOCTYPE a b c d e>",
            "<A B C D E>",
            "<a b\nc\td\x0ce>",
            "<a b=c/d e=f>",
            "<style>a<b c d e</style>",
        ),
    ],
)
@pytest.mark.parametrize("limit", [0, 1, 2, 3, 4])
def test_wide_elements_are_seen_by_both(html: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    part = compiled("start_tags")
    assert part is not None
    monkeypatch.setattr(dom, "MOST_ATTRIBUTES", limit)
    monkeypatch.setattr(dom, "_compiled", None)
    assert part.is_wide(html.encode(), limit) == dom.is_wide(html.encode())


def hide_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "read_parsed", lambda source, rules: None)


def test_where_lxml_does_not_show_its_parser_a_tree_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_the_parser(monkeypatch)
    monkeypatch.setattr(text_blocks, "read_events", None)
    assert read_source("<p>Some text here</p>", RULES).texts == ["Some text here"]


def test_a_wide_element_is_read_without_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_the_parser(monkeypatch)
    html = "<p " + " ".join(f"a{number}=x" for number in range(MOST_ATTRIBUTES + 1)) + ">Some text here</p>"
    monkeypatch.setattr(text_blocks, "read_tree", None)
    assert read_source(html, RULES).texts == ["Some text here"]


def test_a_large_page_is_read_without_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_the_parser(monkeypatch)
    html = "<p>Some text here</p>" + " " * LARGEST_TREE
    assert not fits_tree(html.encode())
    monkeypatch.setattr(text_blocks, "read_tree", None)
    assert read_source(html, RULES).texts == ["Some text here"]


@pytest.mark.parametrize("depth", [1950, 2040, 2100, 5000])
def test_what_is_too_deep_for_a_tree_is_not_cut_off(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<p>Before it</p>" + "<div>" * depth + "<p>Core text</p>" + "</div>" * depth + "<p>After it</p>"
    root = parse_source(html.encode())
    assert root is None or read_tree(root, RULES) is None
    assert_equal(read_source(html, RULES), read_events(html.encode(), RULES))
    hide_the_parser(monkeypatch)
    assert read_source(html, RULES).texts == ["Before it", "Core text", "After it"]


def test_a_tree_that_is_there_is_read_once_and_not_changed() -> None:
    page = Page("<p>From the source</p>")
    tree = Page("<p>From the tree</p>").tree
    before = tostring(tree)
    page.borrow = lambda: tree
    TextBlocks()(page)
    assert [block.text for block in page.blocks] == ["From the tree"]
    assert tostring(tree) == before
    assert page.borrow is None


def test_without_a_tree_to_borrow_the_source_is_read() -> None:
    page = Page("<p>From the source</p>")
    page.borrow = lambda: None
    TextBlocks()(page)
    assert [block.text for block in page.blocks] == ["From the source"]


@pytest.mark.parametrize("kind", ["block", "measure", "container"])
def test_a_column_that_is_declared_and_not_filled_is_refused(kind: str) -> None:
    part, given = compiled("walk_setup"), readings._given()
    assert part is not None
    part.Setup(**given)
    columns = given["columns"]
    for changed in ({**columns[kind], "mood": 0}, dict(list(columns[kind].items())[1:])):
        with pytest.raises(ValueError, match=r"not fill|No value"):
            part.Setup(**{**given, "columns": {**columns, kind: changed}})


@pytest.mark.parametrize(
    "without_tree",
    [
        "etree._Element()",
        "etree._Comment()",
        "HtmlElement.__new__(HtmlElement)",
        "None",
        "'<p>text'",
        "etree.ElementTree(etree.Element('p'))",
    ],
)
def test_what_is_no_tree_is_refused(without_tree: str) -> None:
    """In a process of its own: it used to crash."""
    code = (
        "from lxml import etree\nfrom lxml.html import HtmlElement\n"
        "from cleancrawl.core.rules.attributes import AttributeRules\n"
        "from cleancrawl.core.segmentation.readings import read_tree\n"
        f"try:\n    read_tree({without_tree}, AttributeRules())\n"
        "except (TypeError, ValueError):\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "refused\n")


@pytest.mark.parametrize(("part", "given"), [("tree_events", "fromstring('<p>text')"), ("parser_events", "b'<p>text'")])
def test_a_target_that_was_not_set_up_is_refused(part: str, given: str) -> None:
    if compiled(part) is None:
        pytest.skip(f"compiled part {part}: {why_not(part)}")
    code = (
        "from cleancrawl.core.native.segmentation import Segmentation\nfrom lxml.html import fromstring\n"
        f"from cleancrawl.core.native.{part} import send\n"
        f"try:\n    send({given}, Segmentation.__new__(Segmentation))\n"
        "except ValueError:\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "refused\n")


class Failing(AttributeRules):
    """Rules that cannot be asked."""

    def hit(self, tag: str, attrs: Mapping[str, str], site: str = "") -> None:
        raise KeyError(tag)


def test_what_is_raised_while_the_parser_reads_comes_out() -> None:
    if compiled("parser_events") is None:
        pytest.skip(why_not("parser_events"))
    source = b"<p>Before it</p><div class='ad-slot'>Buy this</div><p>After it</p><section class='ads'>More</section>"
    for _ in range(2):
        with pytest.raises(KeyError, match="div"):
            read_parsed(source, Failing())
    assert read_source(source.decode(), RULES).texts[-1] == "More"


def test_threads_read_without_disturbing_each_other() -> None:
    pages = [f"<div class='ad-slot n{number}'>" + f"<p>Text {number}</p>" * 200 for number in range(40)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda html: read_source(html, RULES).texts, pages))
    assert found == [[f"Text {number}"] * 200 for number in range(40)]

"""Pages made of scraps, and what may come out of them."""

from __future__ import annotations

from hypothesis import strategies as st
from lxml import etree

from cleancrawl.core.document import Document
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks

ALLOWED: dict[str, set[str]] = {
    **{tag: set() for tag in ("h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "li", "dl", "dt", "dd", "blockquote")},
    **{tag: set() for tag in ("table", "caption", "tr", "figure", "figcaption", "br")},
    **{tag: set() for tag in ("strong", "em", "code", "del", "sub", "sup", "mark", "q", "cite")},
    **{tag: {"colspan", "rowspan"} for tag in ("td", "th")},
    "ol": {"start"},
    "pre": {"class"},
    "a": {"href"},
    "img": {"src", "alt"},
    "abbr": {"title"},
    "time": {"datetime"},
}
SAFE_STARTS = ("http://", "https://", "mailto:", "tel:", "ftp://")

_TAGS = (
    *(
        "div",
        "p",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tr",
        "td",
        "th",
        "caption",
        "pre",
        "blockquote",
    ),
    *(
        "figure",
        "figcaption",
        "h1",
        "h3",
        "b",
        "i",
        "em",
        "code",
        "del",
        "sub",
        "q",
        "span",
        "section",
        "details",
        "summary",
    ),
    *("script", "style", "svg", "title", "select", "button", "center", "menu"),
)
SCRAPS: tuple[str, ...] = (
    *(f"<{tag}>" for tag in _TAGS),
    *(f"</{tag}>" for tag in _TAGS),
    *(
        "<br>",
        "<hr>",
        " ",
        "\n",
        "<img src=a.png alt='a \"b\"' onerror=x()>",
        "<img src=data:image/png;x>",
        "<img src=/p width=1>",
    ),
    *(
        "<a href=/x?a=1&b=2 onclick=y()>",
        "<a href='java&#10;script:alert(1)'>",
        "<a href=data:text/html,x>",
        "<a href='(b) [c]'>",
    ),
    *("</a>", "<abbr title='<x>'>", "</abbr>", "<span hidden>", "<td colspan=3>", "<td colspan=x>", "<ol start=7>"),
    *(
        "<p style='x' onmouseover='z()'>",
        "<table role=presentation>",
        "<!-- c -->",
        "&lt;b&gt;",
        "&amp;amp;",
        "\x01",
        "\x00",
    ),
    *(
        "word",
        "two words",
        "1. one",
        "# two",
        "- three",
        "> four",
        "*a*",
        "_b_",
        "[c](d)",
        "`e`",
        "|",
        "---",
        "===",
        "!",
        "~~f~~",
    ),
    *("foo", "bar.", "“q”", "北京", "مرحبا", "\ud800", "\u00ad", "\ufffe", "\\", "<", "&", "```"),
)
soups = st.lists(st.sampled_from(SCRAPS), max_size=60).map("".join)


def document(html: str, url: str | None = "https://e.org/a/") -> Document:
    """A document of all blocks of a page."""
    page = Page(html, url)
    TextBlocks()(page)
    return Document(page, "all")


def parse_fragment(html: str) -> etree._Element:
    """The fragment as XML; raises where it is not well-formed."""
    return etree.fromstring(f"<root>{html}</root>", etree.XMLParser(recover=False, huge_tree=True))


def assert_clean(html: str) -> None:
    """Well-formed, and nothing but allowed elements and attributes with safe addresses."""
    for element in parse_fragment(html).iterdescendants():
        assert isinstance(element.tag, str)
        assert set(element.attrib) <= ALLOWED[element.tag], etree.tostring(element)
        for name in ("href", "src"):
            assert element.get(name, "https://").startswith(SAFE_STARTS)


def squeezed(text: str) -> str:
    return "".join(text.split())

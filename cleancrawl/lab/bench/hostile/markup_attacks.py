"""Pages with too much markup: many, deep, unclosed, wide."""

from __future__ import annotations

from functools import partial

from cleancrawl.lab.bench.hostile.attack_table import again_and_again, attack, numbered

SENTENCE = "The council said that the old bridge, which had been closed, would open again in May. "
ARTICLE = f"<article><h1>The bridge</h1>{f'<p>{SENTENCE * 3}</p>' * 8}</article>"

_PIECES = {
    "tiny paragraphs": "<p>a</p>",
    "tiny unclosed paragraphs": "<p>a",
    "tiny paragraphs around text": f"<p>a</p>{'<p>b</p>' * 40}<p>{SENTENCE}</p>",
    "equal sentences": f"<p>{SENTENCE}</p>",
    "empty elements": "<div></div>",
    "unclosed blocks": "<div>",
    "unclosed blocks with text": "<div>a ",
    "unclosed inline tags": "<b>a ",
    "unclosed links": "<a href=/x>a ",
    "misnested tags": "<b><p><i>a</b></p></i>",
    "line breaks": "a<br>",
    "double line breaks": "a<br><br>",
    "tiny links": "<a href=/a>b</a>",
    "comments": "<!--a-->",
    "unclosed comments": "<!--a",
    "processing instructions": "<?a b?>",
    "CDATA sections": "<![CDATA[a]]>",
    "end tags without a start": "</p></div></b>",
    "images": "<img src=a>",
    "list items": "<li>one, two</li>",
    "nested lists": "<ul><li>one",
    "nested tables": "<table><tr><td>one",
    "huge table": "<tr><td>one<td>2<td>three</tr>",
    "one row": "<td>one",
    "definition lists": "<dl><dt>one<dd>two</dl>",
    "nested quotations": "<blockquote>one",
    "nested forms": "<form><input><button>one",
    "headings": "<h2>one</h2>",
    "hidden elements": "<div hidden>one</div>",
    "ad containers": "<div class='ad banner'>one</div>",
    "comment threads": "<div class=comment><b>Ann</b><i>3 May 2024</i><p>So it is, five words here.</p>Reply</div>",
    "comment headings": "<h2>Comments</h2>",
    "counted comments": "<h3>12 comments</h3><p>3 May 2024</p>",
    "comments without names": "<p class=x>Ann</p><i>3 May 2024</i><p>So it is, five words.</p><b>Reply</b><p></p>",
    "contents": "<a href=#a>One and two</a><h2>One and two</h2>",
    "short lists": "<ul><li>one, two<li>three and four, five.</ul><p>So it is.</p>",
    "scripts": "<script>a</script>",
    "nested brackets": "<<<>>",
    "less-than signs": "< ",
    "opened start tags": "<p ",
    "null characters": "<p>\0a",
}


def _page(piece: str, size: int) -> bytes:
    return again_and_again(piece, size, before=f"<html><body>{ARTICLE}")


for _name, _piece in _PIECES.items():
    attack(_name)(partial(_page, _piece))


@attack("ten thousand levels")
def ten_thousand_levels(size: int) -> bytes:
    return again_and_again(f"<p>{SENTENCE}</p>", size, "<div>" * 10_000, "</div>" * 10_000)


@attack("deep lists again and again")
def lists_again(size: int) -> bytes:
    return again_and_again("<ul><li>one" * 500 + "</ul>" * 500, size, ARTICLE)


@attack("article behind tiny paragraphs")
def behind_tiny(size: int) -> bytes:
    return again_and_again("<p>a</p>", size, "<html><body>", ARTICLE)


@attack("many attributes on one element")
def one_wide_element(size: int) -> bytes:
    return numbered("a# ", size, "<div ", f">{SENTENCE}")


@attack("many attributes on each element")
def wide_elements(size: int) -> bytes:
    names = " ".join(f"{letter}{number}" for letter in "abcdefghij" for number in range(20))
    return again_and_again(f"<p {names}>one</p>", size, ARTICLE)


@attack("one class each")
def many_classes(size: int) -> bytes:
    return numbered("<p class=c#>one", size, ARTICLE)


@attack("one path each")
def many_paths(size: int) -> bytes:
    return numbered("<div class=c#>one<p>", size, ARTICLE)


@attack("unknown elements")
def unknown_elements(size: int) -> bytes:
    return numbered("<x-#>one", size, ARTICLE)


@attack("endless class")
def endless_class(size: int) -> bytes:
    return again_and_again("comment ad ", size, "<div class='", f"'>{ARTICLE}")


@attack("endless inline style")
def endless_style(size: int) -> bytes:
    return again_and_again("display : block; ", size, "<div style='", f"'>{ARTICLE}")


@attack("inline styles")
def inline_styles(size: int) -> bytes:
    return again_and_again(f"<p style='{'color: red; ' * 40}'>one</p>", size, ARTICLE)


@attack("endless address")
def endless_address(size: int) -> bytes:
    return again_and_again("/a?b&", size, f"{ARTICLE}<a href='", "'>one</a>")


@attack("unclosed attribute")
def unclosed_attribute(size: int) -> bytes:
    return again_and_again("<p>one</p>", size, f"{ARTICLE}<a href='")


@attack("links to other pages")
def many_links(size: int) -> bytes:
    return numbered("<a href=/news/a-story-with-a-name-#>Read on</a> ", size, ARTICLE)


@attack("unclosed noscript")
def unclosed_noscript(size: int) -> bytes:
    return again_and_again("<p>a</p>", size, "<body><noscript>")

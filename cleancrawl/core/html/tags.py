"""What each HTML tag means to the segmentation into text blocks."""

from __future__ import annotations

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCK, SKIP, BREAK, LINK, STRONG, IMAGE, HEAD, MARK = range(1, 9)

# METHODS B1's block-level tags with HTML5's, plus what browsers lay out as blocks.
BLOCK_TAGS: tuple[str, ...] = (
    *("html", "body", "div", "p", "li", "ul", "ol", "td", "th", "tr", "table", "thead", "tbody", "tfoot", "caption"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "article", "aside", "section", "main", "nav", "header", "footer", "figure"),
    *(
        "figcaption",
        "blockquote",
        "pre",
        "dl",
        "dt",
        "dd",
        "form",
        "fieldset",
        "legend",
        "address",
        "center",
        "details",
    ),
    *("summary", "dialog", "menu", "hgroup", "search", "button", "hr", "frameset", "listing", "plaintext", "xmp"),
    *("colgroup", "dir", "optgroup", "marquee"),
)
TAG_IDS: dict[str, int] = {tag: number for number, tag in enumerate(("", *BLOCK_TAGS))}
"""Small numbers for block-level tags; 0 is the document itself."""

SKIP_TAGS = frozenset(
    {"script", "style", "noscript", "template", "svg", "select", "textarea", "iframe", "object", "embed", "canvas"}
    | {"audio", "video", "map", "datalist", "noframes", "applet", "rp", "rt"}
)
"""What a reader never sees as text of the page; their content is dropped without a block."""

KINDS: dict[str, int] = {
    **dict.fromkeys(BLOCK_TAGS, BLOCK),
    **dict.fromkeys(SKIP_TAGS, SKIP),
    **dict.fromkeys(("b", "strong", "em", "i"), STRONG),
    **dict.fromkeys(("meta", "link", "base", "title"), HEAD),
    **dict.fromkeys(("time", "input", "label"), MARK),
    "br": BREAK,
    "a": LINK,
    "img": IMAGE,
}


def tag_ids(*tags: str) -> tuple[int, ...]:
    """The numbers of some block-level tags.

    >>> tag_ids("html", "body")
    (1, 2)
    """
    return tuple(TAG_IDS[tag] for tag in tags)

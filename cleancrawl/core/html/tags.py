"""What each HTML tag means: which ones no reader sees, and what the others are to the segmentation into text blocks."""

from __future__ import annotations

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
KIND_NAMES = ("block", "skip", "line_break", "link", "strong", "image", "head", "mark")
"""What a tag can be to the segmentation; a tag without a kind is 0."""
BLOCK, SKIP, BREAK, LINK, STRONG, IMAGE, HEAD, MARK = range(1, len(KIND_NAMES) + 1)

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

# What no reader sees as text of the page, by the cause. The methods leave out different ones: see each for why.
CODE_TAGS = frozenset({"script", "style"})
"""Their text is for machines, and no markup."""
SCRIPTED_TAGS = frozenset({"noscript", "template"})
"""Shown only without scripts, or once a script has copied them."""
CONTROL_TAGS = frozenset({"select", "textarea"})
"""Choices and input of a form."""
EMBEDDED_TAGS = frozenset({"iframe", "object"})
MEDIA_TAGS = frozenset({"audio", "video"})
"""As in ``EMBEDDED_TAGS``, text is what a browser shows that cannot play or embed them."""
OLD_EMBEDDED_TAGS = frozenset({"embed", "applet", "map", "noframes"})
RUBY_TAGS = frozenset({"rp", "rt"})
"""How the characters before them are read aloud."""
ALWAYS_UNSEEN = CODE_TAGS | SCRIPTED_TAGS | CONTROL_TAGS | {"svg"}
"""What all methods leave out."""

SKIP_TAGS = ALWAYS_UNSEEN | EMBEDDED_TAGS | MEDIA_TAGS | OLD_EMBEDDED_TAGS | RUBY_TAGS | {"canvas", "datalist"}
"""What makes no text block. Titles and the rest of the head are read apart."""
NEVER_TEXT = CODE_TAGS | CONTROL_TAGS | {"svg", "title", "datalist"}
"""Elements that hold no text for a reader even where one of them was not closed."""
SWALLOWING_TAGS = SKIP_TAGS - NEVER_TEXT - RUBY_TAGS - {"embed"}
"""Elements that are left open by mistake, and then hold the rest of the page: not ruby, which ends with its line, nor
``embed``, which has no content."""
OUTLINE_UNSEEN = ALWAYS_UNSEEN | EMBEDDED_TAGS | MEDIA_TAGS | {"canvas", "datalist", "head", "title", "math"}
"""What an outline leaves out: with the head, which has no part of its own there, and with formulas, which would be many
elements; ruby and old ways to embed stay, being elements of a site's template like others."""

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

"""What all reports share: a page around their sections, and escaping."""

from __future__ import annotations

from html import escape

from cleancrawl.core.render.nodes import printable
from cleancrawl.data import read_text

# The file shows text of unknown pages: should anything ever slip through, the browser must not run or load it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def text(value: object) -> str:
    """Any value as text that is safe between tags and in quoted attributes.

    >>> text('<b title="x">\\x00')
    '&lt;b title=&quot;x&quot;&gt;'
    """
    return escape(printable(str(value)))


def page(title: str, body: str) -> str:
    """A whole HTML document."""
    style = read_text("report.css")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{text(title)}</title><style>\n{style}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def link(url: str | None) -> str:
    """A link where the address is one of the web, else its text.

    >>> link("https://e.org/?a&b"), link("javascript:x"), link(None)
    ('<a href="https://e.org/?a&amp;b" rel="noreferrer">https://e.org/?a&amp;b</a>', 'javascript:x', '')
    """
    if url and url.startswith(("http://", "https://")):
        return f'<a href="{text(url)}" rel="noreferrer">{text(url)}</a>'
    return text(url or "")

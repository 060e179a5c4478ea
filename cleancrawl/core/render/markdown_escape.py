"""Text that Markdown must not take for markup."""

from __future__ import annotations

import re

from cleancrawl.core.text.words import pieces

# A lone underscore inside a word is none; brackets and angles only where they could open something.
_INLINE = re.compile(r"[\\`*\[\]]|~(?=~)|(?<=~)~|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?])|&(?=#?\w{1,32};)")
# What starts a heading, quotation, list, rule, fence or table where the page has a paragraph.
_LINE_START = re.compile(r"(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-=|:][-=|:\s]*$|~{3}|\||\d{1,9}(?=[.)](?:\s|$)))")


def escape_inline(text: str) -> str:
    r"""
    >>> print(escape_inline("5 * 3 [a] snake_case _x_ <b> a < b &amp; R&D"))
    5 \* 3 \[a\] snake_case \_x\_ \<b> a < b \&amp; R&D
    """
    # In pieces: the replacements of a text of megabytes would take many times its memory.
    return "".join(_INLINE.sub(r"\\\g<0>", piece) for piece in pieces(text))


def escape_line_start(line: str) -> str:
    r"""
    >>> [escape_line_start(line) for line in ("# a", "#a", "- a", "-a", "12. a", "12.5", "---", "> a", "| a")]
    ['\\# a', '#a', '\\- a', '-a', '12\\. a', '12.5', '\\---', '\\> a', '\\| a']
    """
    found = _LINE_START.match(line)
    if not found:
        return line
    digits = found[0] if found[0].isdigit() else ""
    return f"{digits}\\{line[len(digits) :]}"


def code_span(text: str) -> str:
    """
    >>> code_span("a"), code_span("a`b"), code_span("`")
    ('`a`', '``a`b``', '`` ` ``')
    """
    fence = "`" * (longest_run(text, "`") + 1) if "`" in text else "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def longest_run(text: str, character: str) -> int:
    """
    >>> longest_run("a``b```", "`")
    3
    """
    return max((len(run) for run in re.findall(f"{re.escape(character)}+", text)), default=0)


def destination(url: str) -> str:
    """
    >>> destination("https://e.org/a_(b)"), destination("https://e.org/[x]*")
    ('https://e.org/a_%28b%29', 'https://e.org/%5Bx%5D*')
    """
    return url.translate(_DESTINATION)


_DESTINATION = str.maketrans({"(": "%28", ")": "%29", "[": "%5B", "]": "%5D", "&": "&"})

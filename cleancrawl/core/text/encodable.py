"""Text that has a UTF-8 form: broken pages hold lone surrogates, which have none."""

from __future__ import annotations


def encodable(text: str) -> str:
    """The text with a question mark for each lone surrogate.

    >>> encodable("half a character \\ud83d, größer")
    'half a character ?, größer'
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text

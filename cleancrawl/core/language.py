"""The language of a text that does not say it."""

from __future__ import annotations

_ENOUGH = 60
_SAMPLE = 2_000


def detect_language(text: str) -> str | None:
    """The language as a two-letter code, or None where the text is too short to tell.

    The detector's model is loaded on the first call: most pages declare their language.

    >>> detect_language("Der Rat der Stadt hat am Montag beschlossen, dass die Brücke bis zum Sommer erneuert wird.")
    'de'
    >>> detect_language("ok") is None
    True
    """
    if len(text) < _ENOUGH and text.isascii():
        return None
    if not text.strip():
        return None
    from py3langid.langid import classify

    return str(classify(text[:_SAMPLE])[0])

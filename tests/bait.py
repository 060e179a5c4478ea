"""Texts on which a regular expression that grows with the square shows it: made from the expression itself.

Such an expression tries much at many places, and fails at each: so what it wants is given to it, but for the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

FIXED = (
    *(
        " ",
        "\n",
        "\t ",
        "a",
        "A",
        "1",
        "0",
        "_",
        "-",
        ".",
        ",",
        "<",
        ">",
        "(",
        "[",
        "{",
        '"',
        "'",
        "@",
        "=",
        ":",
        "/",
        "|",
    ),
    *(
        "<p ",
        "<a href=",
        "<!--",
        "&lt;!--",
        "<script>",
        "<script ",
        "</",
        "a@",
        "a@a.",
        "a.",
        "a-",
        "a_",
        "a ",
        " a",
        "a,",
    ),
    *(
        "1.",
        "1-",
        "1/",
        "1:",
        "2024",
        "2024-",
        "http://",
        "//",
        "www.",
        "By ",
        "admin",
        " - ",
        " | ",
        ", ",
        "é",
        "北",
        "か",
    ),
    *(
        "{{",
        "[[",
        "\\",
        "%",
        "%20",
        "&",
        "&amp;",
        ";",
        "; ",
        '="',
        "= ",
        "'a",
        "~",
        "`",
        "*",
        "#",
        "\r\n",
        "\u00a0",
        "©",
    ),
)
_CANDIDATES = " a1A_-.,:;/@<>()[]{}\"'=&?#%|\n\tzZ9é–»•北か٣\u00c3\u0080\ud800\x00"
_CATEGORIES = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda sign: sign.isalnum() or sign == "_",
    sre.CATEGORY_NOT_DIGIT: lambda sign: not sign.isdecimal(),
    sre.CATEGORY_NOT_SPACE: lambda sign: not sign.isspace(),
    sre.CATEGORY_NOT_WORD: lambda sign: not (sign.isalnum() or sign == "_"),
}
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_BRANCHES = 4
_SIGNS = 4
_STARTS = 60
_MOST = 150


def pieces(pattern: str, flags: int) -> list[str]:
    """What is to be repeated: whole and unfinished matches of the expression and of its parts."""
    found: dict[str, None] = {}
    for start, sequence in _sequences(parser.parse(pattern, flags)):
        texts = [_sample(item) for item in sequence]
        for place, item in enumerate(sequence):
            before = "".join(texts[:place])
            following = texts[place + 1] if place + 1 < len(texts) else ""
            for text in (texts[place], *_choices(item), *_repeated(item, 1), *_repeated(item, 3)):
                found |= dict.fromkeys((text, before + text, start + before + text, text + following))
    return [text for text in islice(found, _MOST) if text]


def runs(pattern: str, flags: int) -> list[tuple[str, str]]:
    """What stands before each part that may be repeated, and that part."""
    found: dict[tuple[str, str], None] = {}
    for start, sequence in _sequences(parser.parse(pattern, flags)):
        texts = [_sample(item) for item in sequence]
        for place, item in enumerate(sequence):
            for once in _repeated(item, 1):
                found[start + "".join(texts[:place]), once] = None
    return [(start, once) for start, once in islice(found, _MOST) if once]


def baits(pattern: str, flags: int, size: int) -> Iterator[str]:
    """Texts of about a size: pieces again and again, alone, behind a beginning and before an end that does not fit."""
    own = pieces(pattern, flags)
    for piece in dict.fromkeys((*own, *FIXED)):
        many = piece * (size // len(piece))
        yield many
        yield "x" + many + "\x00"
    for start, once in runs(pattern, flags):
        many = once * (size // len(once))
        yield start + many + "\x00"
        yield start + many + once[:1] + "!"
    for start in dict.fromkeys(text[:40] for text in own[:_STARTS]):
        for sign in " a1":
            yield start + sign * size + "\x00"


def _sequences(sequence: Any, start: str = "") -> Iterator[tuple[str, Any]]:
    """A parsed expression and all sequences in it, each with what stands before it."""
    yield start, sequence
    for item in sequence:
        code, value = item
        if code in _REPEATS:
            yield from _sequences(value[2], start)
        elif code is sre.SUBPATTERN:
            yield from _sequences(value[3], start)
        elif code is sre.ATOMIC_GROUP:
            yield from _sequences(value, start)
        elif code in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _sequences(value[1], start)
        elif code is sre.BRANCH:
            for branch in value[1][:_BRANCHES]:
                yield from _sequences(branch, start)
        start += _sample(item)


def _repeated(item: Any, times: int) -> list[str]:
    return ["".join(map(_sample, item[1][2])) * times] if item[0] in _REPEATS else []


def _sample(item: Any) -> str:
    """A text that an item matches; an optional one once."""
    code, value = item
    if code is sre.LITERAL:
        return chr(value)
    if code is sre.ANY:
        return "a"
    if code is sre.NOT_LITERAL:
        return next(sign for sign in "a 1" if sign != chr(value))
    if code is sre.IN:
        return next((sign for sign in _signs(value) if _holds(value, sign)), "a")
    if code in _REPEATS:
        return "".join(map(_sample, value[2])) * max(1, min(value[0], 50))
    if code is sre.SUBPATTERN:
        return "".join(map(_sample, value[3]))
    if code is sre.ATOMIC_GROUP:
        return "".join(map(_sample, value))
    if code is sre.BRANCH:
        return "".join(map(_sample, value[1][0]))
    return ""


def _choices(item: Any) -> list[str]:
    """The single characters of a set; one of them may be in the next set, too, where the first is not."""
    choices = item[1] if item[0] is sre.IN else []
    return [chr(value) for code, value in choices if code is sre.LITERAL and _holds(choices, chr(value))][:_SIGNS]


def _signs(choices: Any) -> Iterator[str]:
    yield from _CANDIDATES
    for code, value in choices:
        if code is sre.LITERAL:
            yield chr(value)
        elif code is sre.RANGE:
            yield chr(value[0])


def _holds(choices: Any, sign: str) -> bool:
    """Whether a set of characters has one."""
    negated, held = False, False
    for code, value in choices:
        if code is sre.NEGATE:
            negated = True
        elif code is sre.LITERAL:
            held |= ord(sign) == value
        elif code is sre.RANGE:
            held |= value[0] <= ord(sign) <= value[1]
        elif code is sre.CATEGORY:
            held |= bool(_CATEGORIES[value](sign))
    return held != negated

"""Words, terms and punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress, repeat

from cleancrawl.core.text.control_characters import without_controls
from cleancrawl.core.text.stemming import stemmer

UNSPACED_RANGES = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF)),  # Thai and Lao, Myanmar, Khmer
    *((0x3040, 0x30FF), (0x3400, 0x9FFF), (0xF900, 0xFAFF)),  # kana, Han
    (0x20000, 0x3FFFF),  # rare Han: above the basic plane, planes as a whole
)
"""Scripts that write without spaces: each character counts as a word. ``characters`` takes the letters among them, so
that a mark such as ``・`` next to a word belongs to it in a block and is one of its own here."""
_UNSPACED_CHARACTER = f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in UNSPACED_RANGES)}]"
_UNSPACED = re.compile(_UNSPACED_CHARACTER)
_WORD = re.compile(rf"{_UNSPACED_CHARACTER}|[^\W_]+(?:['’][^\W_]+)*")


# What hangs on to words: quotation marks, brackets, commas, stops, bars; not ©, which is a word of its own here.
EDGES = ".,;:!?()[]{}\"'`´*_~|/\\<>-–—―…·•‘’‚“”„«»‹›¿¡、。，；：！？（）「」『』【】،؛؟"

_ASCII_EDGES = b'.,;:!?()[]{}"`*_~|/\\<>'
# Lower case, and blanks for what hangs on to words.
PLAIN = bytes.maketrans(bytes(range(65, 91)) + _ASCII_EDGES, bytes(range(97, 123)) + b" " * len(_ASCII_EDGES))
_EVERY_EDGE = repeat(EDGES)


def plain_words(text: str) -> list[str]:
    """What white space separates, in lower case, without the punctuation around it; far cheaper than ``words``.

    >>> plain_words("“Don't stop,” he said – twice.")
    ["don't", 'stop', 'he', 'said', '', 'twice']
    >>> plain_words('Read more: "e-mail", etc.')
    ['read', 'more', 'e-mail', 'etc']
    """
    lower = text.lower()
    if lower.isascii():
        # One pass in C instead of a call per word.
        return lower.encode().translate(PLAIN).decode().split()
    return list(map(str.strip, lower.split(), _EVERY_EDGE))


def plain_words_of(texts: Sequence[str]) -> list[list[str]]:
    """``plain_words`` of each text; those in ASCII cost one pass over all of them.

    >>> plain_words_of(["One, two", "über “uns”", ""])
    [['one', 'two'], ['über', 'uns'], []]
    """
    is_ascii = list(map(str.isascii, texts))
    joined = "\0".join(compress(texts, is_ascii)).encode().translate(PLAIN).decode()
    parts = joined.split("\0")
    if len(parts) != max(sum(is_ascii), 1):
        # The texts have null characters of their own, which no parser gives.
        return list(map(plain_words, texts))
    if all(is_ascii):
        return list(map(str.split, parts))[: len(texts)]
    plain = map(str.split, parts)
    return [next(plain) if simple else plain_words(text) for text, simple in zip(texts, is_ascii, strict=True)]


# What parts words here: most of ASCII's punctuation, and above it what typographers put in its place.
TYPOGRAPHIC = "“”„«»–—…。，、"
BYTE_EDGES = bytes.maketrans(_ASCII_EDGES, b" " * len(_ASCII_EDGES))
# All bytes but the first ones of characters of scripts without spaces in UTF-8.
_SPACED_BYTES = bytes(
    set(range(256)).difference(
        *(range(chr(first).encode()[0], chr(last).encode()[0] + 1) for first, last in UNSPACED_RANGES)
    )
)


def byte_text(text: str) -> bytes:
    """Words for fingerprints, in lower case and UTF-8, with white space between them; single characters where a script
    has no spaces. Rarer punctuation stays with its word: a copy of the text has it too.

    >>> byte_text('Read more: "e-mail", etc.').split(), byte_text("“Don’t” – he said…").split()
    ([b'read', b'more', b'e-mail', b'etc'], [b"don't", b'he', b'said'])
    >>> len(byte_text("北京 2026").split())
    3
    """
    if text.isascii():
        return text.lower().encode().translate(BYTE_EDGES)
    for mark in TYPOGRAPHIC:
        if mark in text:
            text = text.replace(mark, " ")
    text = text.replace("’", "'").lower()
    found = text.encode("utf-8", "surrogatepass")
    if found.translate(None, _SPACED_BYTES):
        # Worth a look, which takes as long as all else; most texts are in a script with spaces.
        found = _UNSPACED.sub(r" \g<0> ", text).encode("utf-8", "surrogatepass")
    return found.translate(BYTE_EDGES)


def normalise(text: str) -> str:
    """Collapse every run of white space, non-breaking spaces included, to one blank; drop what no reader sees.

    >>> normalise(" a\\u00a0 b\\n\\tc\\u00add "), normalise("a \\x1b b\\x97c")
    ('a b cd', 'a b—c')
    """
    if text.isprintable() and "  " not in text:
        # The blank is the one white space that is printable, and nothing invisible is: most texts are as they are.
        return text.strip(" ")
    return _bare(text) if len(text) <= _LONG else " ".join(filter(None, map(_bare, pieces(text))))


def _bare(text: str) -> str:
    line = " ".join(without_invisible(text).split())
    return line if line.isprintable() else " ".join(without_controls(line).split())


def collapse(text: str) -> str:
    """``normalise`` for texts that were made by it: they may be joined, but have no control characters."""
    if text.isprintable() and "  " not in text:
        return text.strip(" ")
    return " ".join(filter(None, (" ".join(without_invisible(piece).split()) for piece in pieces(text))))


_LONG = 100_000
_SPACE = re.compile(r"\s")


def pieces(text: str) -> Iterator[str]:
    """A text in parts of about ``_LONG`` characters, cut behind white space: the words of a text of megabytes take
    thirty times its memory, where all of them are held at once.

    >>> [len(part) for part in pieces("ab " * 100_000)], "".join(pieces(" a" * 90_000)) == " a" * 90_000
    ([100002, 100002, 99996], True)
    """
    start = 0
    while len(text) - start > _LONG and (blank := _SPACE.search(text, start + _LONG)):
        yield text[start : blank.end()]
        start = blank.end()
    yield text[start:]


_INVISIBLE = ("\u00ad", "\u200b", "\u2060", "\ufeff")  # soft hyphen, zero-width space, word joiner, byte-order mark


def without_invisible(text: str) -> str:
    """Text without characters that no reader sees and that tear words apart for a machine.

    Zero-width joiners and direction marks stay: Persian, Indic scripts and emoji need them.

    >>> without_invisible("Donau\u00addampf\u200bschiff"), without_invisible("می\u200cخواهم")
    ('Donaudampfschiff', 'می\u200cخواهم')
    """
    if not text.isascii():
        for character in _INVISIBLE:
            if character in text:
                text = text.replace(character, "")
    return text


def split(text: str) -> list[str]:
    """``text.split()``, where a long text holds each word once, however often it comes.

    >>> split(" one\\ttwo "), split("one two " * 50_000) == ["one", "two"] * 50_000
    (['one', 'two'], True)
    """
    if len(text) <= _LONG:
        return text.split()
    known: dict[str, str] = {}
    return [known.setdefault(word, word) for part in pieces(text) for word in part.split()]


def words(text: str) -> list[str]:
    """The words of a text: what holds a letter or digit; single characters in scripts without spaces.

    >>> words("Don't stop – it's 20 °C"), words("北京 2026")
    (["Don't", 'stop', "it's", '20', 'C'], ['北', '京', '2026'])
    """
    if len(text) <= _LONG:
        return _WORD.findall(text)
    # One object for a word, however often it comes.
    known: dict[str, str] = {}
    return [known.setdefault(word, word) for part in pieces(text) for word in _WORD.findall(part)]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each of ``words`` begins and ends in the text.

    >>> word_spans("a bc")
    [(0, 1), (2, 4)]
    """
    return [match.span() for match in _WORD.finditer(text)]


def count_words(text: str) -> int:
    """How many words a text has, at the speed of ``str.split`` for scripts with spaces.

    >>> count_words("one two  three"), count_words("北京 2026"), count_words("")
    (3, 3, 0)
    """
    return _count(text) if len(text) <= _LONG else sum(map(_count, pieces(text)))


def _count(text: str) -> int:
    if text.isascii():
        return len(text.split())
    spaced, unspaced = _UNSPACED.subn(" ", text)
    return unspaced + len(spaced.split())


def is_unspaced(word: str) -> bool:
    """Whether a word is a character of a script without spaces.

    >>> is_unspaced("北"), is_unspaced("a"), is_unspaced("")
    (True, False, False)
    """
    return _UNSPACED.match(word) is not None


def terms(text: str, stop_words: AbstractSet[str] = frozenset()) -> list[str]:
    """METHODS A4: lower-case words without stop words, Porter-stemmed, in order.

    >>> terms("The crawlers were crawling", frozenset({"the", "were"}))
    ['crawler', 'crawl']
    """
    if len(text) <= _LONG:
        return _terms(text, stop_words)
    known: dict[str, str] = {}
    return [known.setdefault(term, term) for piece in pieces(text) for term in _terms(piece, stop_words)]


def _terms(text: str, stop_words: AbstractSet[str]) -> list[str]:
    return stemmer("porter").stemWords([word for word in words(text.lower()) if word not in stop_words])  # type: ignore[no-any-return]

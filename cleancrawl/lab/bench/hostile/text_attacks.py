"""Pages with too much text, or text that is hard to read."""

from __future__ import annotations

from cleancrawl.lab.bench.hostile.attack_table import again_and_again, attack, numbered
from cleancrawl.lab.bench.hostile.markup_attacks import ARTICLE, SENTENCE

_PARAGRAPH = "<p>", "</p>"


@attack("one text")
def one_text(size: int) -> bytes:
    return again_and_again(SENTENCE, size, *_PARAGRAPH)


@attack("one text of short words")
def short_words(size: int) -> bytes:
    return again_and_again("ab. ", size, *_PARAGRAPH)


@attack("one text of different words")
def different_words(size: int) -> bytes:
    return numbered("w#, ", size, *_PARAGRAPH)


@attack("one word")
def one_word(size: int) -> bytes:
    return again_and_again("a", size, *_PARAGRAPH)


@attack("one text in wide characters")
def wide_characters(size: int) -> bytes:
    return again_and_again(SENTENCE, size, "<p>\U0001f600 ", "</p>")


@attack("Chinese text")
def unspaced(size: int) -> bytes:
    return again_and_again("北京，四月二十四日电。", size, *_PARAGRAPH)


@attack("different sentences")
def sentences(size: int) -> bytes:
    return numbered("<p>The council said that bridge #, which had been closed, would open again in May.</p>", size)


@attack("nearly equal sentences")
def nearly_equal(size: int) -> bytes:
    return numbered(f"<p>{SENTENCE}{SENTENCE}It was the #th time.</p>", size)


@attack("white space")
def white_space(size: int) -> bytes:
    return again_and_again(" \n\t", size, f"{ARTICLE}<p>one", "two</p>")


@attack("preformatted lines")
def preformatted(size: int) -> bytes:
    return again_and_again("a b\n", size, "<pre>", "</pre>")


@attack("dates")
def dates(size: int) -> bytes:
    return again_and_again("<p>3 May 2024, 10:15</p>", size, ARTICLE)


@attack("entities")
def entities(size: int) -> bytes:
    return again_and_again("&pi;", size, *_PARAGRAPH)


@attack("broken entities")
def broken_entities(size: int) -> bytes:
    return again_and_again("&#x110000;&a&#;", size, *_PARAGRAPH)


@attack("escaped markup")
def escaped_markup(size: int) -> bytes:
    return again_and_again("&lt;p&gt;", size, *_PARAGRAPH)


@attack("invisible characters")
def invisible(size: int) -> bytes:
    return again_and_again("a\u00ad\u200b ", size, *_PARAGRAPH)


@attack("text decoded twice")
def decoded_twice(size: int) -> bytes:
    return again_and_again("don\u00e2\u20ac\u2122t ", size, *_PARAGRAPH)


@attack("bytes of no encoding")
def no_encoding(size: int) -> bytes:
    return b"<p>" + bytes([0x80, 0xFF, 0x20, 0xC3, 0x28]) * ((size - 3) // 5)


@attack("UTF-16")
def utf_16(size: int) -> bytes:
    return again_and_again("<p>a</p>", size // 2 - 1).decode().encode("utf-16")


@attack("UTF-7 claimed")
def utf_7(size: int) -> bytes:
    return again_and_again("+ADw-p+AD4-a ", size, "<meta charset=utf-7><p>")

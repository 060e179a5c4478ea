"""Pages in the encodings of the Web, without a word about which: what the decoder is tested and measured with."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple

from cleancrawl.core.html.declared_encoding import codec_names

TEXTS = Path(__file__).parent / "texts.toml"


class EncodedPage(NamedTuple):
    language: str
    encoding: str
    html: str
    body: bytes

    @property
    def name(self) -> str:
        return f"{self.encoding}/{self.language}"


def encoded(html: str, encoding: str) -> bytes:
    codec = codec_names(encoding)[0]
    if encoding == "windows-1258":
        html = "".join(_with_tone_apart(character, codec) for character in html)
    return html.encode(codec, "xmlcharrefreplace")


def _with_tone_apart(character: str, codec: str) -> str:
    """A letter as Vietnamese pages have it: its tone is a character of its own."""
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        parts = unicodedata.decomposition(character)
        if parts and "<" not in parts:
            return "".join(chr(int(part, 16)) for part in parts.split())
    return character


def encoded_pages(paragraphs: int | None = None, *, declare_language: bool = False) -> Iterator[EncodedPage]:
    """A small page for every language and encoding of ``texts.toml``."""
    for language, sample in tomllib.loads(TEXTS.read_text("utf-8")).items():
        lang = f' lang="{language}"' if declare_language else ""
        title, text = sample["title"], sample["text"].strip().split("\n\n")[:paragraphs]
        html = (
            f"<!DOCTYPE html><html{lang}><head><title>{title}</title><script>var page = 'news';</script></head>"
            f'<body><nav><a href="/">Home</a> <a href="/news">News</a></nav><h1>{title}</h1>'
            + "".join(f"<p>{paragraph}</p>" for paragraph in text)
            + "</body></html>"
        )
        for encoding in sample["encodings"]:
            yield EncodedPage(language, encoding, html, encoded(html, encoding))


def same_text(one: str, other: str) -> bool:
    """Whether a page says the same, with characters that its encoding does not have as references."""
    return unicodedata.normalize("NFC", unescape(one)) == unicodedata.normalize("NFC", unescape(other))

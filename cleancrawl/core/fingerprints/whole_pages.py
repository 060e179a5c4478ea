"""What a page and its text are told by, all of it at once: where nothing of it is left out, each word is read once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cleancrawl.core.block_columns import kept_blocks
from cleancrawl.core.fingerprints.article_signature import MIN_WORDS, MOST_WORDS, Signature, signature_of, signing
from cleancrawl.core.fingerprints.block_prints import (
    MIN_TERMS,
    NEAR_WINDOW,
    STORED_TERMS,
    PrintColumns,
    exact_keys,
    near_columns,
    print_columns,
)
from cleancrawl.core.fingerprints.simhash import PAIR_BUDGET, frequency_print, word_digests
from cleancrawl.core.native import compiled
from cleancrawl.core.page import Page
from cleancrawl.core.text.words import BYTE_EDGES, TYPOGRAPHIC, byte_text

_part = compiled("page_digests")
_digests = _part and _part.PageDigests(
    BYTE_EDGES, TYPOGRAPHIC, byte_text, STORED_TERMS, NEAR_WINDOW, PAIR_BUDGET, MIN_WORDS, MOST_WORDS, signing()
)


class TextDigests(NamedTuple):
    """What some texts are told by, some of which are kept."""

    near: NDArray[np.uint64]
    """A fingerprint for each text, 0 where it is too short for one …"""
    long: NDArray[np.bool_]
    """… and whether it is not."""
    content: int
    """The fingerprint of the kept ones; 0 where there are none."""
    signature: Signature | None
    """Theirs, as that of an article."""


class PageDigests(NamedTuple):
    """What a page is told by."""

    columns: PrintColumns
    content: int
    signature: Signature | None


def page_digests(page: Page) -> PageDigests:
    """``print_columns``, ``content_print`` and the signature of a page's text.

    White space aside, the text has nothing but the kept blocks.
    """
    texts = [block.text for block in page.blocks]
    found = text_digests(texts, kept_blocks(page.blocks))
    return PageDigests(print_columns(page, texts, (found.near, found.long)), found.content, found.signature)


def text_digests(texts: list[str], kept: bytes) -> TextDigests:
    """``kept`` is a byte for each text."""
    found = None if _digests is None else _digests.of(texts, kept)
    if found is None:
        return text_digests_in_python(texts, kept)
    near, long, words, content, signed = found
    if words < MIN_TERMS:
        content = _few(_joined(texts, kept))
    return TextDigests(near, long, content, None if signed is None else Signature._make(signed))


def text_digests_in_python(texts: list[str], kept: bytes) -> TextDigests:
    text = _joined(texts, kept)
    words = word_digests(text)
    few = len(words.numbers) < MIN_TERMS
    content = _few(text) if few else frequency_print(np.bincount(words.numbers), words.digests)
    return TextDigests(*near_columns(texts), content, signature_of(words))


def _joined(texts: list[str], kept: bytes) -> str:
    return "\n".join([text for text, is_kept in zip(texts, kept, strict=True) if is_kept])


def _few(text: str) -> int:
    return exact_keys([text])[0] if text else 0

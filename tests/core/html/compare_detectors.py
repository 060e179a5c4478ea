"""``python -m tests.core.html.compare_detectors [DATA]``: how often the decoder and other detectors are right, and how
long they take.

Pages without a declaration: those of ``texts.toml``, and the labelled pages in DATA, written in the encodings of their
language. Detectors that are not installed are left out. They are given what the decoder gives its own: text without
markup, of a bounded length.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cleancrawl.core.html import guessed_encoding
from cleancrawl.core.html.declared_encoding import encoding_of_codec, read_as
from cleancrawl.core.html.decode import decode
from cleancrawl.core.html.head import scan_head
from cleancrawl.lab.bench.datasets import load_sets
from tests.core.html.encoded_pages import TEXTS, EncodedPage, encoded, encoded_pages, same_text

WESTERN = {language: ["windows-1252"] for language in "en de fr es pt it nl sv no nb da fi is".split()}
SETTINGS: dict[str, tuple[str, Callable[[Any], Callable[[bytes], str | None]]]] = {
    "charset-normalizer": ("charset_normalizer", lambda found: lambda text: _best(found.from_bytes(text))),
    "chardet": ("chardet", lambda found: lambda text: found.detect(text, **_eras(found))["encoding"]),
    "faust-cchardet": ("cchardet", lambda found: lambda text: found.detect(text)["encoding"]),
}
OTHER_NAMES = {"UHC": "euc-kr"}


def _best(matches: Any) -> str | None:
    match = matches.best()
    return None if match is None else match.encoding


def _eras(chardet: Any) -> dict[str, Any]:
    """From version 6 on it can be told to leave the encodings of mainframes and of DOS out."""
    eras = getattr(chardet, "EncodingEra", None)
    return {} if eras is None else {"encoding_era": eras.MODERN_WEB | eras.LEGACY_ISO | eras.LEGACY_REGIONAL}


def readers() -> Iterator[tuple[str, Callable[[bytes], str]]]:
    """Name and reading, from bytes to text."""
    yield "cleancrawl", lambda body: decode(body)[0]
    for name, (module, make) in SETTINGS.items():
        try:
            found = importlib.import_module(module)
        except ImportError:
            continue
        yield f"{name} {found.__version__}", _reader(make(found))


def _reader(detect: Callable[[bytes], str | None]) -> Callable[[bytes], str]:
    def read(body: bytes) -> str:
        name = detect(guessed_encoding.text_of(body)) or "windows-1252"
        return read_as(body, encoding_of_codec(OTHER_NAMES.get(name, name)) or "windows-1252")

    return read


def labelled_pages(directory: str, most: int = 40) -> Iterator[EncodedPage]:
    """At most so many pages of a language, in each of its encodings, without a word about them."""
    known = {name[:2]: sample["encodings"] for name, sample in tomllib.loads(TEXTS.read_text("utf-8")).items()}
    encodings = {**known, "zh": ["gbk"], **WESTERN}
    taken: Counter[str] = Counter()
    for page in (page for dataset in load_sets(directory) for page in dataset.pages):
        html = re.sub("charset", "", page.html(), flags=re.IGNORECASE)
        language = scan_head(html).language or ""
        if language not in encodings or taken[language] == most:
            continue
        taken[language] += 1
        for encoding in encodings[language]:
            body = encoded(html, encoding)
            if not body.isascii():
                yield EncodedPage(language, encoding, html, body)


def compare(pages: Iterable[EncodedPage]) -> None:
    """Print a line per reader: pages that are read rightly, milliseconds a page, and what went wrong."""
    pages = list(pages)
    print(f"{len(pages)} pages, {sum(len(page.body) for page in pages) / len(pages):,.0f} bytes each")
    for name, read in readers():
        start, wrong = time.process_time(), []
        texts = [read(page.body) for page in pages]
        spent = time.process_time() - start
        wrong = [page.name for page, text in zip(pages, texts, strict=True) if not same_text(text, page.html)]
        often = ", ".join(f"{page} {times}" for page, times in Counter(wrong).most_common(6))
        print(f"{name:28} {1 - len(wrong) / len(pages):.3f} {1000 * spent / len(pages):8.2f} ms  {often}")


if __name__ == "__main__":
    compare(encoded_pages())
    compare(encoded_pages(1))
    for directory in sys.argv[1:]:
        compare(labelled_pages(directory))

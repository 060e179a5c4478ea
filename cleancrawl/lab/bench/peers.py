"""Other extractors behind one call: a page in, its text out. None of them is given the network."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from lxml import etree
from lxml.html import HTMLParser

from cleancrawl.cleaner import clean
from cleancrawl.errors import ConfigError, MissingExtra
from cleancrawl.recipes import get_recipe
from cleancrawl.version import __version__


@dataclass(frozen=True, slots=True)
class Source:
    """What every extractor is given."""

    html: str
    url: str | None = None
    language: str | None = None
    """The declared language, a lower-case primary subtag."""


Extract = Callable[[Source], str]


@dataclass(frozen=True, slots=True)
class Extractor:
    name: str
    kind: str
    """``recipe``, ``peer`` or ``parse``."""
    version: str
    extract: Extract


def bare_parse() -> Extractor:
    """lxml's parse of the page and nothing else: the yardstick of cost."""

    def parse(source: Source) -> str:
        etree.fromstring(source.html.encode("utf-8", "replace"), HTMLParser(encoding="utf-8", huge_tree=True))
        return ""

    return Extractor("lxml parse", "parse", version("lxml"), parse)


def recipe_extractor(name: str) -> Extractor:
    """A recipe of this project; raises ``UnknownRecipe``."""
    recipe = get_recipe(name)
    return Extractor(name, "recipe", __version__, lambda source: clean(source.html, source.url, recipe).text)


def _trafilatura(*, fast: bool) -> Extract:
    extract = import_module("trafilatura").extract
    return lambda source: extract(source.html, url=source.url, include_comments=False, fast=fast) or ""


def _readability() -> Extract:
    document = import_module("readability").Document
    return lambda source: block_text(document(source.html, url=source.url).summary(html_partial=True))


def _justext() -> Extract:
    justext = import_module("justext")
    lists = {code: justext.get_stoplist(name) for code, name in _JUSTEXT_LANGUAGES.items()}

    def extract(source: Source) -> str:
        stop_words = lists.get(source.language or "en", lists["en"])
        paragraphs = justext.justext(source.html.encode("utf-8", "replace"), stop_words, encoding="utf-8")
        return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return extract


def _resiliparse() -> Extract:
    extract = import_module("resiliparse.extract.html2text").extract_plain_text
    return lambda source: extract(source.html, main_content=True, alt_texts=False, links=False, list_bullets=False)


def _newspaper() -> Extract:
    with warnings.catch_warnings():
        # It warns of optional packages that extraction does not use.
        warnings.simplefilter("ignore")
        article = import_module("newspaper").article
    return lambda source: article(source.url or "http://localhost/", input_html=source.html, fetch_images=False).text


def _boilerpy() -> Extract:
    extractor = import_module("boilerpy3.extractors").ArticleExtractor()
    return lambda source: extractor.get_content(source.html)


def _goose() -> Extract:
    goose = import_module("goose3")
    return lambda source: goose.Goose({"enable_image_fetching": False}).extract(raw_html=source.html).cleaned_text


PEERS: dict[str, tuple[str, Callable[[], Extract]]] = {
    "trafilatura": ("trafilatura", partial(_trafilatura, fast=False)),
    "trafilatura-fast": ("trafilatura", partial(_trafilatura, fast=True)),
    "readability-lxml": ("readability-lxml", _readability),
    "justext": ("jusText", _justext),
    "resiliparse": ("resiliparse", _resiliparse),
    "newspaper4k": ("newspaper4k", _newspaper),
    "boilerpy3": ("boilerpy3", _boilerpy),
    "goose3": ("goose3", _goose),
}
"""Name → distribution, and a function that imports it and gives back the call."""


def load_peer(name: str) -> Extractor:
    """One peer; raises ``ConfigError`` for an unknown name and ``MissingExtra`` where it is not installed."""
    if name not in PEERS:
        raise ConfigError(f"unknown peer {name!r}: use some of {', '.join(PEERS)}")
    distribution, make = PEERS[name]
    try:
        return Extractor(name, "peer", version(distribution), make())
    except (ImportError, PackageNotFoundError):
        raise MissingExtra(distribution, "bench") from None


def load_peers(names: Sequence[str]) -> tuple[list[Extractor], list[str]]:
    """The peers that are installed, and one line for each that is not."""
    loaded: list[Extractor] = []
    missing: list[str] = []
    for name in names:
        try:
            loaded.append(load_peer(name))
        except MissingExtra as error:
            missing.append(str(error))
    return loaded, missing


_BLOCK_TAGS = frozenset(
    "address article aside blockquote body br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4"
    " h5 h6 header hr html li main nav ol p pre section table tbody td tfoot th thead tr ul".split()
)


def block_text(html: str) -> str:
    r"""The text of clean HTML with a line per block, for peers that give back HTML.

    >>> block_text("<div><p>One <b>b</b>ig<p>two<br>three</div>")
    'One big\ntwo\nthree'
    >>> block_text("")
    ''
    """
    if not html.strip():
        return ""
    root: Any = etree.fromstring(html, HTMLParser(remove_comments=True, remove_pis=True))
    pieces: list[str] = []
    if root is not None:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if element.tag in _BLOCK_TAGS:
                pieces.append("\n")
            piece = element.text if event == "start" else element.tail
            if piece:
                pieces.append(" ".join(f"|{piece}|".split())[1:-1])
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)


_JUSTEXT_LANGUAGES = {
    "af": "Afrikaans",
    "ar": "Arabic",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nb": "Norwegian_Bokmal",
    "nl": "Dutch",
    "no": "Norwegian_Bokmal",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
}
"""The stop lists that jusText ships, by language code."""

"""The data that the papers measure on, as it is handed out: CleanEval and L3S-GN1.

The layouts were read off what other projects do with the files: CleanEval's and CleanPortalEval's directories, the
wrapper of its pages and the first line of its gold files off the web content extraction benchmark of Bevendorff and
others (2023) and off dragnet; L3S-GN1's classes and its list of addresses off page-signal, BoilerNet and Palladian.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from cleancrawl.core.html.decode import decode
from cleancrawl.core.html.dom import parse_tree
from cleancrawl.core.html.tags import ALWAYS_UNSEEN, BLOCK_TAGS
from cleancrawl.core.text.words import normalise

Record = dict[str, Any]
HTML = "html file"
"""Where a record says which file its page is."""

_PAGES_AND_GOLD = (
    ("en_original", "en_cleaned"),
    ("zh_original", "zh_cleaned"),
    ("original", "cleaned"),
    ("orig", "clean"),
    ("input", "GoldStandard"),
    (".", "."),
)
_SUFFIX = "-cleaned"
_ADDRESS = re.compile(r"\s*URL:[ \t]*(\S*)[^\n]*\n?")
_MARKS = re.compile(r"</?[phl]>", re.IGNORECASE)
_WRAPPER = re.compile(rb"\s*<text\s([^>]{0,2000})>")
_WRAPPER_END = re.compile(rb"</text>\s*\Z")
_ENCODING = re.compile(rb"""encoding\s*=\s*["']?([\w.:-]+)""")

CONTENT_CLASSES = frozenset({1, 2, 3})
"""Of L3S-GN1: headline, full text, supplement. 0 is no content, 4 are related contents, 5 readers' comments."""
_HEADLINE = 1
_CLASS = re.compile(r"\bx-nc-sel(\d)\b")
_LISTED = re.compile(r"<urn:uuid:([\w-]+)>\s+(\S+)")


def is_cleaneval(directory: Path) -> bool:
    return _cleaneval_directories(directory) is not None


def _cleaneval_directories(directory: Path) -> tuple[Path, Path] | None:
    """Where the pages and where the gold files are."""
    for pages, gold in _PAGES_AND_GOLD:
        # A directory of all kinds of files is a set only where gold files carry their name.
        name = f"*{_SUFFIX}.txt" if gold == "." else "*.txt"
        found = directory / pages, directory / gold
        if any(found[0].glob("*.html")) and any(found[1].glob(name)):
            return found
    return None


def cleaneval_records(directory: Path) -> Iterator[Record]:
    """``ID.html`` with ``ID-cleaned.txt`` or ``ID.txt``: the address, then lines marked as P, H or L."""
    pages, gold = _cleaneval_directories(directory) or (directory, directory)
    for path in sorted(gold.glob(f"*{_SUFFIX}.txt" if pages == gold else "*.txt")):
        page_id = path.stem.removesuffix(_SUFFIX)
        url, text = cleaneval_text(decode(path.read_bytes(), "text/plain")[0])
        yield {"id": page_id, "url": url, "text": text, HTML: pages / f"{page_id}.html"}


def cleaneval_text(gold: str) -> tuple[str | None, str]:
    """The address and the text of a gold file.

    >>> cleaneval_text("URL: http://a.example/\\n\\n<h>Title\\n<p>One\\ntwo.\\n<l>Item")
    ('http://a.example/', 'Title\\nOne two.\\nItem')
    """
    address = _ADDRESS.match(gold)
    rest = gold[address.end() :] if address else gold
    lines = (normalise(piece) for piece in _MARKS.split(rest))
    return (address[1] or None) if address else None, "\n".join(line for line in lines if line)


def unwrapped(body: bytes) -> tuple[bytes, str | None]:
    """A page of CleanEval without the element around it, and the encoding stated there; other pages as they are.

    >>> unwrapped(b'<text id="1" title="" encoding="iso-8859-1">\\n<html></html>\\n</text>')
    (b'\\n<html></html>\\n', 'iso-8859-1')
    >>> unwrapped(b"<html><text>a</text></html>")
    (b'<html><text>a</text></html>', None)
    """
    start = _WRAPPER.match(body)
    if start is None:
        return body, None
    stated = _ENCODING.search(start[1])
    end = _WRAPPER_END.search(body, max(start.end(), len(body) - 100))
    return body[start.end() : end.start() if end else None], stated[1].decode() if stated else None


def is_l3s(directory: Path) -> bool:
    return any((directory / "annotated").glob("*.html")) and (directory / "original").is_dir()


def l3s_records(directory: Path) -> Iterator[Record]:
    """``original/ID.html`` with ``annotated/ID.html``, addresses in ``url-mapping.txt``."""
    listed = directory / "url-mapping.txt"
    addresses = dict(_LISTED.findall(decode(listed.read_bytes())[0])) if listed.is_file() else {}
    for path in sorted((directory / "annotated").glob("*.html")):
        html = decode(path.read_bytes())[0]
        yield {
            "id": path.stem,
            "url": addresses.get(path.stem),
            "page_type": "article",
            "title": annotated_text(html, frozenset({_HEADLINE})).replace("\n", " "),
            "text": annotated_text(html),
            HTML: directory / "original" / path.name,
        }


def annotated_text(html: str, classes: frozenset[int] = CONTENT_CLASSES) -> str:
    """The text whose innermost annotation is one of these classes; block-level tags start a line.

    >>> annotated_text('<p><span class="x-nc-sel2">One <b>two</b><span class="x-nc-sel0"> ad</span></span> menu<p>x')
    'One two'
    """
    parts: list[str] = []
    around = [0]
    walk = etree.iterwalk(parse_tree(html), events=("start", "end"))
    for event, node in walk:
        if event == "start" and node.tag in ALWAYS_UNSEEN:
            walk.skip_subtree()
            around.append(around[-1])
            continue
        if event == "start":
            found = _CLASS.search(node.get("class") or "")
            around.append(int(found[1]) if found else around[-1])
        else:
            around.pop()
        if node.tag in BLOCK_TAGS or node.tag == "br":
            parts.append("\n")
        text = node.text if event == "start" else node.tail
        if text and around[-1] in classes:
            parts.append(text.replace("\n", " "))
    return "\n".join(line for line in map(normalise, "".join(parts).split("\n")) if line)

"""Application shells: pages whose HTML has no content of its own, since scripts fetch and show it."""

from __future__ import annotations

from functools import cache
from itertools import islice

from lxml import etree
from lxml.html import HtmlElement

from cleancrawl.core.html.dom import fits_tree, parse_source
from cleancrawl.core.html.head import source_bytes
from cleancrawl.core.text.words import count_words
from cleancrawl.data import read_sections

NEEDS_BROWSER = "needs-browser"
"""Reason of a page that is a shell."""
MOST_WORDS = 40
"""Of a shell, outside of its navigation: a page that says more is none."""
MOST_ASIDE = 80
"""Words in navigation, header and footer that are no links: some pages have never closed theirs."""
MOST_INSIDE = 8
"""Words where the content will be: "Loading, please wait"."""
MOST_UNSCRIPTED = 100
"""Words for browsers without scripts: some sites have their whole pages there."""
_LONGEST_NOTICE, _MOST_NOTICES = 2_000, 20
_ASIDE = frozenset({"nav", "header", "footer", "aside"})
_ASIDE_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alertdialog"})
_NOT_SHOWN = frozenset("head script style noscript template svg iframe object video audio canvas select".split())
_MOUNTS = frozenset({"div", "main", "section", "article", "body"})
_JAVASCRIPT = "javascript"
"""Written the same in all languages."""
_LONGEST_SOURCE = 4_000_000


def is_shell(html: str) -> bool:
    """Whether a page is an application shell: it loads scripts, has an empty place for what they will show, and says
    next to nothing itself. A page with running text is never one.

    >>> is_shell('<title>News</title><div id="root"></div><script src="/main.js"></script>')
    True
    >>> is_shell('<div id="root"><p>' + "A storm hit the coast. " * 9 + '</p></div><script src="/main.js"></script>')
    False
    >>> is_shell('<div id="root"></div>'), is_shell("")
    (False, False)
    """
    # Looked for first: pages without either are not parsed.
    if len(html) > _LONGEST_SOURCE or "<script" not in html:
        return False
    source = source_bytes(html)
    root = parse_source(source) if fits_tree(source) else None
    return root is not None and is_shell_tree(root)


def is_shell_tree(root: HtmlElement) -> bool:
    """The same of a parsed page; ends with the first words that are too many, so it costs most pages nothing."""
    body = root.find("body")
    if body is None or not _loads_scripts(root):
        return False
    notices = islice(root.iter("noscript"), _MOST_NOTICES)
    unscripted = " ".join("".join(element.itertext())[:_LONGEST_NOTICE] for element in notices)
    if count_words(unscripted) > MOST_UNSCRIPTED:
        return False
    named, unnamed = _mounts(body)
    return named or (unnamed and _JAVASCRIPT in unscripted.lower())


def _loads_scripts(root: HtmlElement) -> bool:
    return any(script.get("src") or script.get("type") == "module" for script in root.iter("script"))


def _mounts(body: HtmlElement) -> tuple[bool, bool]:
    """Whether a place with a framework's name is empty, and whether any is; neither where the page says something."""
    ids, tags = _known()
    words, aside, named, unnamed = 0, 0, False, False
    opened: list[tuple[HtmlElement, int, bool]] = []
    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            tag = element.tag if isinstance(element.tag, str) else ""
            if not tag or tag in _NOT_SHOWN:
                walk.skip_subtree()
                continue
            if tag in _ASIDE or element.get("role") in _ASIDE_ROLES:
                walk.skip_subtree()
                aside += _unlinked_words(element)
                continue
            if tag in _MOUNTS or "-" in tag:
                known = tag in tags or (element.get("id") or "").lower() in ids or element.get("ng-app") is not None
                if known or "-" in tag or (tag != "body" and element.getparent() is body):
                    opened.append((element, words, known))
            words += count_words(element.text) if element.text else 0
        else:
            if opened and opened[-1][0] is element:
                _, before, known = opened.pop()
                empty = words - before <= MOST_INSIDE
                named, unnamed = named or (known and empty), unnamed or empty
            if element is not body and element.tail:
                words += count_words(element.tail)
        if words > MOST_WORDS or aside > MOST_ASIDE:
            return False, False
    return named, unnamed


def _unlinked_words(element: HtmlElement) -> int:
    """Words of an element that are shown and in no link; no more than are too many."""
    words = 0
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, part in walk:
        if event == "start":
            if part.tag == "a" or part.tag in _NOT_SHOWN or not isinstance(part.tag, str):
                walk.skip_subtree()
            elif part.text:
                words += count_words(part.text)
        elif part is not element and part.tail:
            words += count_words(part.tail)
        if words > MOST_ASIDE:
            break
    return words


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    sections = read_sections("app_mounts.txt")
    ids, tags = (frozenset(name for line in sections[key] for name in line.split()) for key in ("ids", "tags"))
    return ids, tags

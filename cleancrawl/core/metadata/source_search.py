"""Finding a few elements in the source, without a parse: only used where the structured data is silent."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterable, Iterator, Mapping

from cleancrawl.core.html.source_signs import HEADLINE, TIME, search_for

# These are for sources that end with ">": each tag then has an end, and none is looked for in vain.
_TAG = re.compile(r"<[^>]*+>?")
_BREAKS = re.compile(r"<(?:br|/p|/div|/li|/h\d|/span|/a|p|div|li)\b[^>]*+>?", re.I)
_SPECIAL = re.compile(r"<(?:(!--)|(?:script|style|svg|noscript)\b[^>]*+>?)", re.I)
_SPECIAL_END = re.compile(r"</(?:script|style|svg|noscript)\s*+>", re.I)
_NAME = re.compile(r"<([a-zA-Z][a-zA-Z0-9]*)")
_DATETIME = re.compile(r"""\sdatetime\s*=\s*["']?([^"'>]+)""", re.I)
_STATED = re.compile(
    r"ubli(?:sh(?:ed|Date|_date|ed_?[aA]t|ed_?[dD]ate\w*|edTime|edOn)?|cationDate)(?:\\?[\"']|&quot;)"
    r"\s*(?::|\s[^<>]{0,60}content\s*=)\s*(?:\\?[\"']|&quot;)((?:19|20)\d\d-\d\d-\d\d[T \d:.+\-Z]*)"
)
_DATED = re.compile(r">([^<>]{0,60}(?<!\d)(?:19|20)\d\d(?!\d)[^<>]{0,40})<")
_LONGEST_TAG = 1_000
_MOST_TRIES = 200
_HEAD = 50_000
# Parts of names, as news pages give them, in the order in which they are trusted.
AUTHOR_MARKS = ("author", "byline", "autor")
DATE_MARKS = ("date", "Date", "publish", "datum", "byline", "meta")
PUBLICATION_MARKS = ("publish", "pubdate", "pub_date", "datecreated")
_IN_UPPER_CASE = "<BODY"
_WINDOW_SIGNS = tuple(dict.fromkeys((*AUTHOR_MARKS, *DATE_MARKS, TIME, _IN_UPPER_CASE)))
_PROBES = ("uth", "yl·n", "u·or", "d·te", "D·te", "bl·s", "d·tu", "m·ta", "<t·m", "<·O")
_in_window = search_for(_WINDOW_SIGNS, _PROBES)
_PUBLICATION = "ubli"
_in_page = search_for((_PUBLICATION,), ("u·li",))


def plain(markup: str, separator: str = "") -> str:
    """The text of a piece of markup.

    >>> plain("<b>A</b>&amp;B<script>x</script> <p>C</p>", separator=" | ")
    'A&B | C'
    """
    text = entities.unescape(_without_markup(markup, "\n" if separator else "") if "<" in markup else markup)
    parts = (" ".join(part.split()) for part in text.split("\n")) if separator else (" ".join(text.split()),)
    return separator.join(part for part in parts if part)


def _without_markup(markup: str, line_break: str) -> str:
    """The source without tags, comments and code; what is not closed stays but for its tag.

    >>> _without_markup("a<!--b-->c<script>d</script>e<style>f<br>g<!-- h", "|"), _without_markup("1 < 2", "")
    ('acef|g<!-- h', '1 < 2')
    """
    end = markup.rfind(">") + 1
    body, rest = _without_special(markup[:end]), markup[end:]
    return _TAG.sub("", _BREAKS.sub(line_break, body) if line_break else body) + rest


def _without_special(body: str) -> str:
    """The source without comments and without elements that hold code. An end that is not there is looked for once."""
    parts: list[str] = []
    position, comment_end, code_end = 0, 0, 0
    special = _SPECIAL.search(body)
    while special is not None and (comment_end >= 0 or code_end >= 0):
        behind = special.end()
        if special[1]:
            comment_end = body.find("-->", behind) if 0 <= comment_end < behind else comment_end
            stop = comment_end + 3 if comment_end >= 0 else -1
        else:
            if 0 <= code_end < behind:
                found = _SPECIAL_END.search(body, behind)
                code_end = found.end() if found else -1
            stop = code_end
        if stop >= 0:
            parts.append(body[position : special.start()])
            position = behind = stop
        special = _SPECIAL.search(body, behind)
    return "".join((*parts, body[position:])) if parts else body


def tidy(text: str) -> str:
    """A value as text: many are escaped twice, or hold markup.

    >>> tidy("Food &amp;amp; <b>Drink</b>"), tidy("1 < 2")
    ('Food & Drink', '1 < 2')
    """
    return plain(entities.unescape(text)) if "&" in text or "</" in text else text


def headings(html: str, first: int, most: int = 3) -> list[str]:
    """The texts of the first ``h1`` elements; ``first`` is where ``<h1`` first is, -1 where it is not.

    >>> headings("<h1 class=x>A <i>b</i></h1><h2>c</h2><h1></h1>", 0)
    ['A b']
    """
    found: list[str] = []
    for start, _tag in _opened(html, HEADLINE, most, first):
        end = html.find("</h1", start, start + 5_000)
        text = plain(html[start:end]) if end > 0 else ""
        if text:
            found.append(text)
    return found


def window(html: str, first: int, before: int = 10_000, after: int = 40_000) -> str:
    """The source around the first ``h1``, or the beginning where there is none: where bylines and dates stand."""
    return html[max(0, first - before) : first + after] if first >= 0 else html[: before + 2 * after]


def window_places(window: str) -> dict[str, list[int]]:
    """Where the marks of authors and dates, ``<time`` and ``<BODY`` are found: all in one pass."""
    return dict(zip(_WINDOW_SIGNS, _in_window.places(window, len(window)), strict=True))


def near_heading(html: str, first: int, length: int = 3_000) -> tuple[list[str], list[str]]:
    """The lines before the first ``h1`` and those behind it: where readers look for a date.

    >>> near_heading("<i>May 1</i><p>May 2</p><h1>A</h1><p>May 3</p>", 24)
    (['May 1', 'May 2'], ['May 3'])
    """
    for start, tag in _opened(html, HEADLINE, 1, first):
        end = html.find("</h1", start, start + 5_000)
        if end < 0:
            break
        before = html[max(0, start - len(tag) - length // 3) : start - len(tag)]
        return plain(before, "\n").split("\n"), plain(html[end + 5 : end + 5 + length], "\n").split("\n")
    return [], []


def dated_texts(html: str, most: int = 40) -> Iterator[str]:
    """Short texts of the page that name a year, in order; no copyright lines.

    >>> list(dated_texts("<p>Stand: 3. Mai 2024</p><p>© 2024 Us</p>"))
    ['Stand: 3. Mai 2024']
    """
    for match in _DATED.finditer(html):
        text = match[1]
        if "©" not in text and "&copy;" not in text and "pyright" not in text and "{" not in text:
            most -= 1
            yield " ".join(entities.unescape(text).split())
        if most <= 0:
            return


def stated_date(html: str) -> str | None:
    """The publication date in a page's embedded state (``"publishedAt":"2024-05-03"``), where it has one.

    >>> stated_date('<script>{\\"publishedAt\\":\\"2024-05-03T10:00\\"}</script>')
    '2024-05-03T10:00'
    """
    (places,) = _in_page.places(html, _MOST_TRIES)
    return next((match[1] for place in places if (match := _STATED.match(html, place))), None)


def times(html: str, places: Mapping[str, list[int]], most: int = 8) -> Iterator[tuple[str, str, str]]:
    """Of the first ``time`` elements: the start tag, its ``datetime`` and the text; ``places`` are ``window_places``.

    >>> html = '<time class="p" datetime="2024-05-03">May 3</time>'
    >>> list(times(html, window_places(html)))
    [('<time class="p" datetime="2024-05-03">', '2024-05-03', 'May 3')]
    """
    if not places[TIME] and not places[_IN_UPPER_CASE]:
        return
    for start, tag in _opened(html, TIME, most, next(iter(places[TIME]), -1)):
        match = _DATETIME.search(tag)
        end = html.find("</time", start, start + 500)
        yield tag, match[1].strip() if match else "", plain(html[start:end]) if end > 0 else ""


def marked(html: str, places: Iterable[int], most: int = 12, length: int = 600) -> Iterator[tuple[str, str]]:
    """The start tags whose attributes hold a word, each with the text of its element (lines joined by newlines).

    ``places`` are those of the word in the source.

    >>> list(marked('<p class="byline">By <a href="#">A B</a></p> byline', [10, 45]))
    [('<p class="byline">', 'By A B')]
    """
    position, tried = 0, 0
    for place in places:
        if place < position:
            continue
        if tried == _MOST_TRIES or most <= 0:
            return
        tried += 1
        start = html.rfind("<", max(0, place - _LONGEST_TAG), place)
        end = html.find(">", place, place + _LONGEST_TAG)
        if start < 0 or end < 0 or html.find(">", start, place) >= 0:
            continue
        tag = html[start : end + 1]
        name = _NAME.match(tag)
        if name is None or name[1].lower() in ("script", "style", "link", "html", "body", "img", "input", "iframe"):
            continue
        if name[1].lower() == "meta":
            continue
        most -= 1
        position = end
        yield tag, plain(_element(html, name[1], end + 1, length), separator="\n")


def _element(html: str, name: str, start: int, length: int) -> str:
    """The source up to the closing tag at the same level, at most ``length`` characters."""
    stop = start + length * 4
    depth, position = 1, start
    opening, closing = f"<{name}", f"</{name}"
    while depth:
        close = html.find(closing, position, stop)
        if close < 0:
            return html[start:stop]
        depth += html.count(opening, position, close) - 1
        position = close + len(closing)
    return html[start:close]


def _opened(html: str, opening: str, most: int, first: int) -> Iterator[tuple[int, str]]:
    """(position behind the start tag, start tag) of the first elements; in upper case only where the page is."""
    position = first
    while most > 0 and position >= 0:
        end = html.find(">", position, position + _LONGEST_TAG)
        if end > 0 and html[position + len(opening)] in " \t\n\r>":
            most -= 1
            yield end + 1, html[position : end + 1]
        position = html.find(opening, position + len(opening))
    if most > 0 and opening.islower() and html.find(_IN_UPPER_CASE, 0, _HEAD) >= 0:
        upper = opening.upper()
        yield from _opened(html, upper, most, html.find(upper))

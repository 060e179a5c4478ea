"""What kinds of false text an extraction keeps, and what kinds of text it loses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from cleancrawl.cleaner import clean
from cleancrawl.data import read_text
from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.metrics import shingles, tokens
from cleancrawl.lab.bench.predictions import text_of
from cleancrawl.lab.bench.text_tables import markdown_table, share
from cleancrawl.recipes import get_recipe

_SHORT = 8  # a line of fewer words is no sentence
_LABEL = 25  # phrases name the kind of a line up to this many words; a longer one is a paragraph that mentions them
_SHINGLE = 4
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")


@dataclass(slots=True)
class Kinds:
    """Wrong lines by kind: how many, how many words, and the sum over pages of their share in the page's text."""

    lines: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    shares: dict[str, float] = field(default_factory=dict)
    pages: int = 0

    def add(self, found: Iterable[tuple[str, int]], total: int) -> None:
        self.pages += 1
        for kind, count in found:
            self.lines[kind] += 1
            self.words[kind] += count
            self.shares[kind] = self.shares.get(kind, 0.0) + count / max(total, 1)

    def table(self, title: str) -> str:
        whole = sum(self.shares.values())
        rows = [
            [kind, share(value / whole), share(value / self.pages), f"{self.words[kind]:,}", f"{self.lines[kind]:,}"]
            for kind, value in sorted(self.shares.items(), key=lambda item: -item[1])
        ]
        rows.append(["all", "1.000", share(whole / self.pages), f"{self.words.total():,}", f"{self.lines.total():,}"])
        return markdown_table([title, "share", "of a page's text", "words", "lines"], rows)


def report(pages: Sequence[GoldPage], recipe: str, texts: Mapping[str, str] | None = None) -> str:
    """Tables of false and of lost text over the pages, from a recipe or from texts made elsewhere."""
    read = _cleaned(recipe) if texts is None else lambda page: text_of(texts, page)
    false, lost = Kinds(), Kinds()
    for page in pages:
        text = read(page)
        if page.text is None:
            false.add(unwanted_lines(text, page.must_not_have), len(tokens(text)))
        else:
            false.add(false_lines(text, page.text), len(tokens(text)))
            lost.add(lost_lines(text, page.text), len(tokens(page.text)))
    tables = [false.table("false text")]
    return "\n\n".join([*tables, lost.table("lost text")] if lost.pages else tables)


def _cleaned(recipe: str) -> Callable[[GoldPage], str]:
    chosen = get_recipe(recipe)
    return lambda page: clean(page.html(), page.url, chosen).text


def false_lines(text: str, gold: str) -> list[tuple[str, int]]:
    """Kind and words of the lines that are mostly not in the gold, more often than there, or out of their place.

    >>> gold = "The mill burnt down on Monday night.\\nNobody was hurt in the fire."
    >>> false_lines("By Ada Brook\\nThe mill burnt down on Monday night.\\nRead more: fires of the year", gold)
    [('byline', 3), ('related', 6)]
    """
    return [
        ("duplicate" if copied else kind_of(line, after_first, before_last), words)
        for line, words, copied, after_first, before_last in false_parts(text, gold)
    ]


def false_parts(text: str, gold: str) -> list[tuple[str, int, bool, int, int]]:
    """The false lines: the line, its words, whether it is a copy, and where it stands from the first and to the last
    right line."""
    wanted = shingles(_words(gold))
    gold_lines = {" ".join(_words(line)) for line in gold.splitlines()}
    lines = [(line, _words(line)) for line in text.splitlines()]
    seen: Counter[tuple[str, ...]] = Counter()
    verdicts = []
    for line, words in lines:
        if len(words) < _SHINGLE:
            false = bool(words) and " ".join(words) not in gold_lines
            copied = False
        else:
            own = shingles(words)
            before = {shingle: min(count, max(0, wanted[shingle] - seen[shingle])) for shingle, count in own.items()}
            seen.update(own)
            false = sum(before.values()) < own.total() / 2
            copied = all(shingle in wanted for shingle in own)
        verdicts.append((line, words, false, copied))
    right = [place for place, verdict in enumerate(verdicts) if verdict[1] and not verdict[2]]
    first, last = (right[0], right[-1]) if right else (0, len(verdicts))
    return [
        (line, len(words), copied, place - first, last - place)
        for place, (line, words, false, copied) in enumerate(verdicts)
        if false
    ]


def lost_lines(text: str, gold: str) -> list[tuple[str, int]]:
    """Kind and words of the gold's lines that are mostly not in the text.

    >>> lost_lines("The mill burnt down.", "The mill burnt down.\\nNobody was hurt in the fire, said the mayor.")
    [('paragraph', 9)]
    """
    return [(kind_of(line), words) for line, words, gone in lost_parts(text, gold) if gone]


def lost_parts(text: str, gold: str) -> list[tuple[str, int, bool]]:
    """The gold's lines with their words, and whether they are mostly not in the text."""
    got, flat = shingles(_words(text)), f" {' '.join(_words(text))} "
    lines = []
    for line in gold.splitlines():
        words = _words(line)
        own = shingles(words)
        if len(words) < _SHINGLE:
            gone = bool(words) and f" {' '.join(words)} " not in flat
        else:
            gone = sum(count for shingle, count in own.items() if shingle in got) < own.total() / 2
        if words:
            lines.append((line, len(words), gone))
    return lines


def unwanted_lines(text: str, snippets: Iterable[str]) -> list[tuple[str, int]]:
    """Kind and words of the lines that hold a snippet they must not.

    >>> unwanted_lines("A fine day.\\nShare this article", ["Share this"])
    [('sharing', 3)]
    """
    needles = [" ".join(snippet.split()) for snippet in snippets]
    lines = (" ".join(line.split()) for line in text.splitlines())
    return [(kind_of(line), len(_words(line))) for line in lines if any(needle in line for needle in needles)]


def kind_of(line: str, after_first: int = 0, before_last: int = 0) -> str:
    """The kind of a line by its words, then by where it stands from the first and to the last right line.

    >>> kind_of("Our newsletter"), kind_of("It rained."), kind_of("The rain went on for days, he said.", 3, -1)
    ('newsletter', 'short line', 'paragraph after the end')
    """
    words = len(line.split())
    if words <= _LABEL:
        lowered = " ".join(line.lower().split())
        for kind, pattern in _patterns():
            if pattern.search(lowered):
                return kind
    shape = "short line" if words < _SHORT else "paragraph" if _SENTENCE_END.search(line.strip()) else "unfinished line"
    return shape + (" before the start" if after_first < 0 else " after the end" if before_last < 0 else "")


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    text = read_text("false_text_kinds.txt")
    patterns = []
    for line in text.splitlines()[1:]:
        kind, _, phrases = line.partition(":")
        alternatives = "|".join(re.escape(phrase.strip()) for phrase in phrases.split("|"))
        # Bylines are known by how they begin: "by" and "von" are in any sentence.
        opening = "^" if kind == "byline" else r"(?<!\w)"
        patterns.append((kind, re.compile(rf"{opening}(?:{alternatives})(?!\w)")))
    return patterns


def _words(text: str) -> list[str]:
    return tokens(text.lower())

"""Why each block of one page was kept or removed."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.block import Block
from cleancrawl.core.document import Document
from cleancrawl.core.page_kind import decide
from cleancrawl.report.markup import link, page, text

SHOWN_CHARACTERS, SHOWN_LINES = 600, 6
"""Longer blocks are folded."""
LONGEST_BLOCK, LONGEST_RESULT = 100_000, 1_000_000
"""Characters: of what is longer, the beginning. No browser shows more in a sensible time."""
_EVIDENCE = 3


@dataclass(slots=True)
class _Tally:
    """The blocks that met one fate."""

    stage: str
    rule: str
    blocks: int = 0
    words: int = 0
    evidence: tuple[str, ...] = ()

    def add(self, block: Block) -> None:
        self.blocks += 1
        self.words += block.words
        evidence = block.removed.evidence if block.removed else ""
        if evidence and evidence not in self.evidence and len(self.evidence) < _EVIDENCE:
            self.evidence += (evidence,)


def explain(document: Document) -> str:
    """A self-contained HTML report of one page: every block with its verdict, and a summary by rule."""
    title = document.title or document.url or "untitled page"
    sections = (_header(document, title), _summary(document), _blocks(document), _result(document))
    return page(f"{title} – cleancrawl explain", "\n".join(sections))


def _header(document: Document, title: str) -> str:
    blocks = document.blocks
    kept = [block for block in blocks if block.kept]
    metadata = document.metadata
    verdict = decide(document.page, metadata)
    facts = {
        "recipe": text(document.recipe),
        "kept": f"{len(kept):,} of {len(blocks):,} blocks, {_words(kept):,} of {_words(blocks):,} words",
        "left out": _left_out(document.page.left_out),
        "score": f"{document.score:.2f}",
        "article": f"{'yes' if verdict.is_article else f'no: {verdict.reason}'} (probability {verdict.score:.2f})",
        "language": text(metadata.language or ""),
        "published": text(metadata.published or ""),
        "authors": text(", ".join(metadata.authors)),
        "address": link(document.url),
    }
    shown = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
    return f'<header><h1 dir="auto">{text(title)}</h1><dl class="facts">{shown}</dl></header>'


def _left_out(blocks: int) -> str:
    return f"{blocks:,} more blocks: the page has too many, and only the longest were looked at" if blocks else ""


def _summary(document: Document) -> str:
    """The words of the page as one bar, and a row for each fate."""
    tallies = _tallies(document.blocks)
    total = sum(tally.words for tally in tallies) or 1
    bar = "".join(
        f'<span class="{tally.stage}" style="flex-grow:{tally.words}" '
        f'title="{text(tally.rule)}: {tally.words:,} words"></span>'
        for tally in tallies
        if tally.words
    )
    rows = "".join(
        f'<tr class="{tally.stage}"><td><i class="dot"></i>{tally.stage}</td><td>{text(tally.rule)}</td>'
        f'<td class="number">{tally.blocks:,}</td><td class="number">{tally.words:,}</td>'
        f'<td class="number">{tally.words / total:.0%}</td><td dir="auto">{text(" · ".join(tally.evidence))}</td></tr>'
        for tally in tallies
    )
    head = (
        "<tr><th>stage</th><th>rule</th><th>blocks</th><th>words</th><th>share</th><th>evidence, for example</th></tr>"
    )
    return f'<section><h2>Verdicts</h2><div class="bar">{bar}</div><table>{head}{rows}</table></section>'


def _tallies(blocks: list[Block]) -> list[_Tally]:
    """Kept first, then the rules by words removed."""
    tallies: dict[tuple[str, str], _Tally] = {}
    for block in blocks:
        fate = _fate(block)
        tallies.setdefault(fate, _Tally(*fate)).add(block)
    return sorted(tallies.values(), key=lambda tally: (tally.stage != "kept", -tally.words, tally.rule))


def _fate(block: Block) -> tuple[str, str]:
    return (_stage(block), block.removed.rule if block.removed else "")


def _stage(block: Block) -> str:
    """One of the names that the style sheet has a colour for."""
    if block.removed is None:
        return "kept"
    return block.removed.stage if block.removed.stage in ("primary", "secondary", "score") else "other"


def _blocks(document: Document) -> str:
    notes = document.page.notes
    items = "\n".join(_block(block, notes.get(block.index, "")) for block in document.blocks)
    choices = "".join(
        f'<label><input type="radio" name="show" id="show-{name}"{checked}/>{name}</label>'
        for name, checked in (("all", ' checked=""'), ("kept", ""), ("removed", ""))
    )
    return f'<section class="blocks"><h2>Blocks</h2><form>{choices}</form><ol start="0">{items}</ol></section>'


def _block(block: Block, note: str) -> str:
    removed = block.removed
    verdict = f"{text(removed.stage)}: {text(removed.rule)}" if removed else "kept"
    score = "" if block.score is None else f"{block.score:.2f}"
    told = removed.evidence if removed and removed.evidence != score else ""
    evidence = f'<q dir="auto">{text(told)}</q>' if told else ""
    linked = f" · {block.link_words / block.words:.0%} linked" if block.words and block.link_words else ""
    facts = f"<code>{text(block.tag)}</code> {_count(block.words, 'word')}{linked}"
    if block.score is not None:
        share = min(max(block.score, 0.0), 1.0)
        facts += f' · <meter min="0" max="1" value="{share:.3f}"></meter> {score}'
    noted = f'<p class="note">{text(note)}</p>' if note else ""
    return (
        f'<li class="{_stage(block)}"><div class="verdict"><b>{verdict}</b>{evidence}<span>{facts}</span></div>'
        f"{noted}{_text_of(block)}</li>"
    )


def _text_of(block: Block) -> str:
    start = "\n".join(block.text[:SHOWN_CHARACTERS].split("\n", SHOWN_LINES)[:SHOWN_LINES])
    hidden = len(block.text) - len(start)
    if not hidden:
        return f'<div class="text" dir="auto">{text(block.text)}</div>'
    return (
        f'<details class="text" dir="auto"><summary>{text(start)}… <em>{hidden:,} more characters</em></summary>'
        f"{_beginning(block.text, LONGEST_BLOCK)}</details>"
    )


def _result(document: Document) -> str:
    plain, markdown = (_beginning(shown, LONGEST_RESULT) for shown in (document.text, document.markdown))
    return (
        '<section><h2>What is left</h2><details open=""><summary>text</summary>'
        f'<pre dir="auto">{plain}</pre></details>'
        f'<details><summary>Markdown</summary><pre dir="auto">{markdown}</pre></details></section>'
    )


def _beginning(shown: str, most: int) -> str:
    """
    >>> _beginning("a < b", 5), _beginning("a < b", 3)
    ('a &lt; b', 'a &lt;… <em>2 characters are not shown</em>')
    """
    rest = len(shown) - most
    return text(shown) if rest <= 0 else f"{text(shown[:most])}… <em>{rest:,} characters are not shown</em>"


def _words(blocks: list[Block]) -> int:
    return sum(block.words for block in blocks)


def _count(number: int, noun: str) -> str:
    """
    >>> _count(1, "word"), _count(1200, "word")
    ('1 word', '1,200 words')
    """
    return f"{number:,} {noun}" + ("" if number == 1 else "s")

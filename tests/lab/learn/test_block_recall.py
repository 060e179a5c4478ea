from __future__ import annotations

from collections import Counter

import numpy as np

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.lab.learn.block_recall import Tally, block_kinds, table, wanted_blocks

LONG = "a paragraph with as many words as a sentence of a story usually has, and then some"
HTML = f"""<p>The standfirst of the story says.</p><p>By Ada</p><p>{LONG}.</p><h2>Heading</h2>
<p>Short line of five words.</p>
<ul><li>An item</li></ul><table><tr><td>A cell</td></tr></table><dl><dt>Term</dt></dl>
<blockquote><p>Said the mayor</p></blockquote><p>{LONG}, again.</p><p>Menu</p>"""


def cut(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def test_kinds_of_wanted_blocks() -> None:
    page = cut(HTML)
    wanted = np.array([block.text != "By Ada" for block in page.blocks])
    assert block_kinds(page, wanted) == [
        *("standfirst", None, "paragraph", "heading", "short paragraph", "list item", "table cell", "definition"),
        *("quotation", "paragraph", None),
    ]


def test_a_block_is_wanted_as_often_as_the_gold_has_it() -> None:
    page = cut(f"<p>{LONG}.</p><p>Once upon a time there was.</p><p>Once upon a time there was.</p><p>{LONG}, so.</p>")
    gold = f"{LONG}.\nOnce upon a time there was.\n{LONG}, so."
    found = wanted_blocks(page, gold, Counter([f"{LONG}."]))
    assert [held for _, _, held in found] == [True, False, False]


def test_table_and_an_empty_page() -> None:
    tally = Tally()
    tally.add(10, True)
    tally.add(30, False)
    assert table({"paragraph": tally}).splitlines()[-1].split("|")[1:-1] == [
        *(" paragraph     ", "      2 ", "    40 ", "  .500 ", "        .250 ")
    ]
    assert wanted_blocks(cut(""), "", Counter()) == []

from __future__ import annotations

from cleancrawl.core.page import Page
from cleancrawl.core.render.plain_text import to_text
from cleancrawl.core.segmentation.text_blocks import TextBlocks


def text_of(html: str) -> str:
    page = Page(html)
    TextBlocks()(page)
    return to_text(page)


def test_cells_of_a_row_are_apart_by_tabs_and_paragraphs_of_a_cell_by_line_ends() -> None:
    assert text_of("<table><tr><td>Wind<td>Rain<tr><td>9<td>80</table>") == "Wind\tRain\n9\t80"
    text = "The first paragraph of all.<br><br>The second one.<br><br>And the third."
    assert text_of(f"<table><tr><td>{text}</td></tr></table>") == text.replace("<br><br>", "\n")

from __future__ import annotations

from cleancrawl.corpus.formats import to_markdown
from cleancrawl.corpus.stored_text import rendered_again
from tests.core.render.soup import document

PAGE = (
    "<nav>Home</nav><h2>News</h2><p>A <b>storm</b> hit<br>the coast.</p>"
    "<table><tr><th>Wind<th>Rain<tr><td>9<td>80</table>"
    "<p>Share</p><p>The end.</p>"
)
TEXT = "News\nA storm hit\nthe coast.\nWind\tRain\n9\t80\nThe end."


def test_the_text_decides_what_is_rendered() -> None:
    again = rendered_again(PAGE, "https://e.org/a", TEXT)
    assert again is not None
    assert again.text == TEXT
    assert again.markdown == (
        "## News\n\nA **storm** hit\\\nthe coast.\n\n| Wind | Rain |\n| --- | --- |\n| 9 | 80 |\n\nThe end."
    )


def test_text_that_is_not_in_the_page_gives_none() -> None:
    assert rendered_again(PAGE, None, TEXT + "\nAnother sentence that the page does not have.") is None
    assert rendered_again("", None, "A text.") is None
    assert document("").text == ""


def test_corpus_files_have_the_markup_where_the_page_was_kept() -> None:
    article = {"url": "https://e.org/a", "title": "Storm *9*", "text": TEXT, "html": PAGE}
    assert to_markdown(article).endswith(
        "---\n\n# Storm \\*9\\*\n\n## News\n\nA **storm** hit\\\nthe coast.\n\n| Wind | Rain |\n"
        "| --- | --- |\n| 9 | 80 |\n\nThe end.\n"
    )
    del article["html"]
    assert "\n\nthe coast.\n\nWind\tRain\n\n9\t80\n\n" in to_markdown(article)

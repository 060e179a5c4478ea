"""A paragraph about the author at the end goes; what is said of whom the text is about, or by whom, stays."""

from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.author_bios import AuthorBios

PROSE = "<p>The old bridge over the river was closed on Monday, and nobody could say for how long it would be.</p>"
BIO = "<p>Ruth E. Abara (37) covers bridges for the Courier, and lives in Lunn with two dogs.</p>"
NOTE = "<p>This text was first printed in the Courier.</p>"


def removed(html: str, *authors: str) -> list[tuple[str, str]]:
    """The beginning of each removed block, and why it went."""
    head = "".join(f'<meta name="author" content="{author}">' for author in authors or ("Ruth E. Abara",))
    page = Page(f"<html><head>{head}</head><body>{html}</body></html>")
    TextBlocks()(page)
    AuthorBios()(page)
    return [(block.text[:13], str(block.removed)) for block in page.blocks if block.removed]


GONE = ("Ruth E. Abara", "score: author-bio (Ruth E. Abara)")


def test_it_goes_from_the_end_with_its_evidence() -> None:
    assert removed(PROSE * 5 + BIO) == [GONE]
    assert removed(PROSE * 5 + NOTE + BIO + NOTE) == [GONE]


def test_each_of_several_authors_has_one() -> None:
    other = "<p>Jonas Weil, a photographer, took the pictures of the bridge.</p>"
    assert removed(PROSE * 5 + BIO + other, "Ruth E. Abara", "Jonas Weil") == [
        GONE,
        ("Jonas Weil, a", "score: author-bio (Jonas Weil)"),
    ]


@pytest.mark.parametrize(
    "html",
    [
        PROSE * 5 + BIO + PROSE,
        PROSE + "<p>Ever since it was built, the mayor said, Abara has looked after the old bridge.</p>" + PROSE + BIO,
        PROSE * 5 + "<p>Ruth E. Abara: The ferry will run every hour until the spring.</p>",
        PROSE * 5 + "<p>Ruth E. Abara, Courier</p>",
        PROSE * 5 + f"<p>Ruth E. Abara {'covers bridges ' * 80}</p>",
        PROSE * 5 + "<h2>Ruth E. Abara covers bridges for the Courier</h2>",
        PROSE * 5 + BIO.replace("Abara", "Abare"),
        PROSE * 2 + BIO,
    ],
    ids="not-at-the-end known-before answer byline essay heading somebody-else page-about-her".split(),
)
def test_what_is_text_stays(html: str) -> None:
    assert removed(html) == []


def test_an_author_of_one_word_is_no_name() -> None:
    assert removed(PROSE * 5 + "<p>Courier Reporters cover bridges, dogs and the river.</p>", "Courier") == []


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, AuthorBios) for stage in recipe().score)

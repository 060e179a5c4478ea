from __future__ import annotations

import pytest

from cleancrawl.core.article import Article
from cleancrawl.core.fingerprints.block_prints import page_prints
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.page import Page
from cleancrawl.core.parts.joining import JoinedPages, joined_prints
from tests.recipes_for_tests import paragraphs

FIRST = (
    "The storm reached the coast before dawn.",
    "Nobody had expected it so early in the year, and nobody had taken the boats out of the water in time.",
    "In the harbour the water stood two metres above the quay by eight, and it was still rising then.",
    "Nobody had expected that, either.",
    "Yes.",
)


def cleaned(*lines: str, url: str = "https://a.example/storm") -> Page:
    page = Page("".join(f"<p>{line}</p>" for line in lines), url)
    paragraphs().run(page)
    return page


def text(joined: JoinedPages) -> list[str]:
    article = Article("https://a.example/storm")
    joined.write(article, "paragraphs")
    assert article.word_count == sum(len(line.split()) for line in article.text.split("\n"))
    return article.text.split("\n")


def test_what_repeats_at_the_joints_is_marked_and_answers_are_not() -> None:
    metadata = Metadata(title="Storm on the coast")
    joined = JoinedPages(cleaned("Page 1 of 2", *FIRST), metadata)
    second = cleaned(
        "Storm on the coast",
        FIRST[3],
        "Was it the worst of all that you have seen?",
        "Yes.",
        "It was, by far.",
        FIRST[0],
    )
    assert joined.add(second, metadata, 2, sure=True)
    assert text(joined) == [*FIRST, "Was it the worst of all that you have seen?", "Yes.", "It was, by far."]
    rules = {block.text: block.removed.rule for page in joined.pages for block in page.blocks if block.removed}
    assert rules == {
        "Page 1 of 2": "pager",
        "Storm on the coast": "repeated-part",
        FIRST[3]: "repeated-part",
        FIRST[0]: "repeated-part",
    }


@pytest.mark.parametrize(
    ("lines", "metadata", "sure"),
    [
        (("A paragraph of another day, with enough words in it.",), Metadata(published="2026-03-02"), True),
        (("A paragraph of another story, with enough words in it.",), Metadata(title="Budget passed"), False),
        ((*FIRST, "A comment that the first page does not show, of many words."), Metadata(), True),
        (FIRST, Metadata(), True),
        ((), Metadata(), True),
    ],
)
def test_what_is_no_part_is_not_added(lines: tuple[str, ...], metadata: Metadata, sure: bool) -> None:
    own = Metadata(title="Storm on the coast", published="2026-03-01")
    joined = JoinedPages(cleaned(*FIRST), own)
    assert not joined.add(cleaned(*lines), metadata, 2, sure=sure)
    assert text(joined) == list(FIRST)


def test_a_version_on_one_page_must_have_the_first_part_and_more() -> None:
    more = "And then the sea came over the wall, and took the boats with it."
    joined = JoinedPages(cleaned(*FIRST), Metadata())
    assert not joined.replace_by(cleaned(*FIRST), Metadata())
    assert not joined.replace_by(cleaned(more, more, more), Metadata())
    assert joined.replace_by(cleaned(*FIRST, more), Metadata())
    assert text(joined) == [*FIRST, more]


def test_prints_of_several_pages_are_those_of_one() -> None:
    long = "A long paragraph with more than sixteen words in it so that it has a fingerprint of its own here."
    pages = [cleaned("Short."), cleaned("Two words.", long)]
    prints = [page_prints(page) for page in pages]
    joined = joined_prints(prints)
    assert list(joined.exact) == [*prints[0].exact, *prints[1].exact]
    assert list(joined.near([2, 0])) == [prints[1].near([1])[0], None]
    assert list(joined.samples) == ["Short.", "Two words.", long]

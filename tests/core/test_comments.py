"""Readers' comments: none in the text, all in ``document.comments``."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cleancrawl
from cleancrawl.core.article import Article
from cleancrawl.core.comments.comment_reader import Comment
from cleancrawl.corpus.formats import open_format
from cleancrawl.crawl.config import Config
from cleancrawl.crawl.recipe_choice import chosen_recipe
from cleancrawl.errors import ConfigError
from tests.core.comment_site import ARTICLE, Said, german, pages, said, wordpress

SITE = pages()


def test_the_site_has_ninety_comments() -> None:
    assert sum(len(remarks) for _, _, remarks in SITE) == 90


@pytest.mark.parametrize(("html", "remarks"), [page[1:] for page in SITE], ids=[page[0] for page in SITE])
def test_none_in_the_text_and_all_in_comments(html: str, remarks: list[Said]) -> None:
    document = cleancrawl.clean(html, url="https://paper.example/news/a-bridge")
    assert "remark" not in document.text
    shown = [line for line in ARTICLE if line in html]
    assert [line for line in shown if line not in document.text] == []
    assert [(c.author, (c.date or "")[:10], c.text) for c in document.comments] == [
        (remark.author, remark.date, "\n".join(remark.paragraphs)) for remark in remarks
    ]


def test_removals_say_what_told() -> None:
    found = {}
    for name, html, _ in SITE:
        document = cleancrawl.clean(html)
        found[name] = {b.removed.evidence for b in document.blocks if b.removed and b.removed.rule == "comments"}
    assert any("class, id or type" in text for texts in found.values() for text in texts)


@pytest.mark.parametrize("recipe", ["core-content", "shallow-features", "line-block"])
def test_other_recipes_tell_the_comments_too(recipe: str) -> None:
    name, html, remarks = SITE[2]
    assert name == "wordpress-2"
    assert len(cleancrawl.clean(html, recipe=recipe).comments) == len(remarks)


def test_wanted_comments_are_in_the_text_and_in_comments() -> None:
    _, html, remarks = SITE[0]
    document = cleancrawl.clean(html, comments=True)
    assert "remark 0-1" in document.text
    assert len(document.comments) == len(remarks)


FORUM = "".join(
    f'<div class="comment" id="post-{number}"><b class="username">{remark.author}</b> <i>{remark.date}</i>'
    f"{''.join(f'<p>{line}</p>' for line in remark.paragraphs)}<a href=#>Reply</a></div>"
    for number, remark in enumerate(said(9, number) for number in range(6))
)


@pytest.mark.parametrize(
    ("url", "head"),
    [
        ("https://forum.example.org/t/a-bridge/12", ""),
        ("https://example.org/x", "<meta name=generator content='Discourse 3.1'>"),
        ("https://example.org/x", '<script type="application/ld+json">{"@type": "QAPage"}</script>'),
    ],
)
def test_where_the_thread_is_the_content_it_stays(url: str, head: str) -> None:
    question = "".join(f"<p>{line}</p>" for line in ARTICLE[:2])
    html = f"<title>A bridge</title>{head}<body><h1>A bridge</h1><div class=question>{question}</div>{FORUM}"
    document = cleancrawl.clean(html, url=url)
    assert "comments" not in {block.removed.rule for block in document.blocks if block.removed}


def test_a_label_and_a_section_are_no_comments() -> None:
    lines = "".join(f"<p>{line}</p>" for line in ARTICLE)
    for heading in ("Kommentar", "Discussion", "Comments on the budget"):
        document = cleancrawl.clean(f"<title>A</title><h1>A</h1>{lines}<h2>{heading}</h2>{lines.replace('old', 'new')}")
        assert document.comments == []
        assert "new bridge" in document.text


def test_a_page_without_comments_has_none() -> None:
    assert cleancrawl.clean("").comments == []
    assert cleancrawl.clean("<p>" + "word " * 100).comments == []


PIECES = st.sampled_from(
    [
        *(f"<p>{line}</p>" for line in ARTICLE),
        wordpress([said(7, 1), said(7, 2)]),
        german([said(8, 1), said(8, 2), said(8, 3)]),
        "<div class=comment>",
        "<h3>3 Comments</h3>",
        "<p>Ann</p><p>2024-05-01</p><p>Reply</p>",
        "</div>",
        "<form>",
        "<table><tr><td>",
    ]
)


@given(st.lists(PIECES, max_size=14))
def test_never_raises_and_text_and_comments_are_disjoint(pieces: list[str]) -> None:
    document = cleancrawl.clean("".join(pieces))
    kept = {block.index for block in document.page.kept}
    texts = {block.text for block in document.blocks if block.index in kept}
    once = {block.text for block in document.blocks if [b.text for b in document.blocks].count(block.text) == 1}
    for comment in document.comments:
        assert isinstance(comment, Comment)
        assert comment.text
        assert not texts & once & set(comment.text.split("\n"))


def test_the_setting_has_three_values_and_refuses_others_in_one_line() -> None:
    read = [Config.from_settings({"CLEANCRAWL_COMMENTS": value}).comments for value in (True, "False", "field")]
    assert read == [True, False, "field"]
    with pytest.raises(ConfigError, match="CLEANCRAWL_COMMENTS must be True, False or 'field', not 'fields'"):
        Config.from_settings({"CLEANCRAWL_COMMENTS": "fields"})
    assert chosen_recipe(Config(comments="field")) == chosen_recipe(Config())


def test_the_field_goes_through_files(tmp_path: Path) -> None:
    _, html, remarks = SITE[0]
    url = "https://paper.example/a"
    document = cleancrawl.clean(html, url=url)
    assert Article.of(document, url=url, site="paper.example", fetched=0).comments is None
    article = Article.of(document, url=url, site="paper.example", fetched=0, comments=True).to_record()
    first = {"author": "Ann Lee", "date": "2024-05-01T10:15:00+00:00", "text": "\n".join(remarks[0].paragraphs)}
    assert article["comments"][0] == first
    for name in ("jsonl", "csv", "parquet"):
        writer = open_format(name, tmp_path / name)
        writer.write(article)
        writer.close()
    assert json.loads((tmp_path / "jsonl").read_text("utf-8"))["comments"] == article["comments"]
    assert "remark 0-3" in (tmp_path / "csv").read_text("utf-8")
    table = pyarrow.parquet.read_table(tmp_path / "parquet" / "part-00000.parquet")
    assert table.column("comments").to_pylist() == [article["comments"]]

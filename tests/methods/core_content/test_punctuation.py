"""METHODS A3: minimal subtree and punctuation."""

from __future__ import annotations

from cleancrawl import Page
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks, content_root
from cleancrawl.methods.core_content.punctuation import ALL_MARKS, PunctuationPruning, minimal_subtree

LONG = "ten words without a mark in them and so on"
SENTENCE = "Ten words with a mark in them, and so on, here."


def segment(*texts: str, tag: str = "div") -> Page:
    page = Page("<body><div>" + "".join(f"<{tag}>{text}</{tag}>" for text in texts) + "</div>")
    DivTdBlocks()(page)
    return page


def kept(*texts: str, stage: PunctuationPruning | None = None) -> list[str]:
    page = segment(*texts)
    (stage or PunctuationPruning())(page)
    return [block.text for block in page.kept]


def test_a3_blocks_without_punctuation_are_noise() -> None:
    assert kept(LONG, SENTENCE) == [SENTENCE]
    page = segment(LONG)
    PunctuationPruning()(page)
    assert str(page.blocks[0].removed) == "primary: no-punctuation (10 words)"


def test_a3_small_blocks_are_judged_with_the_next_one() -> None:
    assert kept("Small", SENTENCE) == ["Small", SENTENCE]
    assert kept("Small", "smaller", LONG, SENTENCE) == [SENTENCE]


def test_a3_small_blocks_at_the_end_are_judged_with_the_previous_one() -> None:
    assert kept(SENTENCE, "Small", "smaller") == [SENTENCE, "Small", "smaller"]
    assert kept(LONG, "Small") == []
    assert kept("Small") == []
    assert kept("Small.") == ["Small."]


def test_a3_a_small_block_can_save_the_next_one() -> None:
    assert kept("By A. Nother", LONG) == ["By A. Nother", LONG]


def test_a3_literal_marks_are_comma_and_full_stop() -> None:
    question = "Are these ten words with another mark at the end?"
    chinese = "今天北京的天气很好。我们都去公园玩了"
    assert kept(question, chinese) == []
    assert kept(question, chinese, stage=PunctuationPruning(marks=ALL_MARKS)) == [question, chinese]
    assert kept("هل هذه عشر كلمات كاملة في هذا السطر الطويل؟", stage=PunctuationPruning(marks=ALL_MARKS))


def test_a3_headings_above_a_kept_block_survive_where_wanted() -> None:
    heading = f"<h2>{LONG}</h2>"
    assert kept(heading, SENTENCE) == [SENTENCE]
    stage = PunctuationPruning(keep_headings=True)
    assert kept(heading, heading.upper(), SENTENCE, heading, LONG, stage=stage) == [LONG, LONG.upper(), SENTENCE]


def test_a3_the_minimal_subtree_is_the_deepest_that_wraps_all() -> None:
    page = Page("<body><div id=out><div id=in><div>One, two.</div><div>Three.</div></div></div><div></div>")
    DivTdBlocks()(page)
    found = minimal_subtree(content_root(page), page.blocks)
    assert found is not None
    assert found.get("id") == "in"
    assert minimal_subtree(content_root(page), []) is None


def test_a3_what_lies_outside_a_share_of_the_text_is_noise() -> None:
    page = Page(f"<body><div>One, two.</div><div><div>{SENTENCE}</div><div>{SENTENCE}</div></div>")
    DivTdBlocks()(page)
    PunctuationPruning(share=0.8)(page)
    assert [str(block.removed) for block in page.blocks] == ["primary: outside-content", "None", "None"]


def test_a3_an_empty_page_has_nothing_to_prune() -> None:
    page = Page("")
    PunctuationPruning(share=0.5)(page)
    assert page.blocks == []

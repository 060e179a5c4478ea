"""Who is quoted comes back with the quotation, and posts between the paragraphs; what only looks so does not."""

from __future__ import annotations

import pytest

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.quotations import WholeQuotations

PROSE = "<p>The old bridge over the river was closed on Monday, and nobody could say for how long it would be.</p>"
SAID = "We had no choice, and we would do it again"
WHO = "Ruth Abara, mayor"
LOW = {WHO: 0.1, "Share": 0.1, "Get a quote today": 0.1, "Ruth Abara on the bridge": 0.1}
POST = "The bridge is closed from today on"
BY = "— Town of Lunn (@lunn) May 3, 2026"


def after(html: str, scores: dict[str, float]) -> Page:
    """A page as the score leaves it, and then the stage."""
    page = Page(html)
    TextBlocks()(page)
    for block in page.blocks:
        block.score = scores.get(block.text, 0.9)
        if block.score < 0.5:
            block.remove("score", "learned", f"{block.score:.2f}")
    WholeQuotations()(page)
    return page


def removed(html: str, scores: dict[str, float]) -> list[str]:
    return [block.text for block in after(html, scores).blocks if block.removed]


@pytest.mark.parametrize(
    "quotation",
    [
        f"<blockquote><p>{SAID}</p><footer>{WHO}</footer></blockquote>",
        f"<figure><blockquote><p>{SAID}</p></blockquote><figcaption>{WHO}</figcaption></figure>",
        f"<div class=pull-quote><h3>{SAID}</h3><div><p>{WHO}</p></div></div>",
        f'<div class="widget--type-quotation"><div><blockquote>{SAID}</blockquote><div>{WHO}</div></div></div>',
        f"<aside class=zitat><p>{SAID}</p><p>{WHO}</p></aside>",
    ],
)
def test_who_said_it_comes_back(quotation: str) -> None:
    page = after(PROSE * 3 + quotation + PROSE, LOW)
    assert len(page.kept) == len(page.blocks)
    (name,) = (block for block in page.blocks if block.text == WHO)
    assert page.notes == {name.index: "part of a quotation"}


@pytest.mark.parametrize(
    "quotation",
    [
        f"<div><p>{SAID}</p><p>{WHO}</p></div>",
        f"<blockquote><p>{SAID}</p></blockquote><p>{WHO}</p>",
        f"<blockquote><p>{WHO}</p><p>{SAID}</p></blockquote>",
        f"<div class=testimonial-quoted-in-full><p>{SAID}</p><p>{WHO}</p></div>",
    ],
)
def test_a_name_beside_or_before_a_quotation_stays_removed(quotation: str) -> None:
    assert removed(PROSE * 3 + quotation + PROSE, LOW) == [WHO]


def test_buttons_and_links_in_a_quotation_stay_removed() -> None:
    more = f"<button>Share</button><p><a href=/a>{WHO}</a></p>"
    assert removed(f"{PROSE * 3}<blockquote><p>{SAID}</p>{more}</blockquote>{PROSE}", LOW) == ["Share", WHO]


def test_a_form_for_quotes_and_a_page_that_is_named_so_bring_nothing_back() -> None:
    form = f"<div class=quote-form><p>Bridges</p><p>{WHO}</p><p>Get a quote today</p></div>"
    assert removed(PROSE * 3 + form, LOW) == [WHO, "Get a quote today"]
    assert removed(f"<div class=quote>{PROSE * 3}<p>{WHO}</p></div>", LOW) == [WHO]


def test_what_a_rule_named_stays_removed() -> None:
    page = Page(f"{PROSE * 3}<blockquote><p>{SAID}</p><p>{WHO}</p></blockquote>{PROSE}")
    TextBlocks()(page)
    page.blocks[4].remove("primary", "ad-keyword", "sponsored")
    WholeQuotations()(page)
    assert page.blocks[4].removed is not None


def tweet(name: str = "twitter-tweet") -> str:
    return f'<blockquote class="{name}"><p>{POST}</p>{BY[:-11]}<a href=/x>{BY[-11:]}</a></blockquote>'


def test_a_post_in_the_text_or_right_behind_it_comes_back() -> None:
    scores = {POST: 0.2, BY: 0.1}
    page = after(PROSE * 3 + tweet() + PROSE, scores)
    assert len(page.kept) == len(page.blocks)
    assert page.notes == dict.fromkeys((3, 4), "an embedded post in the text")
    assert removed(PROSE * 3 + tweet("twitter-tweet tw-align-center"), scores) == []


def test_a_post_elsewhere_or_without_its_text_does_not() -> None:
    scores = {POST: 0.2, BY: 0.1, "Share": 0.1}
    assert removed(tweet() + PROSE * 3, scores) == [POST, BY]
    assert removed(f"{PROSE * 3}<p>Share</p>{tweet()}", scores) == ["Share", POST, BY]
    assert removed(PROSE * 3 + tweet("instagram-media") + PROSE, scores) == [POST, BY]
    assert removed(PROSE * 3 + tweet("my-twitter-tweets") + PROSE, scores) == [POST, BY]
    assert removed(tweet(), scores) == [POST, BY]


def test_it_is_a_part_of_the_default() -> None:
    assert any(isinstance(stage, WholeQuotations) for stage in recipe().score)

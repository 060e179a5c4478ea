"""METHODS A2: what each tag rule removes, and what it must leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl import Page
from cleancrawl.core.rules.attributes import RULES, AttributeRules
from cleancrawl.methods.core_content.div_td_blocks import DivTdBlocks
from cleancrawl.methods.core_content.tag_rules import TagRules
from tests.growth import about_linear

ARTICLE = "<div id=article>" + "The council met on Tuesday, and it voted for the bridge. " * 8 + "</div>"
URL = "https://www.example.co.uk/news/1"
DEFAULT = TagRules(
    scope="element", link_share=0.5, rules=AttributeRules(enabled=frozenset(RULES) - {"foreign-image", "background"})
)


PIECES = (
    *("<div class=ad>", "<div>", "</div>", "<td>", "<a href=//x.com>", "</a>", "word ", "<img width=468 height=60>"),
    *("<object>", "</object>", "<input name=q>", "<p style='width:;height'>", "<p data-=''>", "© 2026 "),
)


def run(html: str, stage: TagRules | None = None, url: str | None = URL) -> Page:
    page = Page(f"<body>{ARTICLE}{html}</body>", url)
    DivTdBlocks()(page)
    (stage or TagRules())(page)
    assert page.blocks[0].kept, "the article itself must stay"
    return page


def reasons(html: str, stage: TagRules | None = None, url: str | None = URL) -> list[str | None]:
    """The verdicts on all blocks but the article."""
    blocks = run(html, stage, url).blocks[1:]
    return [block.removed and f"{block.removed.rule} {block.removed.evidence}" for block in blocks]


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<div>Buy <img src='https://ad.doubleclick.net/x.gif'></div>", "ad-domain doubleclick.net"),
        ("<div>Buy <a href='//www.taboola.com/x'>this</a></div>", "ad-domain taboola.com"),
        ("<div data-src='https://cdn.outbrain.com:443/a'>Buy</div>", "ad-domain outbrain.com"),
        ("<div>Buy <img src='https://images.foreign.org/x.png'></div>", "foreign-image foreign.org"),
        ("<div>Buy <img data-src='//images.foreign.org/x.png'></div>", "foreign-image foreign.org"),
        ("<div class='ad'>Buy</div>", "ad-keyword class=ad"),
        ("<div class='col ads'>Buy</div>", "ad-keyword class=ads"),
        ("<div>Buy <ins class=adsbygoogle></ins></div>", "ad-keyword class=adsbygoogle"),
        ("<div id='top-banner'>Buy</div>", "ad-keyword id=banner"),
        ("<div name='AdSense'>Buy</div>", "ad-keyword name=ad"),
        ("<div class='topAd'>Buy</div>", "ad-keyword class=ad"),
        ("<div class=bottomgooglead>Buy</div>", "ad-keyword class=bottomgooglead"),
        ("<div class=rightgooglead>Buy</div>", "ad-keyword class=rightgooglead"),
        ("<div class=simplead>Buy</div>", "ad-keyword class=simplead"),
        ("<div aria-label='Advertisement'>Buy</div>", "ad-keyword aria-label=advertisement"),
        ("<div data-ad-slot='123'>Buy</div>", "ad-keyword data-ad-slot"),
        ("<div data-kind='sponsored'>Buy</div>", "ad-keyword data-kind=sponsored"),
        ("<div id='div-gpt-ad-14321'>Buy</div>", "ad-keyword id=ad"),
        ("<div class='реклама'>Buy</div>", "ad-keyword class=реклама"),
        ("<div>Buy <img src=a.png width=468 height=60></div>", "iab-size 468x60"),
        ("<div>Buy <img src=a.png width=234px height='60 px'></div>", "iab-size 234x60"),
        ("<div>Buy <iframe style='width:300px; height: 250px'></iframe></div>", "iab-size 300x250"),
        ("<div>Buy <object width=745 style='HEIGHT:100'></object></div>", "iab-size 745x100"),
        ("<div style='width:120px;height:240px'>Buy</div>", "iab-size 120x240"),
        ("<div><object>Get the player</object></div>", "plugin object"),
        ("<div><video src=a>Your browser cannot play this</video></div>", "plugin video"),
        ("<div><audio>Your browser cannot play this</audio></div>", "plugin audio"),
        ("<div>Home <a href=/privacy-policy>read</a></div>", "utility-links privacy policy"),
        ("<div>Home <a href=/x>Terms &amp; Conditions</a></div>", "utility-links terms & conditions"),
        ("<div>Home <a href=/x>Impressum</a></div>", "utility-links impressum"),
        ("<div>Find <input name=q></div>", "utility-links search box"),
        ("<div>Find <form role=search></form></div>", "utility-links search box"),
        ("<div>Copyright © 2026 Example Ltd.</div>", "utility-links Copyright © 2026"),
        ("<div>Example Ltd. All rights reserved.</div>", "utility-links all rights reserved"),
        ("<div>See <a href='https://www.facebook.com/x'>us</a></div>", "social-links facebook.com"),
        ("<div>See <a href='https://x.com/x'>us</a></div>", "social-links x.com"),
        ("<div>See <a href='whatsapp://send?text=x'>us</a></div>", "social-links whatsapp:"),
        ("<div><a href='https://t.me/x'><div>Follow</div></a></div>", "social-links t.me"),
    ],
)
def test_a2_literal_removes(html: str, reason: str) -> None:
    assert reasons(html) == [reason]


@pytest.mark.parametrize(
    "html",
    [
        "<div class='header'>Text</div>",
        "<div class='download loadMore'>Text</div>",
        "<div class='shadow gradient'>Text</div>",
        "<div id='add-comment'>Text</div>",
        "<div class='iPad headline-readable'>Text</div>",
        "<div data-ads='false'>Text</div>",
        "<div data-ad-index=4 class='no-ads'>Text</div>",
        "<div class='elementor-element-3f4ad2' id='css-1x4ads9'>Text</div>",
        """<div data-options='{"ads": true}'>Text</div>""",
        "<div>Text <a href='https://notdoubleclick.net/'>x</a></div>",
        "<div>Text <a href='https://doubleclick.net.example.org/'>x</a></div>",
        "<div>Text <a href='/redirect?to=https://doubleclick.net/'>x</a></div>",
        "<div>Text <img src='/local.png'></div>",
        "<div>Text <img src='https://images.example.co.uk/x.png'></div>",
        "<div>Text <img src='data:image/png;base64,AAAA//BB'></div>",
        "<div>Text <img src=a.png width=640 height=480></div>",
        "<div>Text <img src=a.png width=100% height=60></div>",
        "<div style='max-width:468px;height:60px'>Text</div>",
        "<div>Text <span style='width:468px;height:60px'>x</span></div>",
        "<div background='wall.png'>Text</div>",
        "<div style='background-image: url(wall.png)'>Text</div>",
        "<div>Text <iframe></iframe></div>",
        "<div>Text <video src=a></video></div>",
        "<div>Text <a href=/news/first-contact>First contact with the crew</a></div>",
        "<div>Text <a href=https://contact.example.com>x</a></div>",
        "<div>Text <input name=email></div>",
        "<div>Photo: © Reuters</div>",
        "<div>Text <a href='https://example.org/x.com'>x</a></div>",
    ],
)
def test_a2_literal_leaves_alone(html: str) -> None:
    assert reasons(html) == [None]


@pytest.mark.parametrize(
    "html",
    [
        "<div>He said so in <a href='https://twitter.com/a/status/1'>a tweet</a>, and then he left the town.</div>",
        "<div>Text <img src='https://cdn.foreign.org/x.png'></div>",
        "<div>Text <img src=a.png width=468 height=60></div>",
        "<div>Text <ins class=adsbygoogle></ins></div>",
        "<div>Text <span class=ad>Buy</span></div>",
        "<div>The firm changed its <a href=/privacy>privacy policy</a> after a long and public dispute.</div>",
        "<div>A long list of results and the box to search them <input type=search></div>",
        "<div>The story ends here, after many words that a reader wants to keep.<p>© 2026 Example</div>",
    ],
)
def test_a2_default_leaves_alone(html: str) -> None:
    assert reasons(html, DEFAULT) == [None]


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<div class=ad>Buy</div>", "ad-keyword class=ad"),
        ("<div><span class=ad>Buy</span> <p class=sponsored>and buy</p></div>", "ad-keyword class=ad"),
        ("<div><a href='https://taboola.com'>Buy</a></div>", "ad-domain taboola.com"),
        (
            "<div>Follow: <a href='https://x.com/a'>on X</a> <a href='https://vk.com/a'>on VK</a></div>",
            "social-links x.com",
        ),
        ("<div><a href=/x>Contact</a> | <a href=/y>Impressum</a></div>", "utility-links contact"),
        ("<div>© 2026 Example</div>", "utility-links © 2026"),
    ],
)
def test_a2_default_removes(html: str, reason: str) -> None:
    assert reasons(html, DEFAULT) == [reason]


def test_a2_a_hit_covers_all_blocks_below_its_element() -> None:
    html = "<div>around <section class=ads><div>one<div>two</div></div></section></div><div>three</div>"
    assert reasons(html, DEFAULT) == [None, "ad-keyword class=ads", "ad-keyword class=ads", None]
    assert reasons(html) == ["ad-keyword class=ads", "ad-keyword class=ads", "ad-keyword class=ads", None]


def test_a2_a_hit_in_an_inner_block_spares_the_outer_one() -> None:
    assert reasons("<div>text <div><img width=468 height=60></div></div>") == [None]


def test_a2_body_and_large_elements_are_never_hit() -> None:
    page = Page(f"<html class=ads><body class='has-ads'><div class='ad-enabled'>{ARTICLE}<div class=ad>x</div></div>")
    DivTdBlocks()(page)
    TagRules()(page)
    assert [block.kept for block in page.blocks] == [True, False]
    page.blocks[0].removed = None
    TagRules(max_share=1.0)(page)
    assert not page.kept


def test_a2_the_letter_on_backgrounds_is_a_parameter() -> None:
    stage = TagRules(rules=AttributeRules(background="remove"))
    assert reasons("<div background=wall.png>Text</div>", stage) == ["background div"]
    assert reasons("<div style='background: #fff url(w.png)'>Text</div>", stage) == ["background div"]
    assert reasons("<div style='color: red'>Text</div><p background=x>", stage) == [None]


def test_a2_user_domains_come_on_top() -> None:
    stage = TagRules(rules=AttributeRules(ad_domains=frozenset({"ads.example.org"})))
    assert reasons("<div>Text <a href=https://eu.ads.example.org/>x</a></div>", stage) == ["ad-domain ads.example.org"]
    assert reasons("<div>Text <a href=https://example.org/>x</a></div>", stage) == [None]


def test_a2_foreign_images_need_a_page_address_and_ports_do_not_count() -> None:
    html = "<div>Text <img src='http://localhost:8000/a.png'></div>"
    assert reasons(html, url=None) == [None]
    assert reasons(html, url="http://localhost:8000/") == [None]
    assert reasons(html) == ["foreign-image localhost"]


def test_a2_each_rule_can_be_switched_off() -> None:
    stage = TagRules(rules=AttributeRules(enabled=frozenset()))
    html = "<div class=ad>a <img src=//x.org/a width=468 height=60><a href=//taboola.com>b</a><embed></div>"
    assert reasons(html, stage) == [None]


def test_a2_blocks_without_nodes_are_left_alone() -> None:
    page = run("")
    for block in page.blocks:
        block.node = None
    TagRules()(page)
    assert page.kept == page.blocks


@pytest.mark.parametrize(
    "piece", ["<div class=ad>x<a href=//x.com>y", "<div class='c{}' data-x='ad{}'>x<img src=//h{}.org/a></div>"]
)
def test_a2_hostile_pages_are_one_walk(piece: str) -> None:
    def cut(size: int) -> Page:
        page = Page("<body>" + piece * size, URL)
        DivTdBlocks()(page)
        return page

    page = cut(100)
    TagRules()(page)
    assert page.blocks
    assert page.kept == []
    assert about_linear(TagRules(), cut, 20_000)


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.sampled_from(PIECES)),
    st.sampled_from([TagRules(), DEFAULT]),
)
def test_a2_any_page_is_judged_without_harm(pieces: list[str], stage: TagRules) -> None:
    page = Page("".join(pieces), URL)
    DivTdBlocks()(page)
    texts = [block.text for block in page.blocks]
    stage(page)
    assert [block.text for block in page.blocks] == texts
    assert all(block.removed.stage == "primary" for block in page.blocks if block.removed)

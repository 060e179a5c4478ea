"""METHODS A2 on text blocks: the rulings for `default`."""

from __future__ import annotations

import pytest

from cleancrawl import Page, clean
from cleancrawl.core.recipe import Wishes
from cleancrawl.core.rules.attributes import AttributeRules
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.text_rules import TextRules
from cleancrawl.recipes import get_recipe

ARTICLE = "<article>" + "<p>The council met on Tuesday, and it voted for the bridge.</p>" * 8 + "</article>"


def run(html: str, rules: AttributeRules | None = None) -> Page:
    page = Page(f"<body>{ARTICLE}{html}</body>", "https://www.example.co.uk/news/1")
    (TextBlocks(rules) if rules else TextBlocks())(page)
    TextRules()(page)
    assert all(block.kept for block in page.blocks[:8])
    return page


def reasons(html: str) -> list[str | None]:
    blocks = run(html).blocks[8:]
    return [block.removed and f"{block.removed.rule} {block.removed.evidence}" for block in blocks]


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<div class='top-ad'>Buy</div>", "ad-keyword class=ad"),
        ("<div id=sponsored><div>Buy</div></div>", "ad-keyword id=sponsored"),
        ("<li><a href=https://www.facebook.com/x>Follow us</a></li>", "social-links facebook.com"),
        ("<p>On <a href=//x.com/a>X</a> and <a href=//t.me/a>Telegram</a></p>", "social-links x.com"),
        ("<li><a href=/p>Privacy Policy</a></li>", "utility-links privacy policy"),
        ("<p><a href=/p>Impressum</a> | <a href=/q>Datenschutz</a></p>", "utility-links impressum"),
        ("<p>© 2026 Example Ltd.</p>", "utility-links © 2026"),
        ("<p>Alle Rechte vorbehalten</p>", "utility-links alle rechte vorbehalten"),
    ],
)
def test_a2_text_blocks_removed(html: str, reason: str) -> None:
    assert reasons(html) == [reason]


@pytest.mark.parametrize(
    "html",
    [
        "<div class='header download shadow gradient add-comment'>Text</div>",
        "<div class='item-3f4ad2 no-ads'>Text</div>",
        "<p>He said so in <a href=https://twitter.com/a/status/1>a tweet</a>, and then he left the town.</p>",
        "<p>The firm changed its <a href=/p>privacy policy</a> after a dispute.</p>",
        "<p>Privacy policy</p>",
        "<p>Foto: © Reuters</p>",
        f"<p>The copyright act of 1976 {'says that authors keep their rights for long, ' * 6} and so on.</p>",
        "<li><a href=https://youtube.com/x>2 December: the whole report in the evening news</a></li>",
        "<p><a href=//x.com>–</a></p><p>Text after a link that left no block</p>",
    ],
)
def test_a2_text_blocks_left_alone(html: str) -> None:
    assert reasons(html) == [None]


def test_a2_large_and_nested_ad_containers() -> None:
    page = Page(f"<body class=ads><div class=has-ads>{ARTICLE}<div class=ad>x<div class=ad>y</div></div>z</div>")
    TextBlocks()(page)
    TextRules()(page)
    assert [block.text for block in page.blocks if not block.kept] == ["x", "y"]


def test_a2_wrappers_of_paragraphs_are_no_advertisements() -> None:
    paragraph = "word " * 19
    assert reasons(f"<div class='text ads'><p>{paragraph} word</p><p>Short</p></div>") == [None, None]
    assert reasons(f"<div class='text ads'><p>{paragraph}</p></div>") == ["ad-keyword class=ads"]


def test_a2_rules_can_be_switched_off() -> None:
    page = run("<div class=ad>Buy</div>", AttributeRules(enabled=frozenset()))
    assert page.kept == page.blocks


def test_a2_an_empty_page() -> None:
    page = Page("")
    TextBlocks()(page)
    TextRules()(page)
    assert page.blocks == []


@pytest.mark.parametrize(
    ("html", "removal"),
    [
        ("<div><script src='https://x.doubleclick.net/t.js'></script><p>Advertisement</p></div>", "doubleclick.net"),
        ("<div><p>Anzeige</p><iframe src='//a.adnxs.com/frame'></iframe></div>", "adnxs.com"),
        ("<div><p>Anzeige</p><img data-src='//a.adnxs.com/pixel.gif'></div>", "adnxs.com"),
        (
            "<p><a href='https://ad.doubleclick.net/clk?https://shop.example'>Boots at half price</a></p>",
            "doubleclick.net",
        ),
    ],
)
def test_what_an_advertiser_serves_is_named(html: str, removal: str) -> None:
    page = run(html)
    assert [str(block.removed) for block in page.blocks[8:]] == [f"primary: ad-domain ({removal})"]
    assert all(block.removed is None for block in page.blocks[:8])


@pytest.mark.parametrize(
    ("html", "size"),
    [
        ("<div style='width:728px;height:90px'>Sponsored message of the week</div>", "728x90"),
        ("<div>Advertisement<iframe width=300 height=250></iframe></div>", "300x250"),
        ("<div>Advertisement<a href='//shop.example'><img width=468 height=60></a></div>", "468x60"),
        ("<div>Advertisement<iframe style='width: 800px; height: 100px'></iframe></div>", "8:1"),
    ],
)
def test_a_banners_size_is_named(html: str, size: str) -> None:
    assert [str(block.removed) for block in run(html).blocks[8:]] == [f"primary: iab-size ({size})"]


@pytest.mark.parametrize(
    "html",
    [
        "<figure><img width=300 height=250 src=/bridge.jpg><figcaption>The bridge at night</figcaption></figure>",
        "<div><iframe width=560 height=315 src='//www.youtube.com/embed/1'></iframe><p>How it was built</p></div>",
        "<h3><a href='https://www.awin1.com/cread.php?x'>A tent for two</a></h3>",
        "<li>A tent for two <img src='https://www.awin1.com/pixel' width=1 height=1></li>",
        "<p>The court heard that <a href='https://doubleclick.net/about'>DoubleClick</a> had been sold in 2007.</p>",
        "<div><script src='//x.doubleclick.net/t.js'></script><p>"
        + "Words of the article, many of them. " * 8
        + "</p></div>",
    ],
)
def test_what_only_looks_like_an_advertisement_stays(html: str) -> None:
    assert [block.removed for block in run(html).blocks] == [None] * len(run(html).blocks)


def test_a_script_of_an_advertiser_in_the_body_removes_nothing() -> None:
    page = Page("<body><script src='//x.doubleclick.net/t.js'></script><p>Short</p><p>Page</p></body>")
    TextBlocks()(page)
    TextRules()(page)
    assert [block.removed for block in page.blocks] == [None, None]


def test_lists_of_ones_own_change_what_default_removes() -> None:
    html = f"<body>{ARTICLE}<div>Offers<iframe src='https://banners.partner.example/1'></iframe></div></body>"
    own = get_recipe("default").tailored(Wishes(ad_domains=frozenset({"partner.example"})))
    assert str(clean(html, recipe=own).blocks[-1].removed) == "primary: ad-domain (partner.example)"
    assert "ad-domain" not in str(clean(html).blocks[-1].removed)

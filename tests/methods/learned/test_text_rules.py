"""METHODS A2 on text blocks: the rulings for `default`."""

from __future__ import annotations

import pytest

from cleancrawl import Page
from cleancrawl.core.rules.attributes import AttributeRules
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.text_rules import TextRules

ARTICLE = "<article>" + "<p>The council met on Tuesday, and it voted for the bridge.</p>" * 8 + "</article>"


def run(html: str, rules: AttributeRules | None = None) -> Page:
    page = Page(f"<body>{ARTICLE}{html}</body>", "https://www.example.co.uk/news/1")
    TextBlocks(rules or AttributeRules())(page)
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

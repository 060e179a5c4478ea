"""Pointers to other articles and notices in place of embedded content go; sentences that begin like them stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.block import Block
from cleancrawl.core.html import json_ld
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.core.text.language_words import phrases
from cleancrawl.methods.learned import recipe
from cleancrawl.methods.learned.stock_lines import StockLines

BEFORE = "<p>The old bridge over the river was closed on Monday, and nobody could say for how long it would be.</p>"
AFTER = "<p>The mayor hopes that the repair, which the town had put off for years, will be done before the winter.</p>"
NEWS = '<head><script type="application/ld+json">{"@type": "ReportageNewsArticle"}</script></head>'


def removed(html: str, head: str = "") -> list[tuple[str, str]]:
    """The text of each removed block, and why it went."""
    page = Page(f"<html>{head}<body>{BEFORE}{html}{AFTER}</body></html>")
    TextBlocks()(page)
    StockLines()(page)
    return [(block.text, str(block.removed)) for block in page.blocks if block.removed]


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("READ ALSO: <a href=/a>Ferry to run every hour</a>", "read also"),
        ("<b>Lesen Sie auch:</b> <a href=/a>Die Fähre fährt jede Stunde</a>", "lesen sie auch"),
        ("► Auch interessant – <a href=/a>Als die Brücke neu war</a>", "auch interessant"),
        ("» À lire aussi : <a href=/a>Le bac toutes les heures</a>", "à lire aussi"),
        ("<a href=/a>Lire aussi Le bac toutes les heures</a>", "lire aussi"),
        ("(Lea también: <a href=/a>El puente que nadie quiso</a>)", "lea también"),
        ("LEGGI ANCHE | <a href=/a>Il ponte che nessuno voleva</a>", "leggi anche"),
        ("Lees ook: <a href=/a>De pont vaart elk uur</a>", "lees ook"),
        ("Leia também: <a href=/a>A ponte que ninguém quis</a>", "leia também"),
        ("Läs också: <a href=/a>Färjan går varje timme</a>", "läs också"),
        ("Les også: <a href=/a>Ferja går hver time</a>", "les også"),
        ("Lue myös: <a href=/a>Lautta kulkee joka tunti</a>", "lue myös"),
        ("Czytaj także: <a href=/a>Prom co godzinę</a>", "czytaj także"),
        ("Čtěte také: <a href=/a>Přívoz každou hodinu</a>", "čtěte také"),
        ("Читайте также: <a href=/a>Паром ходит каждый час</a>", "читайте также"),
        ("Читайте також: <a href=/a>Пором ходить щогодини</a>", "читайте також"),
        ("İLGİLİ HABER: <a href=/a>Vapur her saat kalkıyor</a>", "ilgili haber"),
        ("اقرأ أيضا: <a href=/a>العبارة كل ساعة</a>", "اقرأ أيضا"),
        ("यह भी पढ़ें: <a href=/a>हर घंटे चलेगी नाव</a>", "यह भी पढ़ें"),
        ("【関連記事】<a href=/a>渡し船は一時間ごとに出る</a>", "関連記事"),
        ("相关阅读：<a href=/a>渡轮每小时一班</a>", "相关阅读"),
        ("[관련기사] <a href=/a>나룻배는 매시간 다닌다</a>", "관련기사"),
    ],
)
def test_a_phrase_with_a_link_is_a_pointer(line: str, phrase: str) -> None:
    assert [why for _, why in removed(f"<p>{line}</p>")] == [f"score: read-also ({phrase})"]


def test_a_phrase_alone_goes_with_the_link_behind_it() -> None:
    found = removed("<div>Das könnte Sie auch interessieren:</div><div><a href=/a>Die Fähre fährt oft</a></div>")
    assert [text for text, _ in found] == ["Das könnte Sie auch interessieren:", "Die Fähre fährt oft"]
    assert len({why for _, why in found}) == 1


@pytest.mark.parametrize(
    "line",
    [
        "<p>Read also the letter that the <a href=/a>mayor</a> wrote to the farmers of the valley in that year.</p>",
        "<p>Lesen Sie auch das Kleingedruckte, rät die <a href=/a>Verbraucherzentrale</a> allen Mietern.</p>",
        "<p>Read also the <a href=/a>letter that the mayor wrote</a></p>",
        "<p>Lire aussi, c'est voyager.</p>",
        "<p>Les oss: <a href=/a>en bok om ferja</a></p>",
        "<p>Auch interessant:</p><p>Die Fähre hat keinen Motor.</p>",
        "<p>Lees ook</p>",
        f"<p>Leggi anche: <a href=/a>{'ponte ' * 40}</a></p>",
        "<h2>See also</h2><ul><li><a href=/a>Bridge</a></li><li><a href=/b>Ferry</a></li></ul>",
        "<p>See also</p><ul><li><a href=/a>Bridge</a></li><li><a href=/b>Ferry</a></li></ul>",
        "<h2>Siehe auch</h2><ul><li><a href=/a>Brücke</a></li></ul>",
        "<h2>Related articles</h2><ul><li><a href=/a>Bridge</a></li></ul>",
    ],
)
def test_sentences_and_lists_of_an_encyclopedia_stay(line: str) -> None:
    assert removed(line) == []
    assert removed(line, NEWS) == []


@pytest.mark.parametrize(
    "line",
    [
        "Related: <a href=/a>How to paint a bridge</a>",
        "See also: <a href=/a>How to paint a bridge</a>",
        "Read more: <a href=/a>How to paint a bridge</a>",
        "ALSO READ | <a href=/a>How to paint a bridge</a>",
        "Läs mer: <a href=/a>Att måla en bro</a>",
    ],
)
def test_what_is_advice_in_a_guide_is_a_pointer_in_a_page_that_says_it_is_news(line: str) -> None:
    guide = '<head><script type="application/ld+json">{"@type": "Article"}</script></head>'
    assert removed(f"<p>{line}</p>", guide) == []
    assert len(removed(f"<p>{line}</p>", NEWS)) == 1
    assert removed(f"<p>{line} and <i>more words that are no link at all and tell a story</i></p>", NEWS) == []


@pytest.mark.parametrize(
    "notice",
    [
        "Externer Inhalt nicht verfügbar",
        "Deine Privatsphäre-Einstellungen verhindern das Laden dieses Videos.",
        "Empfohlener redaktioneller Inhalt",
        "Recommended editorial content",
        "To view this content, you need to accept cookies.",
        "This content is not available in your region.",
        "Ce contenu est bloqué car vous n’avez pas accepté les cookies.",
        "Ce contenu n’est pas disponible",
        "Para ver este contenido, acepte las cookies.",
        "Per visualizzare questo contenuto accetta i cookie.",
        "Aby wyświetlić tę treść, zaakceptuj pliki cookie.",
        "お使いのブラウザは動画に対応していません。",
    ],
)
def test_a_notice_in_place_of_embedded_content_goes(notice: str) -> None:
    ((text, why),) = removed(f"<p>{notice}</p>")
    assert text == notice
    assert why.startswith("score: embed-notice (")


@pytest.mark.parametrize(
    "text",
    [
        "This content is king, say those who sell it.",
        "Dieser Inhalt ist nicht neu, aber gut erzählt.",
        "Recommended editorial contents are chosen by hand.",
        f"This content is not available in your region, the court said, {'and that is a long story ' * 8}.",
    ],
)
def test_a_paragraph_that_begins_like_a_notice_stays(text: str) -> None:
    assert removed(f"<p>{text}</p>") == []


MESSAGE = "<br />\n<b>{}</b>:  include(): cannot open the file in <b>/srv/a/b.php</b> on line <b>12</b><br />\n"


@pytest.mark.parametrize("kind", ["Warning", "Notice", "Deprecated", "Fatal error", "Parse error", "Strict Standards"])
def test_a_message_of_the_program_that_makes_the_page_goes(kind: str) -> None:
    html = f"{MESSAGE.format(kind) * 2}<p>The bridge is closed.</p>"
    assert [why for _, why in removed(html)] == [f"score: error-notice ({kind.lower()}:)"] * 2


@pytest.mark.parametrize("tag", ["p", "pre", "blockquote", "li"])
def test_a_message_that_somebody_writes_about_stays(tag: str) -> None:
    assert removed(f"<{tag}>{MESSAGE.format('Warning')}</{tag}>") == []


def test_a_warning_of_another_kind_stays() -> None:
    assert removed("<div>Warning: the bridge is closed, and cars on line 12 do not stop.</div>") == []


def test_a_page_is_asked_once_whether_it_is_news(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    nodes = json_ld.nodes
    monkeypatch.setattr(json_ld, "nodes", lambda values: asked.append(1) or nodes(values))
    assert len(removed("<p>Related: <a href=/a>How to paint a bridge</a></p>" * 50, NEWS)) == 50
    assert len(asked) == 1


def test_only_kept_blocks_are_judged() -> None:
    page = Page("<p>Lees ook: <a href=/a>De pont vaart elk uur</a></p>")
    TextBlocks()(page)
    page.blocks[0].remove("score", "learned", "0.10")
    StockLines()(page)
    assert str(page.blocks[0].removed) == "score: learned (0.10)"


def test_the_default_recipe_has_the_stage() -> None:
    assert StockLines() in recipe().score


@pytest.mark.parametrize("section", ["read-also", "embed-notice"])
def test_every_phrase_is_found_in_any_case(section: str) -> None:
    """A phrase that the look-up cannot reach would be dead weight."""
    missed = []
    for phrase in phrases(section):
        for text in (f"{phrase.rstrip(':')}: bridge", f"» {phrase.capitalize().rstrip(':')}: bridge"):
            page = Page(f"<html>{NEWS}</html>")
            TextBlocks()(page)
            words = len(text.split()) + 10
            page.blocks = [Block(text, words, words, "p")]
            StockLines()(page)
            if page.blocks[0].kept:
                missed.append(text)
    assert missed == []


@given(
    st.lists(st.tuples(st.sampled_from(["", "»", "Lees ook", "İ", "read also:", "x"]), st.text(max_size=8)), max_size=6)
)
def test_no_text_raises(parts: list[tuple[str, str]]) -> None:
    page = Page("")
    page.blocks = [
        Block(first + rest, max(len(rest.split()), 1), len(rest) % 3, "p", index=index)
        for index, (first, rest) in enumerate(parts)
    ]
    StockLines()(page)
    assert all(block.removed is None or block.removed.rule in ("read-also", "embed-notice") for block in page.blocks)

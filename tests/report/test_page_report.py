from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from lxml import html as lxml_html

from cleancrawl import clean
from cleancrawl.cli import main
from cleancrawl.core.article import Article
from cleancrawl.core.fingerprints.block_prints import page_prints
from cleancrawl.recipes import RECIPES
from cleancrawl.report.block_views import MOST_BLOCKS
from cleancrawl.report.page_report import explain
from cleancrawl.stores.look_up import page_record
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import Visit
from tests.core.render.soup import document, soups
from tests.extras import needs

HOSTILE = (
    "<title>T <script>alert(1)</script></title><p>&lt;script&gt;alert(2)&lt;/script&gt; \" onload='x' &amp; y</p>"
    "<p>Second</p><p>" + "long " * 400 + "</p>"
)
URL = "https://a.example/2026/a-storm-hits-the-coast"
STORY = "<title>Größe</title><h1>Größe</h1>" + "".join(
    f"<p>The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, as"
    f" the harbour master said on Monday, but the ferries stayed in port for {number} hours.</p>"
    for number in range(3, 9)
)
TEASER = "<p>Every week we send our readers the best of the harbour, with stories, pictures and a quiz about ships.</p>"


@pytest.fixture(autouse=True)
def _jinja() -> None:
    needs("jinja2", "report")


def parsed(report: str) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(report.encode(), parser=lxml_html.HTMLParser(encoding="utf-8", huge_tree=True))


def text_of(element: lxml_html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def test_every_block_stands_there_with_its_verdict() -> None:
    cleaned = document(HOSTILE)
    cleaned.blocks[1].remove("primary", "ad<domain>", 'double"click')
    cleaned.blocks[0].score = 0.75
    cleaned.page.notes[1] = "near-bad → bad"
    report = parsed(explain(cleaned))
    blocks = report.find_class("block")
    assert [block.get("data-stage") for block in blocks] == ["kept", "primary", "kept"]
    assert [block.get("id") for block in blocks] == ["b0", "b1", "b2"]
    shown = list(map(text_of, blocks))
    assert "<script>alert(2)</script>" in shown[0]
    assert "0.75" in shown[0]
    for words in ("− primary: ad<domain>", 'double"click', "near-bad → bad", "1 word", "Second"):
        assert words in shown[1]
    assert "more characters" in shown[2]
    # The article stands beside them, with links to its blocks.
    places = report.xpath("//aside//a[@class='place']/@href")
    assert places == ["#b0", "#b2"]
    assert len(report.xpath("//script")) == 1  # ours


def test_the_summary_counts_by_rule() -> None:
    cleaned = document("<p>one two</p><p>three</p><p>four</p><p>five six seven</p>")
    for index, evidence in ((1, "a"), (2, "b")):
        cleaned.blocks[index].remove("secondary", "duplicate", evidence)
    cleaned.blocks[3].remove("own-stage", "odd")
    rows = parsed(explain(cleaned)).xpath("//table/tbody/tr")
    assert [[text_of(cell) for cell in row] for row in rows] == [
        ["kept", "", "1", "2", "29%", ""],
        ["other", "odd", "1", "3", "43%", ""],
        ["secondary", "duplicate", "2", "2", "29%", "a · b"],
    ]


def test_runs_of_menu_blocks_are_folded_and_the_features_that_weighed_most_are_named() -> None:
    menu = "<ul>" + "<li><a href=/x>Section</a></li>" * 30 + "</ul>"
    cleaned = clean(f"{menu}{STORY}<footer>{menu}<p>Cookie policy</p></footer>", URL)
    report = parsed(explain(cleaned))
    runs = report.find_class("run")
    assert [len(run.find_class("block")) for run in runs] == [30, 31]
    assert all(run.get("open") is None for run in runs)
    weights = [[text_of(one) for one in block.xpath(".//ul/li")] for block in report.find_class("block")]
    assert {len(found) for found in weights} == {3}
    assert any(said.startswith("its words say “cookie” −") for said in weights[-1])


def test_recipes_stand_in_columns() -> None:
    cleaned = [clean(STORY, URL, recipe) for recipe in ("default", "line-block")]
    report = parsed(explain(*cleaned))
    assert [text_of(one) for one in report.xpath("//div[@class='listing']/h3")] == ["default", "line-block"]
    columns = report.find_class("listing")
    assert [len(column.find_class("block")) for column in columns] == [len(one.blocks) for one in cleaned]
    ids = report.xpath("//@id")
    assert len(ids) == len(set(ids))


def test_nothing_is_loaded_from_elsewhere() -> None:
    report = parsed(explain(clean("<p>x <img src=http://a.example/i.png></p>", "https://a.example/")))
    assert not report.xpath("//img | //iframe | //@src | //@style | //@*[starts-with(name(), 'on')]")
    assert report.xpath("//link/@href") == ["data:,"]
    policy = report.xpath("string(//meta[@http-equiv]/@content)")
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@settings(deadline=None, max_examples=40)
@given(soups)
def test_any_page_gives_a_sound_report(html: str) -> None:
    cleaned = document(html, url="javascript:alert(1)")
    for block in cleaned.blocks[::2]:
        block.remove("primary", html[:20], html)
    report = parsed(explain(cleaned))
    assert all(href.startswith("#") or href == "data:," for href in report.xpath("//@href"))
    assert len(report.xpath("//script")) == 1
    assert len(report.find_class("block")) == len(cleaned.blocks)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_command_writes_a_report(tmp_path: Path, recipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    page, output = tmp_path / "page.html", tmp_path / "report.html"
    page.write_text("<title>Größe</title><div><p>A storm, the worst in years, hit the coast on Monday.</p></div>")
    command = ["explain", str(page), "--url", "https://a.example/s", "--recipe", recipe]
    assert main([*command, "-o", str(output)]) == 0
    assert capsys.readouterr().out == f"{output}\n"
    report = output.read_text(encoding="utf-8")
    assert "Größe" in report
    assert 'href="https://a.example/s"' in report
    assert main(command) == 0
    assert capsys.readouterr().out == report


def story_of(seed: int) -> str:
    """Paragraphs of sentences that no other story has."""
    pick = Random(seed).choice
    words = ["".join(pick("bdfglmnprst") + pick("aeiou") for _ in range(3)) for _ in range(300)]
    lines = [" ".join(words[start : start + 25]) for start in range(0, 300, 25)]
    return "<h1>News</h1>" + "".join(f"<p>The {line[:60]}, and the {line[60:]}.</p>" for line in lines)


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A site that has a teaser on all of its pages; one page gave an article whose HTML was kept."""
    place = f"sqlite:///{tmp_path / 'store.db'}"
    opened = open_store(place)
    pages = {f"https://a.example/{number}": story_of(number) for number in range(5)}
    for url, story in {**pages, f"{URL}-again": story_of(9), URL: STORY}.items():
        cleaned = clean(story + TEASER, url)
        html = story + TEASER if url == URL else None
        article = Article.of(cleaned, url=url, site="a.example", html=html).to_record()
        opened.record(page_record(cleaned.page, Visit("a.example", url, 9.0), page_prints(cleaned.page), article))
    opened.visit(Visit("a.example", "https://a.example/gone", 9.0, 404, reason="gone"))
    opened.close()
    return place


def test_an_article_of_a_store_is_explained_with_what_is_known_of_its_site(store: str, tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    before = list(open_store(store).dump())
    assert main(["explain", store, URL, "-o", str(output)]) == 0
    report = parsed(output.read_text("utf-8"))
    (teaser,) = [block for block in report.find_class("block") if "best of the harbour" in text_of(block)]
    assert (teaser.get("data-stage"), teaser.get("data-rule")) == ("secondary", "site-block")
    assert "version 1" in text_of(report.xpath("//header")[0])
    assert list(open_store(store).dump()) == before


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([f"{URL}-again"], 1, "CLEANCRAWL_KEEP_HTML"),
        (["https://a.example/nowhere"], 1, "not known"),
        (["https://a.example/gone"], 1, "gave no article"),
        (["page.html"], 2, "a store and the URL"),
        ([URL, "--url", URL], 2, "--url"),
        ([URL, "--recipes", "default", "--recipe", "default"], 2, "--recipes"),
        ([URL, "--recipes", "a,b,c,d,e"], 2, "--recipes"),
        ([URL, "--recipes", "default,no-such-recipe"], 2, "no-such-recipe"),
        ([URL, URL], 2, "one page"),
    ],
)
def test_what_cannot_be_explained_is_one_line(
    store: str, arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", store, *arguments]) == code
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_of_endless_texts_the_beginning_is_shown() -> None:
    cleaned = document(f"<p>{'A river, a council. ' * 60_000}</p>")
    report = explain(cleaned)
    assert report.count(" characters not shown") == 3
    assert f"{len(cleaned.blocks[0].text) - 100_000:,} characters not shown" in report
    assert len(report) < 1_250_000
    assert parsed(report) is not None


def test_of_endless_blocks_those_that_were_kept_are_shown_and_the_first_of_the_others() -> None:
    menu = "".join(f"<li><a href=/{number}>Entry {number}</a></li>" for number in range(MOST_BLOCKS + 500))
    text = "".join(
        f"<p>The council has decided to repair bridge {n}, at last, it said on Monday.</p>" for n in range(20)
    )
    cleaned = clean(f"<nav><ul>{menu}</ul></nav><article><h1>Bridge</h1>{text}</article>")
    kept = {block.index for block in cleaned.page.kept}
    assert kept
    assert min(kept) >= MOST_BLOCKS + 500
    report = parsed(explain(cleaned))
    shown = [int(link) for link in report.xpath("//li/div[@class='verdict']/a[@class='place']/text()")]
    assert len(shown) == MOST_BLOCKS
    assert shown == sorted(shown)
    assert kept <= set(shown)
    assert shown[0] == 0
    assert f"{MOST_BLOCKS:,} of {len(cleaned.blocks):,} blocks" in report.text_content()

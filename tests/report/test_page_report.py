from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from lxml import etree

from cleancrawl import clean
from cleancrawl.cli import main
from cleancrawl.recipes import RECIPES
from cleancrawl.report.page_report import LONGEST_BLOCK, LONGEST_RESULT, explain
from tests.core.render.soup import document, soups

HOSTILE = (
    "<title>T <script>alert(1)</script></title><p>&lt;script&gt;alert(2)&lt;/script&gt; \" onload='x' &amp; y</p>"
    "<p>Second</p><p>" + "long " * 400 + "</p>"
)


def parsed(report: str) -> etree._Element:
    """Reports are well-formed XML behind their doctype, so that nothing in them can be misread."""
    return etree.fromstring(report.partition("\n")[2].encode(), etree.XMLParser(huge_tree=True))


def test_every_block_stands_there_with_its_verdict() -> None:
    cleaned = document(HOSTILE)
    cleaned.blocks[1].remove("primary", "ad<domain>", 'double"click')
    cleaned.blocks[0].score = 0.75
    cleaned.page.notes[1] = "near-bad → bad"
    report = explain(cleaned)
    blocks = parsed(report).xpath("//section[@class='blocks']//li")
    assert [block.get("class") for block in blocks] == ["kept", "primary", "kept"]
    shown = ["".join(block.itertext()) for block in blocks]
    assert "<script>alert(2)</script>" in shown[0]
    assert "0.75" in shown[0]
    for words in ("primary: ad<domain>", 'double"click', "near-bad → bad", "1 word", "Second"):
        assert words in shown[1]
    assert "more characters" in shown[2]
    assert "<script" not in report


def test_the_summary_counts_by_rule() -> None:
    cleaned = document("<p>one two</p><p>three</p><p>four</p><p>five six seven</p>")
    for index, evidence in ((1, "a"), (2, "b")):
        cleaned.blocks[index].remove("secondary", "duplicate", evidence)
    cleaned.blocks[3].remove("own-stage", "odd")
    rows = parsed(explain(cleaned)).xpath("//table/tr[position() > 1]")
    cells = [[" ".join("".join(cell.itertext()).split()) for cell in row] for row in rows]
    assert cells == [
        ["kept", "", "1", "2", "29%", ""],
        ["other", "odd", "1", "3", "43%", ""],
        ["secondary", "duplicate", "2", "2", "29%", "a · b"],
    ]


def test_nothing_is_loaded_from_elsewhere() -> None:
    report = parsed(explain(clean("<p>x <img src=http://a.example/i.png></p>", "https://a.example/")))
    assert not report.xpath("//script | //img | //link | //iframe | //@src")
    assert "default-src 'none'" in report.xpath("string(//meta[@http-equiv]/@content)")


@settings(deadline=None, max_examples=40)
@given(soups)
def test_any_page_gives_a_sound_report(html: str) -> None:
    cleaned = document(html, url="javascript:alert(1)")
    for block in cleaned.blocks[::2]:
        block.remove("primary", html[:20], html)
    assert not parsed(explain(cleaned)).xpath("//@href")


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


def test_of_endless_texts_the_beginning_is_shown() -> None:
    cleaned = document(f"<p>{'A river, a council. ' * 60_000}</p>")
    report = explain(cleaned)
    assert f"{len(cleaned.blocks[0].text) - LONGEST_BLOCK:,} characters are not shown" in report
    assert f"{len(cleaned.text) - LONGEST_RESULT:,} characters are not shown" in report
    assert len(report) < LONGEST_BLOCK + 2 * LONGEST_RESULT + 50_000
    assert parsed(report) is not None

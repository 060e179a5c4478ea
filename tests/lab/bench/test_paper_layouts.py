"""Small sets in the form of CleanEval and L3S-GN1."""

from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import load_sets
from cleancrawl.lab.bench.paper_layouts import annotated_text
from cleancrawl.lab.commands.bench import __doc__ as bench_help
from cleancrawl.lab.commands.bench import add_arguments, run
from tests.lab.bench.conftest import ARTICLE, SECOND, page_html

GOLD = f"URL: http://www.aldbury.example/bridge\n\n<h>New bridge for Aldbury\n<p>{ARTICLE}\n\n<P>{SECOND}\n<l>A café\n"
ONE = "1a2b-3c4d"


def write_cleaneval(pages: Path, gold: Path, suffix: str = "-cleaned") -> None:
    pages.mkdir(parents=True, exist_ok=True)
    gold.mkdir(parents=True, exist_ok=True)
    html = page_html(ARTICLE, SECOND, "A café").replace("<!DOCTYPE html>", "")
    wrapped = f'<text id="17" title="Bridge" encoding="iso-8859-1">\n{html}\n</text>\n'
    (pages / "17.html").write_bytes(wrapped.encode("iso-8859-1"))
    (gold / f"17{suffix}.txt").write_text(GOLD, encoding="utf-8")


def write_l3s(directory: Path) -> None:
    for name in ("original", "annotated"):
        (directory / name).mkdir(parents=True)
    (directory / "original" / f"{ONE}.html").write_text(page_html(ARTICLE, SECOND), encoding="utf-8")
    annotated = (
        "<html><head><title>x</title></head><body><div><a href=/>Home</a></div>"
        '<h1><span class="x-nc-sel1">New bridge for Aldbury</span></h1>'
        f'<div><span class="x-nc-sel2">{ARTICLE}<br><script>var a = 1;</script>{SECOND}'
        '<span class="x-nc-sel0"> Advertisement </span><span class="x-nc-sel2">Twice <b>inside</b>.</span></span></div>'
        '<p><span class="x-nc-sel3">The bridge in numbers</span></p><p><span class="x-nc-sel4">See also</span></p>'
        '<p><span class="x-nc-sel5">First comment</span></p></body></html>'
    )
    (directory / "annotated" / f"{ONE}.html").write_text(annotated, encoding="utf-8")
    (directory / "url-mapping.txt").write_text(f"<urn:uuid:{ONE}> http://news.aldbury.example/1\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("pages", "gold", "suffix"),
    [
        (".", ".", "-cleaned"),
        ("en_original", "en_cleaned", "-cleaned"),
        ("orig", "clean", ""),
        ("input", "GoldStandard", ""),
    ],
)
def test_cleaneval_is_found_by_its_files(tmp_path: Path, pages: str, gold: str, suffix: str) -> None:
    write_cleaneval(tmp_path / "cleaneval" / pages, tmp_path / "cleaneval" / gold, suffix)
    (found,) = load_sets(tmp_path, ["cleaneval"])
    (page,) = found.pages
    assert (page.id, page.url) == ("17", "http://www.aldbury.example/bridge")
    assert page.text == f"New bridge for Aldbury\n{ARTICLE}\n{SECOND}\nA café"
    assert page.html().strip().startswith("<html lang=en>")
    assert "<p>A café</p>" in page.html()
    assert page.read().strip().endswith(b"</html>")


def test_a_page_of_cleaneval_that_is_not_there_is_counted(tmp_path: Path) -> None:
    write_cleaneval(tmp_path, tmp_path)
    (tmp_path / "18-cleaned.txt").write_text("<p>Nothing", encoding="utf-8")
    (found,) = load_sets(tmp_path)
    assert ([page.id for page in found.pages], found.missing) == (["17"], ["18"])


def test_texts_beside_pages_are_no_set(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text("<p>a</p>", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("b", encoding="utf-8")
    with pytest.raises(ConfigError, match="no labelled pages"):
        load_sets(tmp_path)


def test_l3s_gn1_takes_the_innermost_annotation(tmp_path: Path) -> None:
    write_l3s(tmp_path / "L3S-GN1")
    (found,) = load_sets(tmp_path)
    (page,) = found.pages
    assert (page.key, page.url, page.page_type) == (f"L3S-GN1/{ONE}", "http://news.aldbury.example/1", "article")
    assert page.title == "New bridge for Aldbury"
    assert page.text is not None
    assert page.text.split("\n") == [
        "New bridge for Aldbury",
        ARTICLE,
        f"{SECOND}Twice inside.",
        "The bridge in numbers",
    ]
    assert page.html() == page_html(ARTICLE, SECOND)


def test_l3s_gn1_classes_can_be_chosen() -> None:
    html = "<p><span class='a x-nc-sel5'>Comment</span> <span class='x-nc-sel2'>Text</span>"
    assert annotated_text(html, frozenset({5})) == "Comment"
    assert annotated_text(html) == "Text"


def test_bench_runs_on_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from argparse import ArgumentParser

    write_cleaneval(tmp_path / "cleaneval" / "en_original", tmp_path / "cleaneval" / "en_cleaned")
    write_l3s(tmp_path / "L3S-GN1")
    parser = ArgumentParser()
    add_arguments(parser)
    options = ["--data", str(tmp_path), "--set", "cleaneval,L3S-GN1", "--recipes", "line-block", "--peers", "none"]
    assert run(parser.parse_args(options)) == 0
    printed = capsys.readouterr().out
    assert "## cleaneval: 1 pages" in printed
    assert "## L3S-GN1: 1 pages" in printed
    assert "CleanEval" in (bench_help or "")

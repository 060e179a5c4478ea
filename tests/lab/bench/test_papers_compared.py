"""Tables of the papers: storage, time, templates of real sites, key patterns page by page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench import pattern_pages, recipe_times, storage_saved, template_sites
from cleancrawl.lab.bench.datasets import GoldPage, load_sets
from cleancrawl.lab.bench.recipe_times import table
from tests.extras import needs

WORDS = "harbour council mayor bridge river market orchard railway mountain library".split()


def text_of(site: int, number: int) -> str:
    lines = (" ".join(WORDS[(start + number * step) % 10] for step in range(12)) for start in range(4))
    return "\n".join(f"In site {site} on day {number} {line}." for line in lines)


@pytest.fixture
def pages(tmp_path: Path) -> list[GoldPage]:
    """Two sites of five pages, each with a frame of its own; the second has two kinds of pages."""
    (tmp_path / "html").mkdir()
    lines = []
    for site in range(2):
        for number in range(5):
            kind = "product" if site and number > 2 else "article"
            tag = "section" if kind == "product" else "div"
            menu = "".join(f"<li><a href='/{word}'>{kind} {word} {site}</a></li>" for word in WORDS)
            frame = f"<{tag}><{tag}><ul>{menu}</ul></{tag}>" if site else f"<table><tr><td><ul>{menu}</ul></table>"
            body = "".join(f"<p>{line}</p>" for line in text_of(site, number).splitlines())
            name = f"{site}{number}"
            (tmp_path / "html" / f"{name}.html").write_text(f"<title>{name}</title>{frame}<article>{body}</article>")
            url = f"https://site{site}.example/{number}"
            record = {"id": name, "url": url, "page_type": kind, "text": text_of(site, number)}
            lines.append(json.dumps(record))
    (tmp_path / "truth.jsonl").write_text("\n".join(lines))
    return load_sets(tmp_path)[0].pages


def rows(table: str) -> dict[str, list[str]]:
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in cells}


def test_storage_is_counted_by_site(pages: list[GoldPage]) -> None:
    needs("tantivy", "search")
    printed = storage_saved.report(pages[:9], "default")
    found = rows(printed)
    # The second site has four pages here, too few for a row of its own.
    assert {name: row[0] for name, row in found.items() if row[0].isdecimal()} == {
        "site0.example": "5",
        "other sites": "4",
        "all": "9",
    }
    assert "70 %" in printed


def test_templates_part_sites_and_kinds_of_pages_and_remove_frames(pages: list[GoldPage]) -> None:
    together, kinds, removed = template_sites.report(pages, "default").split("\n\n### ")
    assert together.startswith("### 10 pages of 2 sites at once")
    assert rows(together)["mdl"][1:3] == ["2", "1.000"]
    assert kinds.startswith("Kinds of pages: 5 pages of 1 sites")
    assert rows(kinds)["mdl"] == ["2", "2", "1.000", "1.000", "1.000"]
    assert rows(removed)["mdl"][1] == "1.000"
    assert float(rows(removed)["mdl"][2]) > 0.5
    with pytest.raises(ConfigError, match="5 labelled pages"):
        template_sites.report(pages[:3], "default")


def test_a_cut_is_right_where_content_and_noise_are_apart(pages: list[GoldPage]) -> None:
    printed = pattern_pages.report(pages, "default")
    found = rows(printed)
    assert found["text blocks"][:3] == ["1.000", "1.000", "1.000"]
    assert found["one level deep"][2] < found["text blocks"][2]
    assert ".738" in printed


def test_times_are_ratios_to_the_parse(pages: list[GoldPage], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe_times, "ROUNDS", 1)
    assert len(rows(recipe_times.report(pages[:2], "default"))) == 2 + 7
    sizes = [1000, 2000, 4000, 8000]
    found = rows(table(sizes, {"lxml parse": [1.0, 2, 4, 8], "default": [2.0, 8, 32, 128]}))
    assert found["default"][1:] == ["11 ×", "2.0 ×", "4.0 ×", "8.0 ×", "16 ×", "2.00", "–"]

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import load_sets
from tests.lab.bench.conftest import PAGES, write_html, write_truth


def test_a_directory_of_sets(data: Path) -> None:
    snippets, texts = load_sets(data)
    assert (snippets.name, texts.name) == ("snippets", "texts")
    page = texts.pages[0]
    assert page.key == "texts/0001"
    assert page.domain == "site0001.com"
    assert page.html() == PAGES["0001"][0]
    assert page.text == PAGES["0001"][1]
    assert snippets.pages[0].text is None
    assert snippets.pages[0].must_have == ("rebuild the bridge",)


def test_one_set_by_name_by_path_and_limited(data: Path) -> None:
    assert [found.name for found in load_sets(data, ["texts"])] == ["texts"]
    (alone,) = load_sets(data / "texts", limit=2)
    assert [page.id for page in alone.pages] == ["0001", "0002"]


def test_wcxb_layout(tmp_path: Path) -> None:
    write_html(tmp_path / "dev")
    labels = tmp_path / "dev" / "ground-truth"
    labels.mkdir()
    for page_id, (_, gold) in PAGES.items():
        record = {
            "url": "https://a.example/",
            "_internal": {"page_type": {"primary": "category"} if page_id == "0001" else "forum"},
            "ground_truth": {"title": "T", "author": None, "main_content": gold, "with": ["bridge"], "without": ["X"]},
        }
        (labels / f"{page_id}.json").write_text(json.dumps(record), encoding="utf-8")
    (found,) = load_sets(tmp_path)
    assert [page.page_type for page in found.pages] == ["collection", "forum", "forum"]
    assert found.pages[0].text == PAGES["0001"][1]
    assert (found.pages[0].must_have, found.pages[0].must_not_have) == (("bridge",), ("X",))


def test_article_extraction_benchmark_layout(tmp_path: Path) -> None:
    write_html(tmp_path)
    records = {page_id: {"articleBody": gold, "url": "https://a.example/"} for page_id, (_, gold) in PAGES.items()}
    (tmp_path / "ground-truth.json").write_text(json.dumps({**records, "gone": {"articleBody": "x"}}), encoding="utf-8")
    (found,) = load_sets(tmp_path)
    assert [page.id for page in found.pages] == ["0001", "0002", "0003"]
    assert found.missing == ["gone"]
    assert found.pages[2].text == PAGES["0003"][1]


def test_plain_html_beside_plain_lines(tmp_path: Path) -> None:
    write_html(tmp_path / "set", packed=False)
    (tmp_path / "set" / "truth.jsonl").write_text('{"id": "0001", "text": "", "title": "\u2028"}\n\n', encoding="utf-8")
    (found,) = load_sets(tmp_path)
    (page,) = found.pages
    assert page.title == "\u2028"
    assert (page.text, page.domain, page.html()) == ("", "set/0001", PAGES["0001"][0])


def test_wrong_directories_are_told_apart(tmp_path: Path, data: Path) -> None:
    with pytest.raises(ConfigError, match="is not a directory"):
        load_sets(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="no labelled pages"):
        load_sets(tmp_path / "empty")
    with pytest.raises(ConfigError, match=r"no set 'other' in .*there is snippets, texts"):
        load_sets(data, ["other"])


def test_damaged_labels_and_missing_pages(tmp_path: Path) -> None:
    broken = write_truth(tmp_path / "broken")
    (broken / "truth.jsonl.gz").write_bytes(gzip.compress(b"{not json"))
    with pytest.raises(ConfigError, match="cannot read the labels"):
        load_sets(tmp_path)
    (broken / "truth.jsonl.gz").write_bytes(gzip.compress(b'{"id": "unknown"}'))
    with pytest.raises(ConfigError, match="none of their pages"):
        load_sets(tmp_path)

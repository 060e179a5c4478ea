from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl import open_store
from cleancrawl.cli import main
from tests.stores.pages import FOOTER, SITE, article_of, record_of, story, url_of


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    store = open_store(url)
    for number in range(3):
        store.record(record_of(url_of(number), *story(number), FOOTER, article=article_of(f"T{number}")))
    store.close()
    return url


def test_info(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "info", url]) == 0
    assert "articles         3\n" in capsys.readouterr().out
    assert main(["store", "info", url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"] == 3


def test_sites(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "sites", url]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["site", "pages", "urls"]
    assert line.split() == [SITE, "3", "3", "3", "13", "0", "2023-11-14", "22:13"]
    assert main(["store", "sites", url, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["site"] == SITE


def test_blocks(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "blocks", url, SITE, "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "(3 pages of portal.example are known)" in out
    assert "    3         3  Copyright by the portal" in out
    assert main(["store", "blocks", url, SITE, "--json", "--limit", "2"]) == 0
    assert [block["pages"] for block in json.loads(capsys.readouterr().out)] == [3, 1]
    assert main(["store", "blocks", url, "unknown.example"]) == 1
    assert capsys.readouterr().err == "cleancrawl store: nothing is known of unknown.example\n"


def test_prune_and_forget(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "prune", url]) == 0
    assert capsys.readouterr().out == "13 blocks forgotten\n"
    assert main(["store", "forget", url, SITE]) == 0
    assert capsys.readouterr().out == "3 pages of portal.example forgotten\n"
    assert main(["store", "forget", url, SITE]) == 1


def test_export_and_import(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump, copy = tmp_path / "dump.jsonl", f"sqlite:///{tmp_path / 'copy.db'}"
    assert main(["store", "export", url, "-o", str(dump)]) == 0
    assert main(["store", "export", url]) == 0
    assert capsys.readouterr().out == dump.read_text()
    assert main(["store", "import", copy, str(dump)]) == 0
    store = open_store(copy)
    assert len(store.articles()) == store.site_pages(SITE) == 3
    store.close()
    assert main(["store", "import", copy, str(dump)]) == 1
    assert "is not empty" in capsys.readouterr().err
    dump.write_text("no json\n")
    assert main(["store", "import", f"sqlite:///{tmp_path / 'new.db'}", str(dump)]) == 2
    assert "line 1 is no row of an export" in capsys.readouterr().err


def test_a_store_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["store", "info", f"sqlite:///{tmp_path / 'none.db'}"]) == 1
    assert "no store at" in capsys.readouterr().err


def test_an_export_that_breaks_off_is_not_imported(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump, copy = tmp_path / "dump.jsonl", f"sqlite:///{tmp_path / 'copy.db'}"
    assert main(["store", "export", url, "-o", str(dump)]) == 0
    lines = dump.read_text().splitlines(keepends=True)
    broken = {
        f"breaks off after {len(lines) - 1:,} rows": lines[:-1],
        "breaks off after 3 rows": lines[:3],
        "breaks off in line 4": [*lines[:3], lines[3][:20]],
        "lacks rows": [*lines[:3], *lines[4:]],
        "the export is empty": [],
    }
    for words, left in broken.items():
        dump.write_text("".join(left))
        assert main(["store", "import", copy, str(dump)]) == 1
        assert words in capsys.readouterr().err
        assert open_store(copy).info().pages == 0
    # Exports of earlier versions have no such line.
    dump.write_text("".join([json.dumps({"kind": "store", "version": 1}) + "\n", *lines[1:-1]]))
    assert main(["store", "import", copy, str(dump)]) == 0
    assert open_store(copy).info().pages == 3

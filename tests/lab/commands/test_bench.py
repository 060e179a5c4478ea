from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.core.block import Block
from cleancrawl.core.native import in_use
from cleancrawl.core.page import Page
from cleancrawl.core.recipe import Recipe
from cleancrawl.lab.bench.comparison import versions
from tests.extras import needs
from tests.lab.bench.conftest import PAGES


def keep_all(page: Page) -> None:
    text = " ".join(page.tree.text_content().split())
    page.blocks = [Block(text, len(text.split()), 0, "body")]


EVERYTHING = Recipe("everything", "keeps the whole page", (keep_all,))
RECIPE = f"{__name__}.EVERYTHING"


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])


def test_compares_and_writes_files(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("matplotlib", "bench")
    needs("trafilatura", "bench")
    texts = tmp_path / "perfect.json"
    texts.write_text(json.dumps({page_id: {"articleBody": gold} for page_id, (_, gold) in PAGES.items()}))
    figures, plot = tmp_path / "figures.json", tmp_path / "plot.png"
    options = ["--recipes", RECIPE, "--peers", "trafilatura", "--texts", str(texts), "--worst", "2"]
    code = main(["bench", "--data", str(data), *options, "--json", str(figures), "--plot", str(plot)])
    output = capsys.readouterr().out
    assert code == 0
    assert "## texts: 3 pages" in output
    assert "## snippets: 3 pages" in output
    assert "Worst pages of" in output
    assert json.loads(figures.read_text())["texts"]["perfect"]["summary"]["right"] == 1.0
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_out_of_fold_texts_are_judged_and_pages_renewed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, page, figures = tmp_path / "texts.json", tmp_path / "page.md", tmp_path / "figures.json"
    texts.write_text(json.dumps({page_id: gold for page_id, (_, gold) in PAGES.items()}))
    page.write_text("<!-- figures: overview -->\nstale\n<!-- end of figures -->\n")
    options = ["--set", "texts", "--recipes", RECIPE, "--peers", "none", "--out-of-fold", str(texts)]
    assert main(["bench", "--data", str(data), *options, "--renew", str(page), "--json", str(figures)]) == 0
    name = f"{RECIPE}, out of fold"
    record = json.loads(figures.read_text())["texts"]
    assert set(record) == {name, "lxml parse"}
    assert record[name]["summary"]["right"] == 1.0
    assert record[name]["milliseconds"] > 0
    assert "texts, 3 pages" in page.read_text()
    assert "1.000 / 1.000" in page.read_text()
    assert "stale" not in page.read_text()
    assert "renewed overview" in capsys.readouterr().out


def test_errors_of_two_texts_are_set_side_by_side(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, page = tmp_path / "before.json", tmp_path / "after.json", tmp_path / "page.md"
    after.write_text(json.dumps({page_id: gold for page_id, (_, gold) in PAGES.items()}))
    before.write_text(json.dumps(dict.fromkeys(PAGES, "Home News Sport")))
    page.write_text("<!-- figures: error kinds -->\n<!-- end of figures -->\n")
    options = ["--set", "texts", "--errors", "--texts", str(before), "--texts", str(after), "--renew", str(page)]
    assert main(["bench", "--data", str(data), *options]) == 0
    table = page.read_text()
    assert "words of false text" in table
    assert "the whole article" in table
    assert table.split("\n\n")[1] in capsys.readouterr().out


def test_recall_by_kind_of_a_recipe_and_of_texts(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = tmp_path / "mine.json"
    texts.write_text(json.dumps({page_id: gold for page_id, (_, gold) in PAGES.items()}))
    for options in (["--recipes", RECIPE], ["--texts", str(texts)]):
        assert main(["bench", "--data", str(data), "--set", "texts", "--recall", *options]) == 0
        assert "| wanted blocks" in capsys.readouterr().out


def test_one_type_of_one_set(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--set", "texts", "--types", "article", "--limit", "3", "--recipes", RECIPE, "--peers", "none"]
    assert main(["bench", "--data", str(data), *options]) == 0
    assert "## texts: 2 pages" in capsys.readouterr().out


def test_the_profile_has_every_step(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--data", str(data), "--recipes", RECIPE, "--profile"]) == 0
    header, _, *lines = capsys.readouterr().out.splitlines()
    assert header == versions()
    assert f"({in_use()}), lxml" in header
    steps = [line.split("|")[1].strip() for line in lines]
    assert steps[2:] == [
        *("decode", "segment", "primary", "secondary", "score", "render", "everything, in all", "lxml parse")
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--types", "forum"], "no pages of type forum in snippets: there is article, service"),
        (["--peers", "nobody"], "unknown peer 'nobody'"),
        (["--recipes", "nothing"], "unknown recipe 'nothing'"),
        (["--texts", "/nowhere.json"], "cannot read texts from /nowhere.json"),
        (["--panel", "news=elsewhere"], "--panel: 'elsewhere' is not measured: there is snippets, texts"),
        (["--renew", "/nowhere.md"], "cannot read /nowhere.md"),
    ],
)
def test_wrong_use_is_one_line(
    data: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    defaults = ["--recipes", "none", "--peers", "none"]
    assert main(["bench", "--data", str(data), *defaults, *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_limit_is_a_positive_number(data: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bench", "--data", str(data), "--limit", "0"])
    assert stop.value.code == 2

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.lab.bench.sample_sites import main as write_site
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.lab.bench.template_cost import main as measure_cost
from cleancrawl.methods.site_template.site_templates import SiteTemplates
from tests.extras import needs


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    for number, (_, html) in enumerate(sample_site(8, 2)):
        (tmp_path / f"{number}.html").write_text(html, encoding="utf-8")
    (tmp_path / "7.html").unlink()
    (tmp_path / "7.html.gz").write_bytes(gzip.compress(html.encode()))
    return tmp_path


@pytest.mark.parametrize("method", ["mdl", "minhash", "lsh"])
def test_clusters_are_printed_and_written(saved: Path, capsys: pytest.CaptureFixture[str], method: str) -> None:
    output = saved / "templates.json"
    assert main(["templates", str(saved), "--method", method, "-o", str(output)]) == 0
    head, columns, first, second = capsys.readouterr().out.splitlines()
    assert head == f"8 pages, 2 clusters ({method})"
    assert columns.split() == ["pages", "template", "paths", "share", "bytes", "examples"]
    assert first.endswith("0.html, 2.html, 4.html")
    assert second.split()[0] == "4"
    record = json.loads(output.read_text("utf-8"))
    assert [len(cluster["pages"]) for cluster in record["clusters"]] == [4, 4]
    assert any(path.startswith("Document\\<html>\\<body>\\<div>") for path in record["clusters"][0]["paths"])
    assert [template.size for template in SiteTemplates.from_json(record).templates] == [4, 4]


def test_a_tolerance_of_supports(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["templates", str(saved), "--tolerance", "0.1"]) == 0
    assert "8 pages, 2 clusters (lsh)" in capsys.readouterr().out
    for wrong in ("1", "-0.1", "much"):
        with pytest.raises(SystemExit):
            main(["templates", str(saved), "--tolerance", wrong])
        assert "is no number from 0 to below 1" in capsys.readouterr().err


def test_errors_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html.gz").write_bytes(b"no gzip")
    assert main(["templates", str(tmp_path / "none")]) == 2
    assert main(["templates", str(tmp_path)]) == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["templates", str(empty)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ", 1)[0] for line in lines] == ["cleancrawl templates"] * 3
    assert "is not a directory" in lines[0]
    assert "is no gzip file" in lines[1]
    assert "no saved pages" in lines[2]


def test_a_made_up_site_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write_site([str(tmp_path / "site"), "--pages", "8", "--rows", "9"]) == 0
    assert len(list((tmp_path / "site").iterdir())) == 8
    assert main(["templates", str(tmp_path / "site")]) == 0
    assert "8 pages, 4 clusters" in capsys.readouterr().out


def test_time_and_memory_are_measured_and_plotted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plot = tmp_path / "plot.svg"
    needs("matplotlib", "bench")
    assert measure_cost(["--pages", "4,8", "--most", "mdl=4", "--plot", str(plot)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[1:6]] == [
        ["4", "mdl"],
        ["4", "minhash"],
        ["4", "lsh"],
        ["8", "minhash"],
        ["8", "lsh"],
    ]
    assert "svg" in plot.read_text("utf-8")[:400]

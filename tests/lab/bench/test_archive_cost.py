"""The made-up archive, and that every way through it gives articles; no times."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as parquet
import pytest

from cleancrawl.archives.warc_pages import read_warc
from cleancrawl.core.site import site_key
from cleancrawl.lab.bench import archive_cost
from cleancrawl.lab.bench.datasets import load_sets


def test_every_way_through_a_made_up_archive(data: Path, tmp_path: Path) -> None:
    pages = [page for each in load_sets(data) for page in each.pages]
    path = tmp_path / "pages.warc.gz"
    archive_cost.write_archive(path, pages, 12, 4)
    with path.open("rb") as stream:
        saved = list(read_warc(stream, "pages", pytest.fail))
    assert len({page.body for page in saved}) == 12
    assert [site_key(page.url) for page in saved[3:5]] == ["site0.example", "site1.example"]
    archive_cost.by_loop(path, tmp_path / "loop")
    archive_cost.by_cleaner(path, tmp_path / "cleaner")
    archive_cost.by_two_loops(path, tmp_path / "twice")
    archive_cost.by_engine(path, tmp_path / "local", jobs=1)
    for place in ("loop/articles.parquet", "cleaner/articles.parquet", "twice/articles.parquet", "local/articles"):
        assert parquet.read_table(tmp_path / place).num_rows == 12


def test_each_way_is_a_process_that_is_measured(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--data", str(data), "--pages", "4", "--site-pages", "2", "--ways", "loop", "--scratch", str(tmp_path)]
    assert archive_cost.main(command) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("4 pages of 2 sites, 0 MB\n")
    assert "| a loop of `clean` |" in printed

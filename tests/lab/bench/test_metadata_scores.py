from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from cleancrawl.lab.bench import metadata_scores as metadata
from tests.extras import needs

PAGE = """<html><head><title>Storm hits coast | Herald</title><meta name="author" content="Jane Doe">
<meta property="article:published_time" content="2024-05-03T10:00:00Z"></head><body><h1>Storm hits coast</h1>
<p>The storm came over the hills at night, and the council met in the morning to speak about it.</p></body></html>"""


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    (folder / "html").mkdir(parents=True)
    (folder / "html" / "1.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    line = {"id": "1", "url": "https://herald.example/storm", "title": "Storm hits coast", "text": "x"}
    line |= {"author": ["Jane Doe"], "publish_date": "2024-05-03", "page_type": "article"}
    (folder / "truth.jsonl.gz").write_bytes(gzip.compress(json.dumps(line).encode()))
    return folder


def test_both_are_measured_on_the_same_pages(labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("trafilatura", "bench")
    assert metadata.main(["--data", str(labelled)]) == 0
    told = capsys.readouterr().out
    assert told.count("cleancrawl 1.000") == 3
    assert "tiny: 1 pages" in told


def test_a_wrong_directory_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert metadata.main(["--data", str(tmp_path / "none")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cleancrawl.lab.bench import site_gain as sites
from cleancrawl.lab.bench.datasets import load_sets

BANNER = "We and our partners store and read cookies on your device to measure how our pages are used by you."


def test_knowing_a_site_removes_what_recurs_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "html").mkdir()
    lines = []
    for number in range(7):
        name = chr(ord("p") + number)
        text = "\n".join(f"In {part} the harbour{name} council{name} met again{name} {part}." for part in "abc")
        html = f"<title>{number}</title><p>{BANNER}</p>" + "".join(f"<p>{line}</p>" for line in text.splitlines())
        (tmp_path / "html" / f"{number}.html").write_text(html)
        lines.append(json.dumps({"id": str(number), "url": f"https://portal.example/{number}", "text": text}))
    (tmp_path / "truth.jsonl").write_text("\n".join(lines))
    names = ("without site knowledge", "with it, first pages held")
    monkeypatch.setattr(sites, "WAYS", {name: sites.WAYS[name] for name in names})
    (dataset,) = load_sets(tmp_path)
    _, _, without, with_it, _ = sites.report(dataset.pages, "tests.recipes_for_tests.paragraphs_of_a_site").splitlines()
    assert "1.0000 / 1.0000" not in without
    assert with_it.count("1.0000 / 1.0000") == 3

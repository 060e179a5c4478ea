"""The odds of recurring blocks, on made-up sites."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cleancrawl.lab.learn.site_odds import Sightings, fit, interval, main

TOPICS = ("bridge", "harbour", "library", "theatre")


def site(seed: int, odds: float) -> Sightings:
    generator = np.random.default_rng(seed)
    log_odds = generator.normal(size=4000)
    seen = (generator.random(4000) < 0.5).astype(np.float64)
    chance = 1 / (1 + np.exp(-(log_odds + np.log(odds) * seen)))
    content = (generator.random(4000) < chance).astype(np.float64)
    return Sightings(log_odds, seen, content, np.ones(4000))


def test_the_odds_that_made_the_data_are_found_again() -> None:
    sites = [site(seed, 0.3) for seed in range(4)]
    assert fit(sites) == pytest.approx(0.3, rel=0.15)
    low, high = interval(sites)
    assert low < fit(sites) < high


def write_set(directory: Path, pages: int) -> None:
    (directory / "html").mkdir(parents=True)
    lines = []
    for number, topic in enumerate(TOPICS[:pages]):
        text = (
            f"The council of Aldbury spoke about the {topic} on Tuesday, and its costs were praised by all sides. " * 3
        )
        notice = "Write to our newsroom if you know more about any of this."
        html = (
            f"<title>The {topic}</title><article><h1>The {topic}</h1><p>{text}</p></article><div><p>{notice}</p></div>"
        )
        (directory / "html" / f"{number}.html").write_text(html, "utf-8")
        lines.append(json.dumps({"id": str(number), "url": f"https://a.example/{topic}", "text": text}))
    (directory / "truth.jsonl").write_text("\n".join(lines), "utf-8")


def test_the_command_reads_sites_with_several_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_set(tmp_path / "some", 4)
    assert main(["--data", str(tmp_path), "--set", "some"]) == 0
    assert capsys.readouterr().out.startswith("1 sites, ")


def test_the_command_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_set(tmp_path / "few", 2)
    assert main(["--data", str(tmp_path), "--set", "few"]) == 1
    assert main(["--data", str(tmp_path / "nowhere")]) == 1
    assert "no site has 3 labelled pages" in capsys.readouterr().err

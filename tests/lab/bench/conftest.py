"""A tiny labelled set in each of the three layouts."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

ARTICLE = (
    "The council of Aldbury agreed on Tuesday to rebuild the bridge over the mill stream. "
    "Work begins in March, and the road stays open for cyclists, said the mayor, Ada Brook."
)
SECOND = (
    "Nobody had expected the vote to be unanimous, since the last plan failed by a single voice. "
    "The new bridge costs two million, half of it paid by the county, and should last for a century."
)
FOOTER = "Imprint Privacy Contact"


def page_html(*paragraphs: str) -> str:
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        "<!DOCTYPE html><html lang=en><head><title>New bridge for Aldbury</title></head><body>"
        "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>"
        f"<article><h1>New bridge for Aldbury</h1>{body}</article>"
        f"<footer><a href=/i>Imprint</a> <a href=/p>Privacy</a> <a href=/c>Contact</a></footer></body></html>"
    )


PAGES = {
    "0001": (page_html(ARTICLE, SECOND), f"New bridge for Aldbury\n\n{ARTICLE}\n\n{SECOND}"),
    "0002": (page_html(SECOND, ARTICLE), f"New bridge for Aldbury\n\n{SECOND}\n\n{ARTICLE}"),
    "0003": (page_html(ARTICLE), f"New bridge for Aldbury\n\n{ARTICLE}"),
}


def write_html(directory: Path, *, packed: bool = True) -> None:
    (directory / "html").mkdir(parents=True)
    for page_id, (html, _) in PAGES.items():
        if packed:
            (directory / "html" / f"{page_id}.html.gz").write_bytes(gzip.compress(html.encode()))
        else:
            (directory / "html" / f"{page_id}.html").write_text(html, encoding="utf-8")


def write_truth(directory: Path, *, text: bool = True) -> Path:
    write_html(directory)
    lines = []
    for page_id, (_, gold) in PAGES.items():
        record = {
            "id": page_id,
            "url": f"https://www.site{page_id}.com/news/{page_id}",
            "page_type": "article" if page_id != "0003" else "service",
            "title": "New bridge for Aldbury",
            "must_have": ["rebuild the bridge"],
            "must_not_have": [FOOTER, "Sport"],
        }
        lines.append(json.dumps({**record, "text": gold} if text else record))
    (directory / "truth.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    return directory


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A directory with two sets: one with gold texts, one with snippets only."""
    write_truth(tmp_path / "texts")
    write_truth(tmp_path / "snippets", text=False)
    return tmp_path

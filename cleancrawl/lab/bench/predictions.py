"""Texts that were made elsewhere: out-of-fold texts of a trainer, or another benchmark's output files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.datasets import GoldPage

_GAPS = 0.05


def read_predictions(path: Path) -> dict[str, str]:
    """Texts by page key or id: ``{id: text}``, or article-extraction-benchmark's ``{id: {"articleBody": text}}``."""
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        return {page: _text(record) for page, record in records.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"cannot read texts from {path}: {error}") from None


def text_of(texts: Mapping[str, str], page: GoldPage) -> str:
    """The text of a page, by its key or its id; empty where there is none."""
    return texts.get(page.key) or texts.get(page.id, "")


def refuse_gaps(texts: Mapping[str, str], pages: Sequence[GoldPage], path: Path) -> None:
    """Raises ``ConfigError`` where more than a few pages have no text: figures of them would be wrong, not just low.

    A page without any block has no example, so a few are always missing.
    """
    missing = [page for page in pages if page.key not in texts and page.id not in texts]
    if len(missing) > _GAPS * len(pages):
        raise ConfigError(f"{path} has no text for {len(missing)} of {len(pages)} pages, such as {missing[0].key}")


def _text(record: object) -> str:
    text = record.get("articleBody") if isinstance(record, dict) else record
    return text if isinstance(text, str) else ""

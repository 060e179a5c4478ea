"""Texts that were made elsewhere: out-of-fold texts of a trainer, or another benchmark's output files."""

from __future__ import annotations

import json
from pathlib import Path

from cleancrawl.errors import ConfigError


def read_predictions(path: Path) -> dict[str, str]:
    """Texts by page key or id: ``{id: text}``, or article-extraction-benchmark's ``{id: {"articleBody": text}}``."""
    try:
        records = json.loads(path.read_text(encoding="utf-8"))
        return {page: _text(record) for page, record in records.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"cannot read texts from {path}: {error}") from None


def _text(record: object) -> str:
    text = record.get("articleBody") if isinstance(record, dict) else record
    return text if isinstance(text, str) else ""

"""A run over an archive: what goes in, what came of it, and whether an interrupted one can go on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cleancrawl.archives.warc_pages import WARC_SUFFIXES
from cleancrawl.core.fingerprints.block_prints import FINGERPRINT_VERSION
from cleancrawl.corpus.card import Counts, card_json, card_markdown
from cleancrawl.errors import ConfigError
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.part_files import write_json, write_whole
from cleancrawl.version import __version__

MANIFEST, ARTICLES, FAILED, WORK = "manifest.json", "articles", "failed.jsonl", ".unfinished"

OnProgress = Callable[[str, int, int], object]
"""Told what is done, how much more of it was just done, and how much there is in all."""


@dataclass(slots=True)
class Summary:
    """What came of a run."""

    pages: int = 0
    """HTML responses that were read."""
    articles: int = 0
    duplicates: int = 0
    words: int = 0
    sites: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Responses that were not cleaned, by reason."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Pages that gave no article, by reason."""
    failed: int = 0
    """Records that failed, each a line of the side output."""
    troubles: list[str] = field(default_factory=list)
    """Archives that could not be read whole."""

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Summary:
        counters = {"skipped", "dropped"}
        typed: dict[str, Any] = {name: Counter(value) if name in counters else value for name, value in values.items()}
        return cls(**typed)


def find_archives(arguments: Sequence[str]) -> list[Path]:
    """The WARC files that arguments name: files, and all below directories in the order of their names.

    Raises ``ConfigError`` where there is nothing of the kind.
    """
    found: list[Path] = []
    for argument in arguments:
        path = Path(argument)
        if path.is_dir():
            below = sorted(each for each in path.rglob("*") if each.name.endswith(WARC_SUFFIXES))
            if not below:
                raise ConfigError(f"no WARC files in {path}")
            found += below
        elif not path.is_file():
            raise ConfigError(f"no such file or directory: {path}")
        elif not path.name.endswith(WARC_SUFFIXES):
            raise ConfigError(f"{path} is none of {', '.join(WARC_SUFFIXES)}")
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def manifest_json(inputs: list[list[Any]], options: BulkOptions, together: int) -> dict[str, Any]:
    """What a result depends on: its files with their sizes, the options, what is done together, the version."""
    return {
        "inputs": inputs,
        "options": options.to_json(),
        "together": together,
        "cleancrawl": __version__,
        "fingerprints": FINGERPRINT_VERSION,
    }


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a directory of results was made of: another run does not go on with it."""

    inputs: list[list[Any]]
    options: BulkOptions
    part_pages: int

    @classmethod
    def of(cls, paths: Sequence[Path], options: BulkOptions, part_pages: int) -> Manifest:
        return cls([[str(path), path.stat().st_size] for path in paths], options, part_pages)

    def to_json(self) -> dict[str, Any]:
        return manifest_json(self.inputs, self.options, self.part_pages)

    def begin(self, out: Path) -> Summary | None:
        """Make the directory, or go on in it; the summary where all is done.

        Raises ``ConfigError`` where the directory is another run's.
        """
        path = out / MANIFEST
        if not path.exists():
            # A file of this name is what a run leaves that was killed at its very start.
            if out.is_dir() and any(each.name != f"{MANIFEST}.tmp" for each in out.iterdir()):
                raise ConfigError(f"{out} is not empty: choose another directory")
            out.mkdir(parents=True, exist_ok=True)
            write_json(path, self.to_json())
            (out / WORK).mkdir()
            return None
        try:
            stored = json.loads(path.read_text("utf-8"))
            finished = stored.pop("summary", None)
        except (ValueError, AttributeError):
            raise ConfigError(f"{path} is damaged: choose another directory or delete this one") from None
        if stored != self.to_json():
            other = [name for name, value in self.to_json().items() if stored.get(name) != value]
            raise ConfigError(f"{out} belongs to a run with other {' and '.join(other)}: choose another directory")
        (out / WORK).mkdir(exist_ok=True)
        return None if finished is None else Summary.from_json(finished)

    def end(self, out: Path, summary: Summary) -> None:
        write_json(out / MANIFEST, {**self.to_json(), "summary": summary.to_json()})


def write_cards(out: Path, counts: Counts, made: dict[str, Any]) -> None:
    write_whole(out / "card.md", card_markdown(counts, made).encode("utf-8", "replace"))
    write_json(out / "card.json", card_json(counts, made))

"""Templates of a site, learned from its first pages and kept in the store (METHODS C6 in a crawl).

The paths of the first pages are kept as samples; whenever their number has doubled the site is clustered again, and
after the last time only the templates stay. Near the start of a crawl ``CLEANCRAWL_WARMUP_PAGES`` holds pages back, so
that they too are cleaned with templates.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cleancrawl.errors import ConfigError
from cleancrawl.methods.site_template.paths import Paths
from cleancrawl.methods.site_template.site_templates import Method, SiteTemplates, find_templates

NOTE = "templates"
LEARN_AT = (4, 8, 16, 32)
"""Numbers of sample pages at which the templates are learned (again)."""
METHOD: Method = "mdl"
EXAMPLES = 3
MOST_PATHS = 10_000
"""Larger pages are no samples: a store keeps eight bytes per path of each."""
_FORMAT = 1


@dataclass(slots=True)
class Samples:
    """What the store keeps: sample pages until the last learning, and the templates learned so far."""

    pages: dict[str, Paths] = field(default_factory=dict)
    templates: SiteTemplates | None = None
    complete: bool = False
    shown: list[tuple[float, list[str]]] = field(default_factory=list)
    """Of each template, for people: the share of its paths among those of its pages, and some of these pages."""

    def add(self, url: str, paths: Paths) -> bool:
        """Take a page as a sample unless it, or one just like it, is one already; whether anything changed."""
        if self.complete or any(np.array_equal(paths, known) for known in self.pages.values()):
            return False
        if url in self.pages or len(paths) > MOST_PATHS:
            return False
        self.pages[url] = paths
        if len(self.pages) in LEARN_AT:
            self._learn()
        if len(self.pages) >= LEARN_AT[-1]:
            self.pages, self.complete = {}, True
        return True

    def _learn(self) -> None:
        urls, pages = list(self.pages), list(self.pages.values())
        self.templates = find_templates(pages, METHOD)
        self.shown = [
            (round(template.share(pages), 4), [urls[page] for page in template.pages[:EXAMPLES]])
            for template in self.templates.templates
        ]

    def to_text(self) -> str:
        packed = {url: b64encode(paths.tobytes()).decode() for url, paths in self.pages.items()}
        learned = self.templates.to_json() if self.templates else None
        record = {"format": _FORMAT, "pages": packed, "templates": learned, "complete": self.complete}
        return json.dumps({**record, "shown": self.shown})

    @classmethod
    def from_text(cls, text: str | None) -> Samples:
        """Starts afresh where there is nothing, or something of another version."""
        try:
            stored: dict[str, Any] = json.loads(text or "{}")
            if stored.get("format") != _FORMAT:
                return cls()
            pages = {url: np.frombuffer(b64decode(data), dtype=np.uint64) for url, data in stored["pages"].items()}
            learned = stored["templates"]
            shown = [(float(share), list(map(str, urls))) for share, urls in stored.get("shown", ())]
            return cls(pages, SiteTemplates.from_json(learned) if learned else None, bool(stored["complete"]), shown)
        except (ValueError, TypeError, KeyError, AttributeError, ConfigError):
            return cls()

"""The user's own ad lists (``CLEANCRAWL_AD_LISTS``): read once at the start, then part of the recipe."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from cleancrawl.core.adlists import parse_ad_list
from cleancrawl.errors import ConfigError

logger = logging.getLogger(__name__)

MAX_REPORTS = 20
"""Broken lines of one file that are reported singly; a file of another kind would flood the log."""


def read_ad_lists(paths: Iterable[str | Path]) -> frozenset[str]:
    """The domains of some lists. Broken lines are logged with file and line and left out; a missing file raises."""
    domains: set[str] = set()
    for path in paths:
        try:
            lines = Path(path).read_text("utf-8", errors="replace").splitlines()
        except OSError as error:
            raise ConfigError(f"ad list {path} cannot be read: {error.strerror or error}") from None
        found = parse_ad_list(lines)
        for number, problem in found.problems[:MAX_REPORTS]:
            logger.warning("%s:%d: %s", path, number, problem)
        if len(found.problems) > MAX_REPORTS:
            logger.warning("%s: %d more broken lines", path, len(found.problems) - MAX_REPORTS)
        logger.info("%s: %d ad domains, %d other filters left out", path, len(found.domains), found.skipped)
        domains |= found.domains
    return frozenset(domains)

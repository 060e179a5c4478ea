"""From the settings to the recipe: name, own ad lists, own bounds, own model, comments, favour, rules for sites."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from xxhash import xxh32_intdigest

from cleancrawl.core.recipe import Recipe, Wishes
from cleancrawl.core.rules.ad_lists import parse_ad_list
from cleancrawl.crawl.config import Config
from cleancrawl.errors import ConfigError
from cleancrawl.recipes import get_recipe
from cleancrawl.site_rules_file import with_site_rules
from cleancrawl.version import __version__

logger = logging.getLogger(__name__)

MAX_REPORTS = 20
"""Broken lines of one file that are reported singly; a file of another kind would flood the log."""


def chosen_recipe(config: Config) -> Recipe:
    """The recipe that the settings name, with the user's wishes in it."""
    tailored = get_recipe(config.recipe).tailored(
        Wishes(
            ad_domains=read_ad_lists(config.ad_lists),
            min_pages=config.min_pages,
            min_share=config.min_share,
            model=config.model,
            comments=config.comments is True,
            favour=config.favour,
        )
    )
    return with_site_rules(tailored, config.site_rules)


def judge_of(config: Config) -> int:
    """A fingerprint of all that decides about blocks besides the site: where it changes, texts may."""
    read = [Path(name).read_bytes() for name in (config.model, config.site_rules, *config.ad_lists) if name]
    chosen = (__version__, config.recipe, config.min_pages, config.min_share, config.comments, config.favour)
    return xxh32_intdigest(repr(chosen).encode() + b"".join(read))


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

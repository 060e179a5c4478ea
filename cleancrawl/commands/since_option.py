"""The option ``--since``."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime

from cleancrawl.core.text.iso_dates import parse_date
from cleancrawl.errors import ConfigError


def add_since(parser: ArgumentParser) -> None:
    parser.add_argument("--since", help="only articles published on or after this date (2026-01-31)")


def since_date(value: str | None) -> datetime | None:
    """The moment that the option names.

    >>> since_date("last week")
    Traceback (most recent call last):
    cleancrawl.errors.ConfigError: --since 'last week' is no date: write it as 2026-01-31
    """
    moment = parse_date(value) if value else None
    if value and not moment:
        raise ConfigError(f"--since {value!r} is no date: write it as 2026-01-31")
    return moment

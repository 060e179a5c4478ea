"""All errors that cleancrawl raises on wrong use, as one tree.

::

    CleanCrawlError
    ├── UnknownRecipe      (also a ValueError)
    ├── UnfitRecipe        (also a ValueError)
    ├── ConfigError        (also a ValueError)
    ├── ModelError         (also a ValueError)
    ├── MissingExtra       (also an ImportError)
    ├── StoreError
    │   ├── StoreVersionError
    │   └── LeaseLost
    └── SinkError
        └── SinkUnavailable
"""

from __future__ import annotations


class CleanCrawlError(Exception):
    """Base of everything raised on purpose; its text is one line that can be shown to a user."""


class UnknownRecipe(CleanCrawlError, ValueError):
    """A recipe name that is neither built in nor an import path."""


class UnfitRecipe(CleanCrawlError, ValueError):
    """A recipe whose stages do not fit together."""


class ConfigError(CleanCrawlError, ValueError):
    """A setting, option or URL with a value that is not allowed."""


class ModelError(CleanCrawlError, ValueError):
    """A model file that is damaged, of another version, or trained on other features."""


class MissingExtra(CleanCrawlError, ImportError):
    """An optional package is needed; the text names the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'cleancrawl[{extra}]'")


class StoreError(CleanCrawlError):
    """A store cannot be opened, read or written."""


class StoreVersionError(StoreError):
    """A store was written by a newer version of cleancrawl."""


class LeaseLost(StoreError):
    """A worker writes about a site that is not, or no longer, in its hands."""


class SinkError(CleanCrawlError):
    """A sink cannot be opened or written, and trying again will not help."""


class SinkUnavailable(SinkError):
    """A sink does not answer or is overloaded: the same call may work later."""

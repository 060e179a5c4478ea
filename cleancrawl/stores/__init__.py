"""What is known about sites, kept between pages and crawls: ``open_store("sqlite:///cleancrawl.db")``."""

from __future__ import annotations

from cleancrawl.stores.opening import open_store

__all__ = ["open_store"]

"""Tests of cleancrawl; a package, so that `python -m tests.site.server` finds it."""

from __future__ import annotations

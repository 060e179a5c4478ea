"""The spiders: ``SPIDER_MODULES = ["cleancrawl.spiders"]``."""

from __future__ import annotations

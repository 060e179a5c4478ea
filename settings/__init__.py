"""Settings modules, chosen with SCRAPY_PROJECT (see scrapy.cfg)."""

from __future__ import annotations

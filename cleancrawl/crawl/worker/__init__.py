"""A crawl as one of many workers on a list of sites."""

from __future__ import annotations

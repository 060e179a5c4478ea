"""The cleaning itself: no Scrapy, no Twisted, no I/O."""

from __future__ import annotations

"""The Scrapy side: thin adapters around recipes and stores."""

from __future__ import annotations

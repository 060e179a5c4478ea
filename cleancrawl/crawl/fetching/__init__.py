"""What is fetched, when, and what became of it: the downloader middlewares."""

from __future__ import annotations

"""Archives of pages as they were once received: WARC files."""

from __future__ import annotations

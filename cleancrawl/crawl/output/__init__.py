"""What comes out of a crawl: feeds, the index, the progress line, the summary."""

from __future__ import annotations

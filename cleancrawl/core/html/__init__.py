"""HTML as it came: decoding, trees, heads, outlines, JSON-LD, and what its tags mean."""

from __future__ import annotations

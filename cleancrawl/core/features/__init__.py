"""Features of a page's blocks."""

from __future__ import annotations

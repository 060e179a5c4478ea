"""Articles in parts: which pages belong to one article, and how they are joined."""

from __future__ import annotations

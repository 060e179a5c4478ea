"""Block scores: what decides in the end which blocks are content."""

from __future__ import annotations

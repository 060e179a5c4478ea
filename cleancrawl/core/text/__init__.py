"""Words, characters and languages."""

from __future__ import annotations

"""The commands of the laboratory."""

from __future__ import annotations

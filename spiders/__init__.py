"""The spiders of this project."""

from __future__ import annotations

"""Ways to cut a page into blocks: one module per method, imported by their full names."""

from __future__ import annotations

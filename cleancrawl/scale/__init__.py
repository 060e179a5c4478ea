"""More than one process or machine."""

from __future__ import annotations

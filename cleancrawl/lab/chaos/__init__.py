"""Workers that are killed, stopped and added while they share a list of sites, and what must hold then."""

from __future__ import annotations

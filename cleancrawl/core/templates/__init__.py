"""METHODS C: what the pages of a site have in common, found by clustering them."""

from __future__ import annotations

"""Secondary noise: duplicates inside a page and across the pages of a site."""

from __future__ import annotations

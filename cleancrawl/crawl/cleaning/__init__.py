"""Pages through the phases of the recipe: the spider middleware and the item pipelines."""

from __future__ import annotations

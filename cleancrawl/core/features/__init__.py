"""Numbers about the blocks of a page, for training and at run time alike: one module per kind."""

from __future__ import annotations

"""Pages that grow: the posts of live reports, and what becomes of them from version to version."""

from __future__ import annotations

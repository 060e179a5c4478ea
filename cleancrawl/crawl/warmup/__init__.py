"""Cold start: the first pages of a site wait until it is known."""

from __future__ import annotations

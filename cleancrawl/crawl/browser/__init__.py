"""Pages that need a browser: which they are, and how a real one makes them, within bounds."""

from __future__ import annotations

"""What attributes, links and lists of advertisers tell of an element: pure, and shared by all methods."""

from __future__ import annotations

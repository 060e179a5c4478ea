"""What blocks and articles are recognised by."""

from __future__ import annotations

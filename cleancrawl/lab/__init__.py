"""What measures and trains; never imported by the rest of the package."""

from __future__ import annotations

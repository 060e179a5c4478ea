"""What the model is told about each block."""

from __future__ import annotations

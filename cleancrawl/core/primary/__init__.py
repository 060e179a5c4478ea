"""Primary noise: advertisements, banners, navigation, copyright."""

from __future__ import annotations

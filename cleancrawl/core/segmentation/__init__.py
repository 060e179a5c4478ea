"""Text blocks: the way to cut a page that several methods and the rendering share."""

from __future__ import annotations

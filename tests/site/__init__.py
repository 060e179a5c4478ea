"""The sample news site: two portals over real HTTP. Written for this project; names and facts are invented."""

from __future__ import annotations

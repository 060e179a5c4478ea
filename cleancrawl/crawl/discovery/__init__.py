"""Where a site's pages are found: sitemaps, feeds, links. Pure parsing; the spiders do the fetching."""

from __future__ import annotations

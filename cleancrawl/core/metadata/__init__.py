"""What a page says about its article: title, authors, dates, language, site, image, canonical URL."""

from __future__ import annotations

"""What is known about sites, kept between pages and crawls."""

from __future__ import annotations

"""Signals about one site of a worker, with its lease as ``held``: what a spider's own are for a crawl of some sites."""

from __future__ import annotations

site_opened = object()
"""The worker has taken the site; no page of it was asked for yet."""
site_quiet = object()
"""Nothing of the site is under way: whoever knows of more asks for it now. ``revisit`` makes requests for its pages."""
site_closed = object()
"""The site was given back or lost: what is remembered about its ``domains`` is out of date."""

"""Labelled pages, measures of extraction and reports on them (extra ``[bench]``)."""

from __future__ import annotations

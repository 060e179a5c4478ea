"""Broken input in endless variety: what is read from the web must never raise, hang or let through what is harmful."""

from __future__ import annotations

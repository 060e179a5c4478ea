"""Stores in a Redis server that several machines reach: the scripts in lua/ decide there as page_rules does here."""

from __future__ import annotations

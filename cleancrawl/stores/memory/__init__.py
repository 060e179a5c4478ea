"""Stores in a process's own memory."""

from __future__ import annotations

"""The methods: one package each, with its stages in reading order and its ``recipe()``."""

from __future__ import annotations

"""What the papers compare their methods with: stages for the benchmark, part of no recipe of ours."""

from __future__ import annotations

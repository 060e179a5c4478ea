"""One module per command: the docstring is its help, ``add_arguments`` declares, ``run`` returns the exit code."""

from __future__ import annotations

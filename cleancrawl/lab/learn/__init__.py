"""Learning from labelled pages: labels, training, cross-validation (extra ``train``)."""

from __future__ import annotations

"""What a page says about its article."""

from __future__ import annotations

from dataclasses import dataclass

from cleancrawl.core.metadata.rights import Statement


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about its article; None or empty where it says nothing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published: str | None = None
    modified: str | None = None
    language: str | None = None
    site_name: str | None = None
    section: str | None = None
    tags: tuple[str, ...] = ()
    description: str | None = None
    image: str | None = None
    canonical_url: str | None = None
    paywalled: bool | None = None
    rights: tuple[Statement, ...] = ()
    types: tuple[str, ...] = ()
    """Lower-case ``og:type`` and schema.org types, evidence of what kind of page it is."""
    failed: tuple[str, ...] = ()
    """Fields that could not be read because of an error of ours: a bug, told in the log."""

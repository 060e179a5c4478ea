"""The templates of a site: found from its pages, kept, and matched with a page (METHODS C3–C6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cleancrawl.errors import ConfigError
from cleancrawl.methods.site_template.essential import BY_THE_LETTER, LEAST_SUPPORT, Essential, essential_paths
from cleancrawl.methods.site_template.lsh import cluster_lsh
from cleancrawl.methods.site_template.mdl import RULINGS, ClusterRulings, cluster_mdl
from cleancrawl.methods.site_template.minhash import cluster_minhash
from cleancrawl.methods.site_template.paths import Paths

Method = Literal["mdl", "minhash", "lsh"]
METHODS: dict[Method, Callable[[Essential], list[list[int]]]] = {
    "mdl": cluster_mdl,
    "minhash": cluster_minhash,
    "lsh": cluster_lsh,
}
FORMAT = 1
_MATCH = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """One cluster: its pages, by position in what was clustered, and the essential paths of more than half of them."""

    pages: tuple[int, ...]
    size: int
    paths: Paths

    def share(self, pages: Sequence[Paths]) -> float:
        """The mean share of template paths among the paths of its pages, out of all that were clustered."""
        held = [
            np.isin(pages[page], self.paths, assume_unique=True).sum() / max(len(pages[page]), 1) for page in self.pages
        ]
        return float(sum(held)) / max(len(held), 1)

    def held_by(self, paths: Paths) -> float:
        """How much of it a page with these paths has."""
        return float(np.isin(self.paths, paths, assume_unique=True).mean()) if len(self.paths) else 0.0


@dataclass(frozen=True, slots=True)
class SiteTemplates:
    """What the stage ``TemplatePaths`` finds on a page."""

    templates: tuple[Template, ...]

    def match(self, paths: Paths, min_pages: int = 2) -> Template | None:
        """The template that a page holds most of; None where it holds less than half of every one.

        Templates of fewer than ``min_pages`` pages know nothing of what repeats.
        """
        best, best_share = None, _MATCH
        for template in self.templates:
            if template.size >= min_pages:
                share = template.held_by(paths)
                if share > best_share or (share == best_share and best and template.size > best.size):
                    best, best_share = template, share
        return best

    def to_json(self) -> dict[str, Any]:
        """For a file or a store: numbers of paths as hexadecimal text, as JSON's numbers are too short for them."""
        listed = [{"size": t.size, "paths": [f"{path:016x}" for path in t.paths.tolist()]} for t in self.templates]
        return {"format": FORMAT, "templates": listed}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> SiteTemplates:
        """Raises ``ConfigError`` where this is no such record."""
        try:
            if stored["format"] != FORMAT:
                raise ValueError
            return cls(
                tuple(
                    Template((), int(one["size"]), np.array([int(path, 16) for path in one["paths"]], dtype=np.uint64))
                    for one in stored["templates"]
                )
            )
        except (KeyError, TypeError, ValueError):
            raise ConfigError("these are no templates of this version of cleancrawl") from None


def find_templates(
    pages: Sequence[Paths],
    method: Method = "lsh",
    tolerance: float = BY_THE_LETTER,
    *,
    least: int = LEAST_SUPPORT,
    rulings: ClusterRulings = RULINGS,
) -> SiteTemplates:
    """Cluster the pages of a site; the largest clusters first. Raises ``ConfigError`` on an unknown method.

    ``tolerance`` and ``least`` are those of ``essential_threshold``. Other ``rulings`` are for ``mdl`` only.
    """
    if method not in METHODS:
        raise ConfigError(f"unknown method {method!r}: use one of {', '.join(METHODS)}")
    if rulings != RULINGS and method != "mdl":
        raise ConfigError(f"method {method!r} knows no other rulings: use 'mdl'")
    essential = essential_paths(pages, tolerance, least)
    found = cluster_mdl(essential, rulings) if method == "mdl" else METHODS[method](essential)
    clusters = sorted(found, key=lambda members: (-len(members), min(members)))
    return SiteTemplates(tuple(_template(essential, sorted(members)) for members in clusters))


def _template(essential: Essential, members: Sequence[int]) -> Template:
    counts = np.bincount(np.concatenate([essential.row(page) for page in members]), minlength=len(essential.paths))
    return Template(tuple(members), len(members), essential.paths[counts * 2 > len(members)])

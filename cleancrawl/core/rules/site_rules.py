"""A user's corrections for single sites: which elements of their pages are content, and which never are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cleancrawl.core.rules.selectors import BadSelector, Selector, compile_selector
from cleancrawl.core.site import host_of, registrable_domain
from cleancrawl.errors import ConfigError

KINDS = ("keep", "drop")
Kinds = dict[str, tuple[Selector, ...]]


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Selectors by host, as ``read_tables`` gives them."""

    by_host: Mapping[str, Kinds] = field(default_factory=dict)

    def of(self, url: str | None) -> Kinds | None:
        """The rules for a page: those of its host, else of the next domain above it that has some."""
        if not url or not (host := host_of(url)):
            return None
        return next((self.by_host[name] for name in _names(host) if name in self.by_host), None)


def _names(host: str) -> Iterator[str]:
    """What a host's rules may stand under, the host first, its registrable domain last.

    >>> list(_names("www.news.example.co.uk:8000"))[1:]
    ['www.news.example.co.uk', 'news.example.co.uk', 'example.co.uk']
    >>> list(_names("127.0.0.1:8000")), list(_names("localhost"))
    (['127.0.0.1:8000', '127.0.0.1'], ['localhost'])
    """
    yield host
    name = host if host.endswith("]") else host.rpartition(":")[0] if ":" in host else host
    if name != host:
        yield name
    last = registrable_domain(name)
    while name != last and "." in name:
        name = name.partition(".")[2]
        yield name


def read_tables(tables: Mapping[str, Any]) -> SiteRules:
    """Rules from tables by site: ``{"example.com": {"keep": [".lead"], "drop": [".promo"]}}``.

    TOML reads ``[example.com]`` as a table in a table; both ways of writing are one. Raises ``ConfigError`` with site
    and selector in it.
    """
    by_host: dict[str, Kinds] = {}
    for site, table in _sites(tables, ()):
        host = _host(site)
        if host in by_host:
            raise ConfigError(f"[{site}] is there twice")
        by_host[host] = {kind: tuple(_selectors(site, kind, table.get(kind, []))) for kind in KINDS}
        if not any(by_host[host].values()):
            raise ConfigError(f"[{site}] has no selectors")
    if not by_host:
        raise ConfigError("no site has rules")
    return SiteRules(by_host)


def _sites(table: Mapping[str, Any], labels: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables that hold something else than tables, by their dotted name."""
    site = ".".join(labels)
    own = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    for key in own:
        if not labels:
            raise ConfigError(f"{key!r} stands outside of a site's table, such as [example.com]")
        if key not in KINDS:
            raise ConfigError(f"[{site}] {key}: unknown, a site has keep and drop")
    below = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    if labels and (own or not below):
        yield site, own
    for key, value in below.items():
        yield from _sites(value, (*labels, str(key)))


def _host(site: str) -> str:
    host = host_of(f"http://{site}")
    if not host or any(sign in site for sign in "/?#@* "):
        raise ConfigError(f"[{site}] is no host or domain, such as example.com")
    return host


def _selectors(site: str, kind: str, sources: object) -> Iterator[Selector]:
    if not isinstance(sources, (list, tuple)) or not all(isinstance(source, str) for source in sources):
        raise ConfigError(f"[{site}] {kind} must be a list of CSS selectors, not {sources!r}")
    for source in sources:
        try:
            yield compile_selector(source)
        except BadSelector as error:
            raise ConfigError(f"[{site}] {kind}: {source!r} is no CSS selector: {error}") from None

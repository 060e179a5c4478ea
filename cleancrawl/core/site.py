"""Which site a URL belongs to: the unit that stores keep knowledge about."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from tldextract import TLDExtract

SiteKey = Literal["domain", "host"]


@cache
def _extract() -> TLDExtract:
    # Imported on first use: it brings a whole HTTP client along, which costs more than everything else together.
    from tldextract import TLDExtract

    # Offline by construction: the snapshot of the public suffix list inside the package, no fetch, no cache on disk.
    # Its private part too: two blogs of one provider are two sites.
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def host_of(url: str) -> str:
    """The lower-case host with its port where it is not the scheme's own; empty where there is none.

    >>> host_of("https://News.Example.co.uk:443/a"), host_of("http://localhost:8000/"), host_of("mailto:x")
    ('news.example.co.uk', 'localhost:8000', '')
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    if not host.isascii():
        host = _ascii(host)
    if not host or port is None or port == {"http": 80, "https": 443}.get(parts.scheme):
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _ascii(host: str) -> str:
    """The form that is sent over the wire: a host is the same site however it is written.

    >>> _ascii("bücher.example"), _ascii("ＢÜCHER.example")
    ('xn--bcher-kva.example', 'xn--bcher-kva.example')
    """
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return host


@lru_cache(maxsize=4096)
def registrable_domain(host: str) -> str:
    """The registrable domain of a host; the host itself where there is none (addresses, ``localhost``).

    >>> registrable_domain("news.example.co.uk"), registrable_domain("127.0.0.1:8000"), registrable_domain("co.uk")
    ('example.co.uk', '127.0.0.1:8000', 'co.uk')
    """
    if _is_address(host):
        return host
    return _extract()(host).top_domain_under_public_suffix or host


def _is_address(host: str) -> bool:
    """
    >>> _is_address("127.0.0.1:8000"), _is_address("[::1]:80"), _is_address("localhost"), _is_address("a.example")
    (True, True, True, False)
    """
    if host.startswith("["):
        return True
    name = host.partition(":")[0]
    return "." not in name or name.replace(".", "").isdecimal()


def domain_of(url: str) -> str:
    """The registrable domain of a URL, the host where there is none: the borders of a crawl, whatever a site is.

    >>> domain_of("https://www.example.co.uk/a")
    'example.co.uk'
    """
    return registrable_domain(host_of(url))


def site_key(url: str, by: SiteKey = "domain") -> str:
    """The key of the site that a URL belongs to: what stores keep knowledge under.

    >>> site_key("https://www.example.co.uk/a"), site_key("https://www.example.co.uk/a", by="host")
    ('example.co.uk', 'www.example.co.uk')
    """
    host = host_of(url)
    return host if by == "host" else registrable_domain(host)

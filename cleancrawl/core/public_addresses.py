"""Which addresses are on the public internet, and which private ones a user has asked for.

A page, a redirect or a DNS server must not steer a crawler into the network that it runs in.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from socket import inet_aton
from unicodedata import normalize
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Place = tuple[str, int]
"""Host and port."""

DEFAULT_PORTS = {"http": 80, "https": 443}

_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All that IANA has ever given out; loopback, link-local, site-local and multicast are elsewhere."""
_EMBEDDING = tuple(IPv6Network(f"{prefix}/96") for prefix in ("::ffff:0:0", "::ffff:0:0:0", "64:ff9b::"))
"""IPv4 in the last 32 bits: mapped, translated, NAT64. (``64:ff9b:1::/48`` is for local use, ``::/96`` for none.)"""
# Not global in IANA's registries, but so to older versions of Python.
_NOT_GLOBAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))
_DOCUMENTATION = IPv6Network("3fff::/20")


def literal_address(host: str) -> Address | None:
    """The address that a host is written as, in any spelling that resolvers read; None where it is a name.

    >>> [str(literal_address(host)) for host in ("[::1]", "fe80::1%eth0", "0x7f.1", "2130706433", "0177.0.0.1.")]
    ['::1', 'fe80::1', '127.0.0.1', '127.0.0.1', '127.0.0.1']
    >>> literal_address("news.example"), literal_address("")
    (None, None)
    """
    text = _bare(host)
    try:
        return ip_address(text)
    except ValueError:
        pass
    try:
        # It takes blanks, and what follows them, for part of an address.
        return None if not text or text.split() != [text] else IPv4Address(inet_aton(text))
    except (OSError, ValueError):
        return None


def is_public(address: Address) -> bool:
    """Whether an address is on the public internet, and so is the IPv4 address that it embeds.

    >>> [is_public(ip_address(text)) for text in ("93.184.215.14", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1")]
    [True, True, True]
    >>> [is_public(ip_address(text)) for text in ("100.64.0.1", "224.0.0.1", "64:ff9b::7f00:1", "2002:a00:1::1")]
    [False, False, False, False]
    """
    address = _unwrapped(address)
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast and not any(address in net for net in _NOT_GLOBAL)
    # Teredo is part of 2001::/23, of which nothing is global.
    return address in _GLOBAL_UNICAST and address.is_global and address not in _DOCUMENTATION


def _unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 one leads to; the address itself where there is none."""
    if isinstance(address, IPv4Address):
        return address
    if any(address in network for network in _EMBEDDING):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.sixtofour or address


def is_private(host: str) -> bool | None:
    """Whether a host is written as an address that is not public, or as this machine's name; None for other names.

    >>> is_private("10.0.0.1"), is_private("169.254.169.254"), is_private("::ffff:127.0.0.1"), is_private("[::1]")
    (True, True, True, True)
    >>> is_private("LOCALHOST."), is_private("0x7f.1"), is_private("93.184.215.14"), is_private("news.example")
    (True, True, False, None)
    """
    address = literal_address(host)
    if address is not None:
        return not is_public(address)
    name = _bare(host)
    return True if name == "localhost" or name.endswith(".localhost") else None


def canonical_host(host: str) -> str:
    """One spelling for a host: an address as it is usually written, a name in ASCII and without its last dot.

    >>> canonical_host("127.1"), canonical_host("[0:0::1]"), canonical_host("LocalHost.")
    ('127.0.0.1', '::1', 'localhost')
    >>> canonical_host("bücher.example")
    'xn--bcher-kva.example'
    """
    address = literal_address(host)
    if address is not None:
        return str(address)
    name = _bare(host)
    if name.isascii():
        return name
    import idna

    try:
        return idna.encode(name).decode("ascii")
    except UnicodeError:
        # What IDNA 2008 forbids, such as emoji, is resolved by the rules of 2003.
        try:
            return name.encode("idna").decode("ascii")
        except UnicodeError:
            return name


def place_of(url: str) -> Place | None:
    """Where a URL leads; None where that cannot be said.

    >>> place_of("https://user@News.Example./a"), place_of("http://0x7f.1:8000"), place_of("http://[::1"), place_of("x")
    (('news.example', 443), ('127.0.0.1', 8000), None, None)
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if port is None:
        port = DEFAULT_PORTS.get(parts.scheme)
    return None if not host or port is None else (canonical_host(host), port)


def _bare(host: str) -> str:
    """Without brackets, zone and last dot; full-width digits and ideographic dots as those that they stand for."""
    text = host if host.isascii() else normalize("NFKC", host).replace("\u3002", ".")
    return text.strip("[]").partition("%")[0].rstrip(".").lower()


class GivenPlaces:
    """Hosts with their ports that a user has asked for. One that is private may be connected to, no other.

    What a place is, is settled by the first addresses that it is found to have. One that was public stays so,
    whatever its name resolves to later, and one that was private may be reached at those addresses alone.
    """

    def __init__(self) -> None:
        self._allowed: dict[Place, frozenset[Address] | None] = {}

    def add(self, url: str) -> None:
        place = place_of(url)
        if place is not None:
            self._allowed.setdefault(place, None)

    def __contains__(self, place: Place) -> bool:
        return place in self._allowed

    def refused(self, place: Place, answers: Iterable[str]) -> str | None:
        """The first of a host's addresses that may not be connected to; None where all may."""
        addresses = {answer: literal_address(answer) for answer in answers}
        private = {text: address for text, address in addresses.items() if address is None or not is_public(address)}
        if addresses and self._allowed.get(place, ()) is None:
            self._allowed[place] = _settled(place, addresses.values())
        allowed = self._allowed.get(place) or ()
        return next((text for text, address in private.items() if address not in allowed), None)


def _settled(place: Place, addresses: Iterable[Address | None]) -> frozenset[Address]:
    """The private addresses at which a place may be reached: those of a host that has no others.

    Link-local ones only where they were given as such: there are the secrets of cloud machines, and no news.
    """
    known = frozenset(address for address in addresses if address is not None)
    by_name = literal_address(place[0]) is None
    if any(is_public(address) or (by_name and _unwrapped(address).is_link_local) for address in known):
        return frozenset()
    return known

"""A DNS server on loopback whose answers may change from one question to the next, as an attacker's do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from twisted.internet.defer import Deferred, fail, succeed
from twisted.names import client, common, dns, error, server

from cleancrawl.core.public_addresses import literal_address

PUBLIC = "93.184.215.14"
LOOPBACK = "127.0.0.1"


@dataclass
class FakeDns:
    answers: dict[str, list[str]] = field(default_factory=dict)
    """What a name resolves to, question by question; the last answer stays."""
    asked: list[str] = field(default_factory=list)

    def address_of(self, name: str) -> str | None:
        self.asked.append(name)
        # Twisted's client asks for literal addresses, too.
        literal = literal_address(name)
        turns = self.answers.get(name, [])
        return turns.pop(0) if len(turns) > 1 else turns[0] if turns else None if literal is None else str(literal)


class Zone(common.ResolverBase):
    def __init__(self, table: FakeDns) -> None:
        super().__init__()
        self.table = table

    def _lookup(self, name: bytes, cls: int, type: int, timeout: Any) -> Deferred[Any]:
        address = self.table.address_of(name.decode().lower())
        if address is None:
            return fail(error.DomainError(name))
        return succeed(([dns.RRHeader(name, dns.A, ttl=0, payload=dns.Record_A(address))], [], []))


@contextmanager
def serving(table: FakeDns) -> Iterator[None]:
    """The reactor asks this server, by UDP and without a cache."""
    from twisted.internet import reactor

    before = reactor.nameResolver  # type: ignore[attr-defined]
    factory = server.DNSServerFactory(clients=[Zone(table)])
    port = reactor.listenUDP(0, dns.DNSDatagramProtocol(factory), interface=LOOPBACK)  # type: ignore[attr-defined]
    reactor.installResolver(client.Resolver(servers=[(LOOPBACK, port.getHost().port)]))  # type: ignore[attr-defined]
    try:
        yield
    finally:
        reactor.installNameResolver(before)  # type: ignore[attr-defined]
        port.stopListening()

"""Real servers on loopback; names are resolved by a table of the test, as an attacker's DNS server would."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from cleancrawl.cli import main
from cleancrawl.commands.page_download import fetch
from cleancrawl.errors import CleanCrawlError
from tests.crawl.cleaning.test_cleaning import STORY
from tests.crawling import Answer, LittleServer

PUBLIC = "93.184.215.14"
LOOPBACK = "127.0.0.1"
Names = dict[str, list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """What a name resolves to, question by question; the last answer stays."""
    table: Names = {}
    real: Callable[..., Any] = socket.getaddrinfo

    def resolve(host: str, *arguments: Any, **options: Any) -> Any:
        turns = table.get(host)
        answer = host if not turns else turns.pop(0) if len(turns) > 1 else turns[0]
        return real(answer, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return table


def leads_to(server: LittleServer, target: str) -> str:
    return server.page("/go", "", status=302, headers={"Location": target})


def port_of(server: LittleServer) -> int:
    return int(server.url.rpartition(":")[2])


def test_a_private_address_that_is_typed_is_fetched_with_its_own_redirects(server: LittleServer, names: Names) -> None:
    names["intranet.corp"] = [LOOPBACK]
    server.page("/story", STORY)
    for host in (LOOPBACK, "localhost", "intranet.corp", "2130706433"):
        place = f"http://{host}:{port_of(server)}"
        assert fetch(leads_to(server, f"{place}/story").replace(server.url, place))[1] == f"{place}/story"


def test_an_address_may_be_typed_as_browsers_show_it(server: LittleServer, names: Names) -> None:
    names["xn--r8jz45g.jp"] = [LOOPBACK]
    server.page("/caf%C3%A9/a%20b", STORY)
    place = f"http://xn--r8jz45g.jp:{port_of(server)}"
    assert fetch(f"http://例え.jp:{port_of(server)}/café/a b")[1] == f"{place}/caf%C3%A9/a%20b"


@pytest.mark.parametrize(
    "host", [LOOPBACK, "localhost", "localhost.", "0x7f.1", "127%2e1", "[::ffff:127.0.0.1]", "metadata.evil.com"]
)
def test_no_redirect_leads_to_another_private_place(
    server: LittleServer, other_server: LittleServer, names: Names, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    names["metadata.evil.com"] = names["localhost."] = [LOOPBACK]  # not every machine reads the dot
    other_server.page("/secret", STORY)
    url = leads_to(server, f"http://{host}:{port_of(other_server)}/secret")
    assert main(["clean", url]) == 1
    told = capsys.readouterr()
    assert (told.out, other_server.requests) == ("", [])
    assert "a private address; give that address itself if it is meant" in told.err


def test_another_name_for_the_typed_place_is_another_place(server: LittleServer, names: Names) -> None:
    names["metadata.evil.com"] = [LOOPBACK]
    server.page("/secret", STORY)
    with pytest.raises(CleanCrawlError, match="private address"):
        fetch(leads_to(server, f"http://metadata.evil.com:{port_of(server)}/secret"))
    assert [path for path, _ in server.requests] == ["/go"]


def test_a_name_is_resolved_once_and_what_was_judged_is_connected_to(
    server: LittleServer, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the second answer would do: the first look would see a public address."""
    names["rebinding.evil.com"] = [PUBLIC, LOOPBACK]
    target = f"http://rebinding.evil.com:{port_of(server)}/secret"
    server.page("/secret", STORY)
    tried: list[str] = []
    real = socket.create_connection

    def connect(address: tuple[str, int], *arguments: Any, **options: Any) -> Any:
        if address[0] == PUBLIC:
            tried.append(address[0])
            raise OSError("no network in tests")
        return real(address, *arguments, **options)

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(CleanCrawlError, match="no network in tests"):
        fetch(leads_to(server, target))
    assert (tried, [path for path, _ in server.requests]) == ([PUBLIC], ["/go"])


def test_a_typed_name_that_moves_between_two_private_addresses_is_refused(server: LittleServer, names: Names) -> None:
    names["intranet.corp"] = [LOOPBACK, "127.0.0.2"]
    place = f"http://intranet.corp:{port_of(server)}"
    with pytest.raises(CleanCrawlError, match=r"intranet\.corp:\d+, a private address"):
        fetch(leads_to(server, f"{place}/story").replace(server.url, place))


def test_redirects_to_ftp_are_not_followed(server: LittleServer) -> None:
    with pytest.raises(CleanCrawlError, match="unknown url type: ftp"):
        fetch(leads_to(server, f"ftp://{LOOPBACK}:{port_of(server)}/secret"))
    assert len(server.requests) == 1


def test_tls_is_not_begun_with_a_private_address(server: LittleServer) -> None:
    with socket.create_server((LOOPBACK, 0)) as listening:
        listening.settimeout(0)
        with pytest.raises(CleanCrawlError, match="private address"):
            fetch(leads_to(server, f"https://localhost:{listening.getsockname()[1]}/secret"))
        with pytest.raises(BlockingIOError):
            listening.accept()


def test_tls_is_made_with_the_name_and_not_with_the_address(
    tmp_path: Path, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server's certificate is for the name alone."""
    names["intranet.corp"] = [LOOPBACK]
    certificate = certificate_for("intranet.corp", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    asked: list[str | None] = []
    context.sni_callback = lambda connection, name, context: asked.append(name)

    def answer(listening: socket.socket) -> None:
        with context.wrap_socket(listening.accept()[0], server_side=True) as connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + STORY.encode())

    with socket.create_server((LOOPBACK, 0)) as listening:
        answering = Thread(target=answer, args=(listening,))
        answering.start()
        html, _ = fetch(f"https://intranet.corp:{listening.getsockname()[1]}/story")
        answering.join()
    assert (html, asked) == (STORY, ["intranet.corp"])


def certificate_for(name: str, folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    signed = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    plain = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "certificate.pem"
    path.write_bytes(key.private_bytes(*plain) + signed)
    return path


def test_a_private_proxy_is_used_and_only_literal_addresses_are_judged_behind_it(
    server: LittleServer, other_server: LittleServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = "http://news.cleancrawl-test.com"
    server.answers[f"{site}/story"] = Answer(STORY.encode())
    server.answers[f"{site}/go"] = Answer(status=302, headers={"Location": f"{other_server.url}/secret"})
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.delenv("no_proxy", raising=False)
    assert fetch(f"{site}/story")[1] == f"{site}/story"
    with pytest.raises(CleanCrawlError, match="private address"):
        fetch(f"{site}/go")
    assert [path for path, _ in server.requests] == [f"{site}/story", f"{site}/go"]

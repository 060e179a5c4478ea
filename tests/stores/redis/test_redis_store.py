"""What is peculiar to a store on a Redis server."""

from __future__ import annotations

import logging
import socket
import ssl
import tempfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cleancrawl import ConfigError, MissingExtra, StoreError, StoreVersionError, open_store
from cleancrawl.cli import main
from tests.stores.pages import FOOTER, NOON, SITE, article_of, prints_of, record_of, story, url_of
from tests.stores.redis_process import RedisProcess


@pytest.fixture
def own_server() -> Iterator[RedisProcess]:
    """One that a test may kill."""
    with tempfile.TemporaryDirectory(prefix="redis-") as directory:
        server = RedisProcess(Path(directory)).start()
        yield server
        server.stop()


def test_a_server_that_restarts_is_waited_for(own_server: RedisProcess, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    store = open_store(own_server.url)
    store.record(record_of(url_of(1), *story(1), FOOTER, article=article_of("One")))
    own_server.kill()
    threading.Timer(0.5, own_server.start).start()
    store.record(record_of(url_of(2), *story(2), FOOTER, article=article_of("Two")))
    # Nothing that was recorded is lost, the scripts are there again, and the outage was said once.
    assert [entry.url for entry in store.articles()] == [url_of(1), url_of(2)]
    messages = [record.getMessage() for record in caplog.records if "answer" in record.getMessage()]
    waiting, again = messages
    assert "waiting up to 60 s" in waiting
    assert "answers again" in again
    store.close()


def test_waiting_has_an_end(own_server: RedisProcess) -> None:
    store = open_store(own_server.url + "?wait=0.3")
    store.record(record_of(url_of(1), *story(1), FOOTER))
    own_server.kill()
    with pytest.raises(StoreError, match="does not answer"):
        store.record(record_of(url_of(2), *story(2), FOOTER))
    store.close()
    own_server.start()
    store = open_store(own_server.url)
    assert (store.site_pages(SITE), len(store.page_states([url_of(1), url_of(2)]))) == (1, 1)
    store.close()


def test_nobody_there() -> None:
    with pytest.raises(StoreError, match=r"store redis://127\.0\.0\.1:1/0 does not answer"):
        open_store("redis://127.0.0.1:1/0?wait=0")


def test_passwords_work_and_stay_secret(capsys: pytest.CaptureFixture[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="redis-") as directory:
        server = RedisProcess(Path(directory), "--requirepass", "open-sesame").start()
        try:
            good = f"unix://:open-sesame@{server.socket}"
            store = open_store(good)
            store.record(record_of(url_of(1), *story(1), FOOTER))
            assert "open-sesame" not in store.info().url
            store.close()
            assert main(["store", "import", good, "dump.jsonl"]) == 1
            told = capsys.readouterr().err
            assert "is not empty" in told
            assert "sesame" not in told
            with pytest.raises(StoreError) as caught:
                open_store(f"unix://:wrong-sesame@{server.socket}?wait=0")
            assert "sesame" not in str(caught.value)
            with pytest.raises(StoreError, match=r"(?i)authentication"):
                open_store(f"unix://{server.socket}?wait=0")
        finally:
            server.stop()


def test_stores_with_different_prefixes_are_apart(redis_server: RedisProcess) -> None:
    first, second = (open_store(f"{redis_server.url}?prefix={name}:") for name in ("one", "two"))
    first.record(record_of(url_of(1), *story(1), FOOTER))
    assert (first.site_pages(SITE), second.site_pages(SITE)) == (1, 0)
    first.close()
    second.close()


def test_a_newer_store_is_refused(redis_server: RedisProcess) -> None:
    url = f"{redis_server.url}?prefix=newer:"
    store = open_store(url)
    store._redis.set("newer:version", 99)  # type: ignore[attr-defined]
    store.close()
    with pytest.raises(StoreVersionError, match="version 99"):
        open_store(url)


def test_an_older_store_is_brought_up_to_date(redis_server: RedisProcess) -> None:
    url = f"{redis_server.url}?prefix=older:"
    store = open_store(url)
    store.record(record_of(url_of(1), *story(1), FOOTER, article=article_of("One")))
    store._redis.set("older:version", 1)  # type: ignore[attr-defined]
    store._redis.delete(f"older:visited:{SITE}")  # type: ignore[attr-defined]
    store.close()
    store = open_store(url)
    assert [state.url for state in store.stale(SITE, 2 * NOON)] == [url_of(1)]
    store.close()


def test_one_round_trip_per_page(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(redis_url)
    for number in range(3):
        store.record(record_of(url_of(number), *story(number), FOOTER))
    prints = prints_of(*story(9), FOOTER)
    known = store.seen(SITE, url_of(9), prints)
    server = store._redis  # type: ignore[attr-defined]
    before = server.info("commandstats")["cmdstat_evalsha"]["calls"]
    sent = count()
    original = server.execute_command
    monkeypatch.setattr(server, "execute_command", lambda *command: (next(sent), original(*command))[1])
    store.seen(SITE, url_of(9), prints)
    store.record(record_of(url_of(9), *story(9), FOOTER, known=known, article=article_of("T")))
    assert next(sent) == 2
    assert server.info("commandstats")["cmdstat_evalsha"]["calls"] - before == 2
    store.close()


def test_urls_that_are_wrong() -> None:
    with pytest.raises(ConfigError, match="wait"):
        open_store("redis://host?wait=soon")
    with pytest.raises(ConfigError, match="no URL of a Redis server"):
        open_store("redis://host:port/0")


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "redis", None)
    with pytest.raises(MissingExtra, match=r"cleancrawl\[redis\]"):
        open_store("redis://localhost")


def make_certificate(directory: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = directory / "certificate.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def serve_tls(listener: socket.socket, context: ssl.SSLContext, target: Path) -> None:
    """TLS on the outside, the server's socket on the inside, for one connection after another."""
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return
        with context.wrap_socket(plain, server_side=True) as outside, socket.socket(socket.AF_UNIX) as inside:
            inside.connect(str(target))
            while request := outside.recv(65536):
                inside.sendall(request)
                outside.sendall(inside.recv(1 << 20))


def test_tls(redis_server: RedisProcess, tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve_tls, args=(listener, context, redis_server.socket), daemon=True)
        thread.start()
        port = listener.getsockname()[1]
        store = open_store(f"rediss://localhost:{port}/0?ssl_ca_certs={certificate}&prefix=tls:&wait=0")
        store.set_cursor("search", 7)
        assert store.cursor("search") == 7
        store.close()

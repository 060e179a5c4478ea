"""The server sinks against a small HTTP server that refuses, stalls, fails in part and talks nonsense."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from cleancrawl.errors import ConfigError, SinkError, SinkUnavailable
from cleancrawl.sinks import server as server_module
from cleancrawl.sinks.clusters import OpenSearchCluster, parse_address
from cleancrawl.sinks.filling import sync
from cleancrawl.sinks.sink import article_id, open_sink
from tests.sinks.fake_cluster import FakeCluster, running
from tests.sinks.opensearch_node import free_port

PRODUCTS = ["opensearch", "elasticsearch"]


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    with running(FakeCluster()) as made:
        yield made


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_PAUSES", (0.0, 0.0))


@pytest.fixture(params=PRODUCTS)
def sink(request: pytest.FixtureRequest, cluster: FakeCluster) -> Iterator[Any]:
    made = open_sink(f"{request.param}://127.0.0.1:{cluster.port}/news")
    yield made
    made.close()


def stored(cluster: FakeCluster, index: str = "news") -> set[str]:
    return {document["url"] for key, document in cluster.documents.items() if key.startswith(f"{index}/")}


def test_writes_updates_and_deletes_by_url(sink, cluster, make_article):
    sink.write([make_article(1), make_article(2)])
    sink.write([make_article(1, title="Second version")])
    assert len(cluster.documents) == 2
    document = cluster.documents[f"news/{article_id('https://example.com/1')}"]
    assert document["title"] == "Second version"
    assert document["stemmed"]["en"].startswith("Second version\nThe council")
    sink.delete(["https://example.com/1", "https://example.com/never"])
    assert stored(cluster) == {"https://example.com/2"}


def test_the_index_is_made_once_and_names_the_cursor(sink, cluster):
    assert list(cluster.indices) == ["news-v1"]
    assert cluster.indices["news-v1"]["mappings"]["_meta"] == {"cleancrawl": {"version": 1}}
    assert sink.name.endswith(":uuid-0-of-news-v1")


@pytest.mark.parametrize("trouble", [429, 503, b"<html>", b"[]", b'{"items": []}', b'{"items": [{"index": 1}]}'])
def test_trouble_that_passes_moves_no_cursor(sink, cluster, outbox, make_article, trouble):
    outbox.add(make_article(1))
    cluster.bulk_answers = [trouble]
    with pytest.raises(SinkUnavailable):
        sync(outbox, sink)
    assert outbox.cursor(sink.name) == 0
    assert sync(outbox, sink) == 1
    assert stored(cluster) == {"https://example.com/1"}


def test_a_slow_server_is_given_up(cluster, make_article):
    url = f"opensearch://127.0.0.1:{cluster.port}/news"
    sink = open_sink(url)
    # Patient while it is opened: a busy machine may take its time for that.
    sink._cluster = OpenSearchCluster(parse_address(f"{url}?timeout=0.2"))
    cluster.bulk_answers = [0.6]
    with pytest.raises(SinkUnavailable, match="no usable answer"):
        sink.write([make_article(1)])
    sink.close()


@pytest.mark.parametrize("product", PRODUCTS)
def test_nobody_listens(product):
    with pytest.raises(SinkUnavailable, match="no usable answer"):
        open_sink(f"{product}://127.0.0.1:{free_port()}/news")


def test_only_the_items_that_failed_are_sent_again(sink, cluster, make_article):
    cluster.bulk_answers = [
        {"https://example.com/2": (429, "rejected_execution_exception")},
        {"https://example.com/2": (403, "cluster_block_exception")},
    ]
    sink.write([make_article(1), make_article(2)])
    assert stored(cluster) == {"https://example.com/1", "https://example.com/2"}
    assert [path for _, path, _ in cluster.requests].count("_bulk") == 3


def test_an_overloaded_server_gets_a_rest(sink, cluster, make_article):
    cluster.bulk_answers = [{"https://example.com/1": (429, "rejected_execution_exception")}] * 3
    with pytest.raises(SinkUnavailable, match="1 articles wait"):
        sink.write([make_article(1)])


def test_dead_letters_are_kept_listed_and_forgiven(sink, cluster, make_article):
    cluster.bulk_answers = [{"https://example.com/1": (400, "mapper_parsing_exception")}]
    sink.write([make_article(1), make_article(2)])
    assert stored(cluster) == {"https://example.com/2"}
    (letter,) = sink.rejected()
    assert (letter.url, letter.reason) == ("https://example.com/1", "mapper_parsing_exception: because")
    assert letter.article == make_article(1)
    sink.write([make_article(1)])
    assert list(sink.rejected()) == []


def test_no_dead_letters(sink):
    assert list(sink.rejected()) == []


def test_large_requests_are_halved(sink, cluster, make_article):
    cluster.largest = 2500
    sink.write([make_article(number) for number in range(8)] + [make_article(9, text="long " * 1000)])
    assert len(stored(cluster)) == 8
    (letter,) = sink.rejected()
    assert letter.article == {"url": "https://example.com/9"}


def test_requests_have_a_bounded_size(sink, cluster, make_article, monkeypatch):
    monkeypatch.setattr(server_module, "_REQUEST_BYTES", 900)
    sink.write([make_article(number) for number in range(6)])
    assert [path for _, path, _ in cluster.requests].count("_bulk") > 2
    assert len(stored(cluster)) == 6


def test_a_deleted_index_is_not_made_by_accident(sink, cluster, make_article):
    cluster.bulk_answers = [{"https://example.com/1": (404, "index_not_found_exception")}]
    with pytest.raises(SinkUnavailable, match="deleted"):
        sink.write([make_article(1)])


def test_an_index_of_another_version_is_left_alone(cluster):
    cluster.indices["news-v9"] = {
        "aliases": {"news": {}},
        "mappings": {"_meta": {"cleancrawl": {"version": 9}}},
        "settings": {"index": {"uuid": "x"}},
    }
    with pytest.raises(SinkError, match="no index of this version"):
        open_sink(f"opensearch://127.0.0.1:{cluster.port}/news")
    cluster.indices["news-v8"] = cluster.indices["news-v9"]
    with pytest.raises(SinkError, match="alias of 2 indexes"):
        open_sink(f"opensearch://127.0.0.1:{cluster.port}/news")
    cluster.indices = {"news-v9": {"aliases": {"news": {}}}}
    with pytest.raises(SinkUnavailable, match="not understood"):
        open_sink(f"opensearch://127.0.0.1:{cluster.port}/news")


@pytest.mark.parametrize("status", [401, 403])
def test_refused_access_says_what_to_set_and_no_secret(sink, cluster, make_article, status):
    cluster.bulk_answers = [status]
    with pytest.raises(SinkError, match="CLEANCRAWL_INDEX_API_KEY"):
        sink.write([make_article(1)])
    cluster.bulk_answers = [404]
    with pytest.raises(SinkError, match="refuses the request"):
        sink.write([make_article(1)])


@pytest.mark.parametrize("product", PRODUCTS)
def test_secrets_reach_the_server_and_no_log(product, cluster, make_article, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG)
    sink = open_sink(f"{product}://ada:tops3cret@127.0.0.1:{cluster.port}/news")
    assert cluster.requests[-1][2]["authorization"].startswith("Basic ")
    cluster.bulk_answers = [503]
    with pytest.raises(SinkUnavailable) as caught:
        sink.write([make_article(1)])
    sink.close()
    monkeypatch.setenv("CLEANCRAWL_INDEX_API_KEY", "k3y")
    open_sink(f"{product}://127.0.0.1:{cluster.port}/news").close()
    assert cluster.requests[-1][2]["authorization"] == "ApiKey k3y"
    shown = caplog.text + str(caught.value) + repr(parse_address("opensearch://ada:tops3cret@h/i"))
    assert "tops3cret" not in shown
    assert "k3y" not in shown


def make_certificate(directory: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    path = directory / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.mark.parametrize("product", PRODUCTS)
def test_tls_is_verified(product, tmp_path, make_article, monkeypatch):
    certificate = make_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with running(FakeCluster(), context) as cluster:
        with pytest.raises(SinkUnavailable):
            open_sink(f"{product}s://127.0.0.1:{cluster.port}/news")
        monkeypatch.setenv("CLEANCRAWL_INDEX_CA", str(certificate))
        sink = open_sink(f"{product}://127.0.0.1:{cluster.port}/news")
        sink.write([make_article(1)])
        sink.close()
        assert stored(cluster) == {"https://example.com/1"}


@pytest.mark.parametrize(
    "url", ["opensearch://h", "opensearch:///i", "opensearch://h/A", "opensearch://h/i?timeout=x", "opensearch://h:x/i"]
)
def test_wrong_addresses(url):
    with pytest.raises(ConfigError, match="opensearch://host:port/index"):
        open_sink(url)

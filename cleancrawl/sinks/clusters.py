"""The official clients of OpenSearch and Elasticsearch behind one small face (extra ``opensearch``)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from cleancrawl.errors import ConfigError, MissingExtra, SinkError, SinkUnavailable

API_KEY, USER, PASSWORD, CA = (f"CLEANCRAWL_INDEX_{name}" for name in ("API_KEY", "USER", "PASSWORD", "CA"))
_TIMEOUT = 30.0
_REFUSED = {401, 403}
TOO_LARGE = 413


class RequestTooLarge(SinkError):
    """The server takes smaller requests only."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where an index is. What must stay secret is not part of its representation."""

    host: str
    port: int
    index: str
    tls: bool = False
    timeout: float = _TIMEOUT
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    ca: str | None = None

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}"


def parse_address(url: str, environment: Mapping[str, str] = os.environ) -> Address:
    """``opensearch://[user:pass@]host[:port]/index[?timeout=30]``; a scheme with a final s speaks TLS.

    Secrets can come from the environment instead, and a file of certificate authorities, which implies TLS.

    >>> parse_address("opensearchs://ada:secret@search.example/news", {})
    Address(host='search.example', port=9200, index='news', tls=True, timeout=30.0, ca=None)
    """
    try:
        parts = urlsplit(url)
        port = parts.port or 9200
        timeout = float(parse_qs(parts.query).get("timeout", [str(_TIMEOUT)])[0])
    except ValueError:
        raise ConfigError("a server index is named opensearch://host:port/index?timeout=SECONDS") from None
    index = parts.path.strip("/")
    if not parts.hostname or not index or "/" in index or index != index.lower() or timeout <= 0:
        raise ConfigError("a server index is named opensearch://host:port/index, with the index in lower case")
    return Address(
        host=parts.hostname,
        port=port,
        index=index,
        tls=parts.scheme.endswith("hs") or CA in environment,
        timeout=timeout,
        user=unquote(parts.username) if parts.username else environment.get(USER),
        password=unquote(parts.password) if parts.password else environment.get(PASSWORD),
        api_key=environment.get(API_KEY),
        ca=environment.get(CA),
    )


def require(module: str, package: str) -> None:
    """Refuse early where a client is not installed, without the second that its import takes."""
    if not find_spec(module):
        raise MissingExtra(package, "opensearch")


class Cluster(Protocol):
    """What a sink needs of a server. Raises ``SinkUnavailable`` where waiting may help, else ``SinkError``."""

    def indices(self, alias: str) -> dict[str, Any]:
        """The indices behind an alias with settings and mappings; empty where there is none."""
        ...

    def create(self, index: str, body: dict[str, Any]) -> None:
        """Make an index; it is no error if another process was faster."""
        ...

    def bulk(self, operations: Sequence[dict[str, Any]]) -> Any: ...

    def search(self, index: str, body: dict[str, Any]) -> Any: ...

    def close(self) -> None: ...


class OpenSearchCluster:
    """OpenSearch through opensearch-py."""

    def __init__(self, address: Address) -> None:
        import opensearchpy

        self._errors = opensearchpy.exceptions
        self._where = address.url
        options: dict[str, Any] = {"timeout": address.timeout, "max_retries": 0}
        if address.tls:
            options |= {"use_ssl": True, "verify_certs": True, "ca_certs": address.ca}
        if address.api_key:
            options["headers"] = {"Authorization": f"ApiKey {address.api_key}"}
        elif address.user:
            options["http_auth"] = (address.user, address.password or "")
        self._client = opensearchpy.OpenSearch([{"host": address.host, "port": address.port}], **options)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (self._errors.ConnectionError, self._errors.SerializationError) as error:
            raise _no_answer(self._where, error) from None
        except self._errors.TransportError as error:
            raise _refusal(self._where, error.status_code, str(error.error)) from None

    def indices(self, alias: str) -> dict[str, Any]:
        with self._translated():
            return _mapping(self._client.indices.get(index=alias, params={"ignore_unavailable": "true"}))

    def create(self, index: str, body: dict[str, Any]) -> None:
        with self._translated():
            try:
                self._client.indices.create(index=index, body=body)
            except self._errors.RequestError as error:
                if error.error != "resource_already_exists_exception":
                    raise

    def bulk(self, operations: Sequence[dict[str, Any]]) -> Any:
        with self._translated():
            return self._client.bulk(body=list(operations))

    def search(self, index: str, body: dict[str, Any]) -> Any:
        with self._translated():
            return self._client.search(index=index, body=body, params={"ignore_unavailable": "true"})

    def close(self) -> None:
        self._client.close()


class ElasticsearchCluster:
    """Elasticsearch through its own client, which speaks to no other product."""

    def __init__(self, address: Address) -> None:
        import elasticsearch

        self._errors = elasticsearch
        self._where = address.url
        options: dict[str, Any] = {"request_timeout": address.timeout, "max_retries": 0}
        if address.tls and address.ca:
            options["ca_certs"] = address.ca
        if address.api_key:
            options["api_key"] = address.api_key
        elif address.user:
            options["basic_auth"] = (address.user, address.password or "")
        self._client = elasticsearch.Elasticsearch(address.url, **options)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self._errors.ApiError as error:
            raise _refusal(self._where, error.status_code, error.message) from None
        except (self._errors.TransportError, self._errors.UnsupportedProductError) as error:
            raise _no_answer(self._where, error) from None

    def indices(self, alias: str) -> dict[str, Any]:
        with self._translated():
            return _mapping(self._client.indices.get(index=alias, ignore_unavailable=True).body)

    def create(self, index: str, body: dict[str, Any]) -> None:
        with self._translated():
            try:
                self._client.indices.create(index=index, **body)
            except self._errors.BadRequestError as error:
                if error.message != "resource_already_exists_exception":
                    raise

    def bulk(self, operations: Sequence[dict[str, Any]]) -> Any:
        with self._translated():
            return self._client.bulk(operations=list(operations)).body

    def search(self, index: str, body: dict[str, Any]) -> Any:
        with self._translated():
            return self._client.search(index=index, ignore_unavailable=True, **body).body

    def close(self) -> None:
        self._client.close()


def _no_answer(where: str, error: Exception) -> SinkUnavailable:
    # The class alone: messages of clients quote requests and answers.
    return SinkUnavailable(f"no usable answer from {where} ({type(error).__name__})")


def _refusal(where: str, status: object, reason: str) -> SinkError:
    if status in _REFUSED:
        return SinkError(f"{where} refuses access ({status}): set {API_KEY}, or {USER} and {PASSWORD}")
    if status == TOO_LARGE:
        return RequestTooLarge(f"{where} refuses a request of this size")
    if status == 429 or not isinstance(status, int) or status >= 500:
        return SinkUnavailable(f"{where} is overloaded or out of order ({status})")
    return SinkError(f"{where} refuses the request ({status}): {reason}")


def _mapping(answer: object) -> dict[str, Any]:
    if not isinstance(answer, dict):
        raise SinkUnavailable("the server's answer is no JSON object")
    return answer

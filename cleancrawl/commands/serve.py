"""Search and read what was harvested in a browser, on this machine.

Name a store, an index (tantivy:///dir, opensearch://host/index), or both: an index is searched, a store knows versions,
copies, why blocks were kept, and the report. Nobody else can reach the page unless you say so with --host.

examples:
  cleancrawl serve sqlite:///cleancrawl.db tantivy:///output/index
  cleancrawl serve opensearch://localhost:9200/news --port 8080
"""

from __future__ import annotations

import socket
from argparse import ArgumentParser, Namespace
from ipaddress import ip_address

from cleancrawl.commands.existing_store import open_existing
from cleancrawl.commands.printing import show
from cleancrawl.errors import CleanCrawlError, ConfigError, MissingExtra
from cleancrawl.serve.harvest_source import HarvestSource
from cleancrawl.serve.request_guard import LOOPBACK
from cleancrawl.serve.web_app import make_app
from cleancrawl.sinks.searching import is_index, open_search


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("source", nargs="+", metavar="STORE|INDEX", help="a store, an index, or one of each")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8765, help="0: any that is free (default: %(default)s)")
    parser.add_argument(
        "--name", action="append", default=[], help="a name or address that others reach it by; may be repeated"
    )


def run(args: Namespace) -> int:
    try:
        import uvicorn
    except ImportError:
        raise MissingExtra("uvicorn", "serve") from None
    source = open_source(args.source)
    try:
        app = make_app(source, {*LOOPBACK, args.host, *args.name})
        with _listen(args.host, args.port) as listening:
            host, port = listening.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            show(f"http://{shown}:{port}/  (Ctrl-C ends it)", flush=True)
            if not _is_loopback(host):
                show("everybody who reaches this machine can read it; --name allows names it is reached by", flush=True)
            source.prepare_report()
            config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, lifespan="off")
            uvicorn.Server(config).run(sockets=[listening])
    finally:
        source.close()
    return 0


def open_source(names: list[str]) -> HarvestSource:
    indexes = [name for name in names if is_index(name)]
    stores = [name for name in names if name not in indexes]
    if len(indexes) > 1 or len(stores) > 1:
        raise ConfigError("serve takes one store, one index, or one of each")
    source = HarvestSource(name=stores[0] if stores else "")
    try:
        source.store = open_existing(stores[0]) if stores else None
        source.index = open_search(indexes[0]) if indexes else None
    except CleanCrawlError:
        source.close()
        raise
    return source


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, OverflowError):
        raise ConfigError(f"{host}:{port} is no address to listen at") from None
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen()  # who asks before the first page is ready waits
    except OSError as error:
        listening.close()
        raise ConfigError(f"cannot listen at {host}:{port}: {error.strerror}") from None
    return listening


def _is_loopback(host: str) -> bool:
    return ip_address(host.partition("%")[0]).is_loopback

"""Servers on loopback under many names: what is given is crawled, and nothing else that is private."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from ipaddress import IPv4Address
from threading import Thread
from typing import Any

import pytest
from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import HtmlResponse, Response
from twisted.internet.endpoints import HostnameEndpoint
from twisted.internet.protocol import Factory, Protocol

from cleancrawl.crawl.fetching.guarded_resolver import connects_to
from spiders.news import NewsSpider
from spiders.pages import PagesSpider
from tests.crawl.cleaning.test_cleaning import STORY, ListSpider
from tests.crawl.fetching.fake_dns import LOOPBACK, PUBLIC, FakeDns, serving
from tests.crawling import Crawl, LittleServer

SITE = "news.evil.com"
METADATA = "metadata.evil.com"


@pytest.fixture
def names(loop: asyncio.AbstractEventLoop) -> Iterator[FakeDns]:
    table = FakeDns({SITE: [LOOPBACK], METADATA: [LOOPBACK]})
    with serving(table):
        yield table


def named(url: str, host: str) -> str:
    return url.replace(LOOPBACK, host)


def hosts_asked(server: LittleServer) -> set[str]:
    return {headers["Host"] for _, headers in server.requests}


def port_of(server: LittleServer) -> str:
    return server.url.rpartition(":")[2]


@pytest.mark.parametrize("host", [LOOPBACK, SITE])
def test_what_is_given_is_crawled_and_no_other_place_of_its_domain(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, names: FakeDns, host: str
) -> None:
    """By robots.txt, sitemap, feed, link and redirect; another host or another port, all resolving to loopback."""
    site, far = named(server.url, host), named(other_server.url, METADATA)
    elsewhere = [far, named(other_server.url, host), named(server.url, METADATA), named(server.url, "10.0.0.1")]
    links = "".join(f"<a href='{place}/the-secret-of-the-intranet'>secret</a>" for place in elsewhere)
    feeds = "".join(
        f"<link rel=alternate type=application/rss+xml href='{place}/feed'>" for place in [site, *elsewhere]
    )
    server.page(
        "/", f"<head>{feeds}</head><a href='/the-storm-at-the-coast'>story</a>{links}<a href='/a-way-out-of-here'>a</a>"
    )
    server.page("/the-storm-at-the-coast", STORY)
    server.page("/a-way-out-of-here", "", status=302, headers={"Location": f"{far}/redirected"})
    sitemaps = [f"{place}/sitemap.xml" for place in [site, *elsewhere]]
    server.page("/robots.txt", "\n".join(f"Sitemap: {place}" for place in sitemaps), kind="text/plain")
    entries = "".join(f"<url><loc>{place}/the-secret-of-the-sitemap</loc></url>" for place in elsewhere)
    server.page("/sitemap.xml", f"<urlset>{entries}</urlset>", kind="text/xml")
    items = "".join(f"<item><link>{place}/the-secret-of-the-feed</link></item>" for place in elsewhere)
    server.page("/feed", f"<rss version='2.0'><channel>{items}</channel></rss>", kind="application/rss+xml")
    for place in ("intranet", "sitemap", "feed"):
        other_server.page(f"/the-secret-of-the-{place}", STORY)
    crawled = crawl(NewsSpider, {"ROBOTSTXT_OBEY": True}, sites=site)
    assert [item.url for item in crawled.items] == [f"{site}/the-storm-at-the-coast"]
    assert (other_server.requests, hosts_asked(server)) == ([], {f"{host}:{port_of(server)}"})
    assert crawled.counted("outcome/")["private-address"] >= 5
    assert {path for path, _ in server.requests} >= {"/feed", "/sitemap.xml", "/robots.txt", "/a-way-out-of-here"}


@pytest.mark.parametrize("host", [METADATA, "under_score.evil.com", "xn--bcher-kva.evil.com", "xn--ls8h.evil.com"])
def test_a_name_that_is_public_when_judged_and_private_when_connected_to_is_refused(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, names: FakeDns, host: str
) -> None:
    """However Twisted writes the name to its resolver: it knows two versions of IDNA, and takes emoji."""
    names.answers[host] = [PUBLIC, LOOPBACK]
    target = named(other_server.page("/secret", STORY), host)
    url = server.page("/a", "", status=302, headers={"Location": target})
    crawled = crawl(ListSpider, {"RETRY_ENABLED": True}, urls=[url])
    assert (crawled.items, other_server.requests) == ([], [])
    assert crawled.counted("outcome/") == {"private-address": 1}
    assert names.asked.count(host) == 2, "judged once, and once more for the connection"


def test_a_given_site_that_was_public_stays_so(crawl: Crawl, server: LittleServer, names: FakeDns) -> None:
    names.answers[SITE] = [PUBLIC, LOOPBACK]
    crawled = crawl(PagesSpider, urls=named(server.page("/a", STORY), SITE))
    assert (crawled.items, server.requests) == ([], [])
    assert crawled.counted("outcome/") == {"private-address": 1}


def test_a_given_private_site_may_not_move_to_another_private_address(
    crawl: Crawl, server: LittleServer, names: FakeDns
) -> None:
    names.answers[SITE] = ["127.0.0.2", LOOPBACK]
    crawled = crawl(PagesSpider, urls=named(server.page("/a", STORY), SITE))
    assert (crawled.items, server.requests) == ([], [])
    assert crawled.counted("outcome/") == {"private-address": 1}


def test_a_given_name_does_not_lead_to_link_local_addresses(crawl: Crawl, names: FakeDns) -> None:
    """Where clouds keep the credentials of their machines. Nothing is there in a test: the refusal is what counts."""
    names.answers[SITE] = ["169.254.169.254"]
    crawled = crawl(PagesSpider, {"DOWNLOAD_TIMEOUT": 1}, urls=f"http://{SITE}/latest/meta-data")
    assert crawled.counted("outcome/") == {"private-address": 1}


def test_robots_txt_of_a_host_that_turns_private_is_not_fetched(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, names: FakeDns
) -> None:
    names.answers[METADATA] = [PUBLIC, LOOPBACK]
    other_server.page("/robots.txt", "User-agent: *", kind="text/plain")
    target = named(other_server.page("/secret", STORY), METADATA)
    url = server.page("/a", "", status=302, headers={"Location": target})
    crawled = crawl(ListSpider, {"ROBOTSTXT_OBEY": True}, urls=[url])
    assert (crawled.items, other_server.requests) == ([], [])


def test_a_lost_connection_is_not_made_again_to_another_address(crawl: Crawl, names: FakeDns) -> None:
    """Twisted repeats a request by itself where the server closed a connection that was kept open."""
    names.answers[SITE] = [LOOPBACK, LOOPBACK, "127.0.0.2"]
    accepted: list[str] = []
    with socket.create_server((LOOPBACK, 0)) as first:
        port = first.getsockname()[1]
        with socket.create_server(("127.0.0.2", port)) as second:
            Thread(target=answer_once_per_connection, args=(first, accepted), daemon=True).start()
            Thread(target=answer_once_per_connection, args=(second, accepted), daemon=True).start()
            urls = [f"http://{SITE}:{port}/{number}" for number in range(2)]
            crawled = crawl(PagesSpider, {"CONCURRENT_REQUESTS": 1}, urls=" ".join(urls))
    assert (len(crawled.items), accepted) == (1, [LOOPBACK])
    assert crawled.counted("outcome/") == {"private-address": 1}


def answer_once_per_connection(listening: socket.socket, accepted: list[str]) -> None:
    """Promises to keep the connection open, and closes it when the next request comes."""
    body = STORY.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            accepted.append(connection.getsockname()[0])
            connection.recv(65536)
            connection.sendall(head + body)
            connection.recv(65536)


def test_http_2_connects_to_no_private_address(crawl: Crawl, names: FakeDns) -> None:
    """Scrapy's handler does not hear of it, and waits for its timeout."""
    names.answers[METADATA] = [PUBLIC, LOOPBACK]
    handlers = {"https": "scrapy.core.downloader.handlers.http2.H2DownloadHandler"}
    with socket.create_server((LOOPBACK, 0)) as listening:
        listening.settimeout(0)
        url = f"https://{METADATA}:{listening.getsockname()[1]}/secret"
        crawled = crawl(ListSpider, {"DOWNLOAD_HANDLERS": handlers, "DOWNLOAD_TIMEOUT": 1}, urls=[url])
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert crawled.counted("outcome/") == {"private-address": 1}


class SelfResolving(BaseDownloadHandler):
    """Stands for handlers of other libraries, which the reactor's resolver knows nothing of."""

    lazy = False

    async def download_request(self, request: Request) -> Response:
        address = IPv4Address(LOOPBACK if METADATA in request.url else PUBLIC)
        return HtmlResponse(request.url, body=STORY.encode(), encoding="utf-8", ip_address=address)

    async def close(self) -> None:
        pass


def test_what_another_handler_brings_from_a_private_address_is_thrown_away(crawl: Crawl, names: FakeDns) -> None:
    names.answers = {SITE: [PUBLIC], METADATA: [PUBLIC]}
    urls = f"http://{SITE}/story http://{METADATA}/secret"
    crawled = crawl(PagesSpider, {"DOWNLOAD_HANDLERS": {"http": SelfResolving}}, urls=urls)
    assert [item.url for item in crawled.items] == [f"http://{SITE}/story"]
    assert crawled.counted("outcome/") == {"private-address": 1}


@pytest.mark.parametrize(
    "spelling",
    ["2130706433", "0x7f.1", "0177.1", "127.1", "localhost.", "127.0.0.1.", "[::ffff:127.0.0.1]", "[::127.0.0.1]"],
)
def test_no_spelling_of_a_private_address_is_fetched(
    crawl: Crawl, server: LittleServer, other_server: LittleServer, spelling: str
) -> None:
    """The real resolver of the machine reads most of these."""
    secret = other_server.page("/secret", STORY)
    url = server.page("/a", "", status=302, headers={"Location": named(secret, spelling)})
    crawled = crawl(ListSpider, urls=[url])
    assert (crawled.items, other_server.requests) == ([], [])
    assert crawled.counted("outcome/") == {"private-address": 1}


def test_others_who_use_the_reactor_are_left_alone(
    loop: asyncio.AbstractEventLoop, crawl: Crawl, server: LittleServer, names: FakeDns
) -> None:
    """While a crawl runs, and after it."""
    names.answers["database.internal"] = [LOOPBACK]
    reached: list[str] = []

    class Asking(ListSpider):
        async def parse(self, response: Any, **kwargs: Any) -> None:
            from twisted.internet import reactor

            endpoint = HostnameEndpoint(reactor, "database.internal", int(port_of(server)))
            protocol = await endpoint.connect(Factory.forProtocol(Protocol)).asFuture(asyncio.get_running_loop())
            reached.append(protocol.transport.getPeer().host)
            protocol.transport.loseConnection()

    crawl(Asking, urls=[server.page("/a", STORY)])
    assert reached == [LOOPBACK]


def test_where_a_request_connects_to() -> None:
    def place(url: str, **meta: str) -> tuple[str, int] | None:
        return connects_to(Request(url, meta=meta))

    assert place("https://Bücher.example/a") == ("xn--bcher-kva.example", 443)
    assert place("http://[::1]:8000/") == ("::1", 8000)
    assert place("http://0x7f.1") == (LOOPBACK, 80)
    assert place("http://a.example/", proxy="http://127.0.0.1:3128") is None
    assert place("file:///etc/hosts") is None

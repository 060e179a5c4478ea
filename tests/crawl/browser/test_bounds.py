"""What a page may cost its browser, and where it may lead: real pages in a real Chromium."""

from __future__ import annotations

import asyncio
import time
from base64 import b64encode
from pathlib import Path
from socket import AF_INET, SOCK_DGRAM, socket
from typing import Any

import pytest
from scrapy import Spider
from scrapy.settings import Settings

from cleancrawl.core.public_addresses import Place
from cleancrawl.crawl.browser import browser_settings
from cleancrawl.crawl.browser.browser_settings import HANDLER, launch_options, switch_on
from cleancrawl.crawl.browser.guard_proxy import GuardProxy
from cleancrawl.crawl.browser.site_verdicts import NOTE, Experience
from cleancrawl.crawl.config import Config
from cleancrawl.errors import ConfigError, MissingExtra
from cleancrawl.stores.opening import open_store
from spiders.pages import PagesSpider
from tests.crawl.browser.real_browser import browser_processes, needs_browser
from tests.crawling import BASE, Crawl, LittleServer

SHELL = '<!doctype html><title>Storm</title><div id="root"></div><script src="/app.js"></script>'
SENTENCE = "A heavy storm hit the northern coast, and the harbour was closed until the morning. "
WRITE = f"document.getElementById('root').innerHTML = '<h1>Storm</h1>' + '<p>{SENTENCE}</p>'.repeat(9);"
AUTO_SMALL = {**BASE, "CLEANCRAWL_BROWSER": "auto", "CLEANCRAWL_WARMUP_PAGES": 0, "CLEANCRAWL_RECIPE": "default"}


def story(server: LittleServer, script: str, path: str = "/story", **more: Any) -> str:
    server.page(f"{path}.js", script, kind="text/javascript")
    return server.page(path, SHELL.replace("/app.js", f"{path}.js"), **more)


@needs_browser
def test_no_script_frame_redirect_or_socket_reaches_a_private_address(
    crawl: Crawl, server: LittleServer, other_server: LittleServer
) -> None:
    secret = other_server.page("/secret", "The secret of the intranet.", headers={"Access-Control-Allow-Origin": "*"})
    moved = server.page("/moved", "", status=302, headers={"Location": secret})
    script = f"""
        const socket = new WebSocket({secret!r}.replace('http', 'ws'));
        for (const tag of ['iframe', 'img', 'script']) {{
            const element = document.createElement(tag); element.src = {secret!r}; document.body.append(element);
        }}
        const link = document.createElement('link'); link.rel = 'stylesheet'; link.href = {moved!r};
        document.head.append(link);
        const read = url => fetch(url).then(answer => answer.text()).catch(() => 'refused');
        Promise.all([read({secret!r}), read({moved!r}), read('http://localhost:' + {other_server.url!r}.split(':')[2])])
            .then(texts => {{ {WRITE} document.getElementById('root').append(...texts); }});
    """
    crawled = crawl(PagesSpider, AUTO_SMALL, urls=story(server, script))
    (item,) = crawled.items
    assert SENTENCE.strip() in item.text
    assert item.rendered
    assert other_server.requests == []
    assert crawled.counted("browser/")["private-address"] >= 1


@needs_browser
def test_no_datagram_leaves_the_browser(crawl: Crawl, server: LittleServer) -> None:
    """WebRTC and QUIC go past an HTTP proxy unless they are told not to."""
    with socket(AF_INET, SOCK_DGRAM) as ear, socket(AF_INET, SOCK_DGRAM) as other_ear:
        for listening in (ear, other_ear):
            listening.bind(("127.0.0.1", 0))
            listening.setblocking(False)
        script = f"""
            const call = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{ear.getsockname()[1]}' }}] }});
            call.createDataChannel('x');
            const gathered = new Promise(done => call.onicegatheringstatechange = () =>
                call.iceGatheringState === 'complete' && done());
            const transport = new WebTransport('https://127.0.0.1:{other_ear.getsockname()[1]}/');
            call.createOffer().then(offer => call.setLocalDescription(offer));
            const waited = new Promise(done => setTimeout(done, 3000));
            Promise.all([Promise.race([gathered, waited]), transport.ready.catch(() => 0)]).then(() => {{ {WRITE} }});
        """
        # Text that changes until then keeps the page from being taken for ready.
        script += "let n = 0; const t = setInterval(() => { root.textContent = 'Wait '.repeat(++n % 60); }, 50);"
        script = script.replace(WRITE, f"clearInterval(t); {WRITE}")
        crawled = crawl(PagesSpider, AUTO_SMALL, urls=story(server, script))
        assert [item.rendered for item in crawled.items] == [True]
        for listening in (ear, other_ear):
            with pytest.raises(BlockingIOError):
                listening.recvfrom(100)


@needs_browser
def test_a_redirect_in_the_browser_is_judged_as_any_other(
    crawl: Crawl, server: LittleServer, other_server: LittleServer
) -> None:
    class Wanted(Spider):
        """Anybody's: it knows nothing of browsers."""

        name = "wanted"

        def parse(self, response: Any) -> None: ...

    away = other_server.page("/away", SENTENCE)
    urls = [
        server.page("/old", "", status=301, headers={"Location": story(server, WRITE)}),
        server.page("/leads-away", "", status=302, headers={"Location": away}),
        server.page("/gone", "", status=404),
    ]
    crawled = crawl(Wanted, {**AUTO_SMALL, "CLEANCRAWL_BROWSER": "always"}, start_urls=urls)
    assert [(item.url, item.rendered) for item in crawled.items] == [(server.url + "/story", True)]
    assert crawled.counted("outcome/") == {"http-404": 1, "private-address": 1}
    assert other_server.requests == []


@needs_browser
def test_a_page_that_never_rests_is_read_as_it_is_and_one_that_hangs_is_left(
    crawl: Crawl, server: LittleServer
) -> None:
    restless = f"{WRITE} let n = 0; setInterval(() => {{ document.title = n++; fetch('/nothing?' + n); }}, 50);"
    urls = [
        story(server, restless, "/restless"),
        story(server, f"{WRITE} setTimeout(() => {{ while (true); }}, 50);", "/hung"),
    ]
    crawled = crawl(PagesSpider, {**AUTO_SMALL, "CLEANCRAWL_BROWSER_SECONDS": 8}, urls=" ".join(urls))
    assert [item.url for item in crawled.items] == [urls[0]]
    assert crawled.counted("outcome/") == {"PageTooSlow": 1}
    assert not browser_processes()


@needs_browser
def test_a_page_cannot_fool_those_who_read_it(crawl: Crawl, server: LittleServer) -> None:
    script = f"""
        {WRITE}
        String.prototype.slice = () => 'x'.repeat(5e7);
        Object.defineProperty(Element.prototype, 'outerHTML', {{ get: () => 'fooled' }});
        window.alert('Wait'); window.onbeforeunload = () => 'Stay';
    """
    (item,) = crawl(PagesSpider, AUTO_SMALL, urls=story(server, script)).items
    assert "fooled" not in item.text
    assert SENTENCE.strip() in item.text


@needs_browser
def test_a_page_that_grows_without_end_is_too_large(crawl: Crawl, server: LittleServer) -> None:
    script = WRITE.replace("repeat(9)", "repeat(3000)")
    crawled = crawl(PagesSpider, {**AUTO_SMALL, "CLEANCRAWL_MAX_PAGE_BYTES": 100_000}, urls=story(server, script))
    assert crawled.items == []
    assert crawled.counted("skipped/") == {"too-large": 1}


@needs_browser
def test_where_it_does_not_help_it_is_not_asked_any_more(crawl: Crawl, server: LittleServer, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'sites.db'}"
    store = open_store(url)
    store.set_note(Config().site_of(server.url), NOTE, Experience(vain=2, since=time.time()).write())
    store.close()
    settings = {**AUTO_SMALL, "CLEANCRAWL_STORE": url}
    for _ in range(2):
        crawled = crawl(PagesSpider, settings, urls=story(server, "", "/vain"))
        assert crawled.counted("dropped/") == {"needs-browser": 1}
    assert crawled.counted("browser/") == {"not-asked": 1}
    assert [path for path, _ in server.requests].count("/vain") == 3


def test_what_cannot_work_is_said_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    auto = Config(browser="auto")
    monkeypatch.setattr(browser_settings, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"cleancrawl\[browser\]"):
        switch_on(Settings(), auto)
    monkeypatch.setattr(browser_settings, "find_spec", lambda name: True)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="finds no Chromium"):
        switch_on(Settings(), auto)
    with pytest.raises(ConfigError, match="not 'firefox'"):
        switch_on(Settings({"PLAYWRIGHT_BROWSER_TYPE": "firefox"}), auto)
    with pytest.raises(ConfigError, match="TWISTED_REACTOR"):
        switch_on(Settings({"TWISTED_REACTOR": None}), auto)
    with pytest.raises(ConfigError, match=r"the project has my\.Handler"):
        switch_on(Settings({"DOWNLOAD_HANDLERS": {"https": "my.Handler"}}), auto)
    switch_on(Settings({"DOWNLOAD_HANDLERS": {"https": "my.Handler"}}), Config())


def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"executable_path": "/opt/chrome", "args": ["--mine"], "chromium_sandbox": True, "slow_mo": 7}
    settings = Settings({"PLAYWRIGHT_LAUNCH_OPTIONS": own, "DOWNLOAD_HANDLERS": {"ftp": None}})
    monkeypatch.setattr(browser_settings, "find_spec", lambda name: True)
    switch_on(settings, Config(browser="auto"))
    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    assert options["args"][-1] == "--mine"
    assert {**options, "args": ["--mine"]} == own
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS")
    assert (handlers["http"], handlers["https"], handlers["ftp"]) == (HANDLER, HANDLER, None)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert launch_options(Settings({"PLAYWRIGHT_LAUNCH_OPTIONS": {"channel": "chrome"}}))["chromium_sandbox"]


def test_the_proxy_serves_its_own_browser_and_leads_to_no_private_place(
    loop: asyncio.AbstractEventLoop, server: LittleServer
) -> None:
    server.page("/a?b", "told")
    asked: list[Place] = []

    async def judge(place: Place) -> list[str]:
        asked.append(place)
        return ["127.0.0.1"] if place[0] == "news.example" else []

    async def say(where: dict[str, str], text: str, *, known: bool = True) -> bytes:
        key = b64encode(f"browser:{where['password']}".encode()).decode()
        reader, writer = await asyncio.open_connection("127.0.0.1", int(where["server"].rpartition(":")[2]))
        secret = f"Proxy-Authorization: Basic {key}\r\n" if known else ""
        writer.write(f"{text} HTTP/1.1\r\nHost: x\r\n{secret}\r\n".encode())
        answer = await reader.read()
        writer.close()
        return answer

    async def work() -> None:
        proxy = GuardProxy(judge)
        where = await proxy.start()
        port = server.url.rpartition(":")[2]
        assert b" 407 " in await say(where, f"GET http://news.example:{port}/a?b", known=False)
        assert asked == []
        assert (await say(where, f"GET http://news.example:{port}/a?b")).endswith(b"told")
        assert b" 403 " in await say(where, f"CONNECT 127.0.0.1:{port}")
        assert b" 403 " in await say(where, f"GET ftp://news.example:{port}/")
        assert b" 502 " in await say(where, "GET http://news.example:1/")
        assert asked[1] == ("127.0.0.1", int(port))
        assert proxy.bytes > 0
        await proxy.close()

    loop.run_until_complete(work())
    assert [path for path, _ in server.requests] == ["/a?b"]

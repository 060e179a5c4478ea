"""The pages of ``cleancrawl serve``, over HTTP."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode
from urllib.request import urlopen

import lxml.html
import pytest

from cleancrawl import open_store
from cleancrawl.cli import main
from tests.extras import needs

for package, extra in (("jinja2", "report"), ("starlette", "serve"), ("uvicorn", "serve"), ("tantivy", "search")):
    needs(package, extra)

from cleancrawl.serve.harvest_source import HarvestSource  # noqa: E402
from tests.serve.serving import SITE, Served, fill, served, served_harvest  # noqa: E402

ICE = f"https://{SITE}/ice"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served_harvest(tmp_path_factory.mktemp("serve")) as running:
        yield running


def tree(served: Served, path: str, status: int = 200, **query: str) -> lxml.html.HtmlElement:
    found, headers, text = served.get(f"{path}?{urlencode(query)}" if query else path)
    assert found == status, text
    assert headers["content-type"] == "text/html; charset=utf-8"
    return lxml.html.fromstring(text)


def titles(page: lxml.html.HtmlElement) -> list[str]:
    return [link.text_content() for link in page.xpath("//ol[@class='hits']//h3/a")]


def leafed(served: Served, path: str) -> list[list[str]]:
    """The titles on a page and on all that follow."""
    found = []
    while path:
        page = tree(served, path)
        found.append(titles(page))
        path = next(iter(page.xpath("//a[@rel='next']/@href")), "")
        assert len(found) < 10
    return found


def test_words_are_found_and_marked(pages: Served) -> None:
    page = tree(pages, "/", q='"ice cream" mayor')
    assert "Ice cream stays cheap" in titles(page)
    assert {mark.text.lower() for mark in page.xpath("//mark")} == {"ice", "cream", "mayor"}
    assert titles(tree(pages, "/", q="seagrass", site="other.example")) == []
    assert titles(tree(pages, "/", q="cream", site="other.example")) == ["Ice cream, again"]
    assert titles(tree(pages, "/", q="cream", since="2026-04-01")) == []
    assert titles(tree(pages, "/", q="cream", language="de")) == []


def test_hits_and_articles_are_leafed_through_whole(pages: Served) -> None:
    hits = leafed(pages, "/?q=seagrass")
    assert [len(part) for part in hits] == [20, 20, 5]
    assert len({title for part in hits for title in part}) == 45
    newest = leafed(pages, "/")
    assert [len(part) for part in newest] == [20, 20, 9]
    assert newest[0][:3] == ["Gone page", "Kept page", "Ice cream, again"]
    assert leafed(pages, "/?site=other.example") == [["Ice cream, again"]]


def test_an_article_is_read_with_its_versions_and_copies(pages: Served) -> None:
    page = tree(pages, "/article", url=ICE)
    assert page.xpath("string(//h1)") == "Ice cream stays cheap"
    assert page.xpath("string(//div[@class='body']/p[1])").startswith("The council of the harbour")
    shown = page.xpath("string(//aside)")
    assert "https://other.example/copy" in shown
    assert "2 known" in shown
    assert "2, 1 of them new in this version" in shown
    copy = tree(pages, "/article", url="https://other.example/copy")
    assert f"/article?url={quote(ICE, safe='')}" in [
        link.replace("/", "%2F").replace("%2Farticle", "/article").replace(":", "%3A")
        for link in copy.xpath("//a/@href")
    ]
    assert "withdrawn" in tree(pages, "/article", url=f"https://{SITE}/gone").xpath("string(//main)")


def test_versions_are_shown_as_a_diff(pages: Served) -> None:
    page = tree(pages, "/versions", url=ICE)
    diff = page.xpath("//main")[0]
    assert [mark.text_content().strip() for mark in diff.xpath(".//p[@class='changed']/del")] == ["Monday"]
    assert "Tuesday" in [mark.text_content().strip() for mark in diff.xpath(".//ins")]
    back = tree(pages, "/versions", **{"url": ICE, "from": "2", "to": "1"})
    assert "Monday" in [mark.text_content().strip() for mark in back.xpath("//ins")]
    tree(pages, "/versions", 404, url=f"https://{SITE}/1")
    tree(pages, "/versions", 404, **{"url": ICE, "from": "7"})
    tree(pages, "/versions", 400, **{"url": ICE, "from": "²"})


def test_why_its_blocks_were_kept_where_the_page_is(pages: Served) -> None:
    why = tree(pages, "/why", url=f"https://{SITE}/kept")
    assert "Home" in why.text_content()
    assert tree(pages, why.xpath("//header//a/@href")[0]).xpath("//a[starts-with(@href, '/why')]")
    assert "CLEANCRAWL_KEEP_HTML" in tree(pages, "/why", 404, url=ICE).text_content()


def test_the_report_is_there(pages: Served) -> None:
    report = tree(pages, "/report")
    assert SITE in report.xpath("string(//table[@id='sites-table'])")
    assert report.xpath("//header//a/@href")[0] == "/"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/article", 404),
        ("/article?url=https://nowhere.example/", 404),
        ("/?since=yesterday", 400),
        ("/?q=a&after=bm9uc2Vuc2U", 400),
        ("/?after=WzFd", 400),
        ("/?q=%00%ff" + "x" * 3000, 200),
    ],
)
def test_wrong_addresses_are_answered_with_a_page(pages: Served, path: str, status: int) -> None:
    assert tree(pages, path, status).xpath("//h1")


@pytest.mark.parametrize("path", ["/", "/?q=ice", "/nothing", "/report"])
def test_every_answer_is_under_the_policy(pages: Served, path: str) -> None:
    _, headers, _ = pages.get(path)
    rules = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert set(rules["script-src"].split() + rules["style-src"].split()) <= set(
        re.findall(r"'sha256-[\w+/]{43}='", headers["content-security-policy"])
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "", "[::1"])
def test_a_name_that_was_bent_to_this_machine_is_refused(pages: Served, host: str) -> None:
    status, _, text = pages.get("/", host)
    assert status in (400, 421)
    assert "Meadow" not in text
    for fine in (f"localhost:{pages.port}", "127.0.0.1", f"[::1]:{pages.port}"):
        assert pages.get("/", fine)[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(pages: Served, method: str) -> None:
    assert pages.get("/", method=method)[0] == 405


def test_an_index_alone_is_searched_and_read(pages: Served) -> None:
    with served(HarvestSource(index=pages.source.index)) as alone:
        assert len(titles(tree(alone, "/", q="seagrass"))) == 20
        assert tree(alone, "/article", url=ICE).xpath("string(//h1)") == "Ice cream stays cheap"
        assert "Type what you look for" in tree(alone, "/").text_content()
        tree(alone, "/report", 404)
        tree(alone, "/versions", 404, url=ICE)


def test_a_store_alone_is_read_and_says_what_a_search_needs() -> None:
    store = open_store("memory:")
    with served(HarvestSource(store, name="memory:")) as alone:
        assert "There are no articles" in tree(alone, "/").text_content()
        fill(store)
        assert len(titles(tree(alone, "/"))) == 20
        assert "cleancrawl sync STORE" in tree(alone, "/", 400, q="ice").text_content()


def test_a_store_that_fails_is_told(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/store.db")
    with served(HarvestSource(store)) as alone:
        store.close()
        assert "That did not work" in tree(alone, "/", 503).text_content()


def test_the_command_serves_until_it_is_stopped(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    store = open_store(url)
    fill(store)
    store.close()
    command = [sys.executable, "-m", "cleancrawl", "serve", url, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[0]
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
            with urlopen(address, timeout=30) as answer:
                assert b"Gone page" in answer.read()
            process.send_signal(signal.SIGINT)
            assert process.wait(30) in (0, 130, -signal.SIGINT)
        finally:
            process.kill()


def test_wrong_calls_are_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", f"sqlite:///{tmp_path}/none.db"]) == 1
    open_store(f"sqlite:///{tmp_path}/store.db").close()
    store = f"sqlite:///{tmp_path}/store.db"
    assert main(["serve", store, store]) == 2
    assert main(["serve", store, f"tantivy:///{tmp_path}/none"]) == 1
    assert main(["serve", store, "--host", "no such host"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 4
    assert errors[1] == "cleancrawl serve: serve takes one store, one index, or one of each"

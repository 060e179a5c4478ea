"""The sample site over real HTTP: what a crawler may rely on."""

from __future__ import annotations

import gzip
import subprocess
import sys
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from tests.site import manifest
from tests.site.server import SampleSite
from tests.site.source import HERE, articles

BRIDGE = "/local/2026/03/02/harbour-bridge-closed-after-crack-found"


@dataclass(frozen=True)
class Reply:
    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


def fetch(base: str, path: str, method: str = "GET", **headers: str) -> Reply:
    """One request with headers given as `If_None_Match="…"`; no redirect is followed."""
    connection = HTTPConnection(urlsplit(base).netloc, timeout=10)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return Reply(response.status, response.headers, response.read())
    finally:
        connection.close()


@pytest.mark.parametrize("page", manifest.pages(), ids=lambda page: page.portal + page.path)
def test_every_page_of_the_manifest_answers_as_it_says(sample_site: SampleSite, page: manifest.Entry) -> None:
    assert fetch(sample_site.portals[page.portal].url, page.path).status == page.status


def test_the_manifest_knows_every_html_page(sample_site: SampleSite) -> None:
    listed = {(page.portal, page.path) for page in manifest.pages()}
    for name, portal in sample_site.portals.items():
        served = {
            (name, path) for path, found in portal.resources.items() if found.content_type.startswith("text/html")
        }
        assert served <= listed


def test_an_unchanged_page_is_answered_with_304(sample_site: SampleSite) -> None:
    first = fetch(sample_site.a, BRIDGE)
    by_tag = fetch(sample_site.a, BRIDGE, If_None_Match=first.headers["ETag"])
    by_date = fetch(sample_site.a, BRIDGE, If_Modified_Since=first.headers["Last-Modified"])
    assert (by_tag.status, by_tag.body, by_date.status) == (304, b"", 304)
    assert by_tag.headers["ETag"] == first.headers["ETag"]


def test_the_entity_tag_outranks_the_date(sample_site: SampleSite) -> None:
    date = fetch(sample_site.a, BRIDGE).headers["Last-Modified"]
    assert fetch(sample_site.a, BRIDGE, If_None_Match='"other"', If_Modified_Since=date).status == 200


def test_an_unreadable_date_is_ignored(sample_site: SampleSite) -> None:
    assert fetch(sample_site.a, BRIDGE, If_Modified_Since="yesterday").status == 200


def test_a_changed_page_has_new_text_and_new_validators(sample_site: SampleSite) -> None:
    first = fetch(sample_site.a, BRIDGE)
    sample_site.change("a", BRIDGE, "The bridge was opened again on Friday.")
    second = fetch(sample_site.a, BRIDGE, If_None_Match=first.headers["ETag"])
    assert second.status == 200
    assert "opened again on Friday" in second.text
    assert second.headers["Last-Modified"] != first.headers["Last-Modified"]
    sample_site.reset()
    assert fetch(sample_site.a, BRIDGE).headers["ETag"] == first.headers["ETag"]


def test_gzip_only_for_clients_that_ask_for_it(sample_site: SampleSite) -> None:
    plain, packed = fetch(sample_site.a, BRIDGE), fetch(sample_site.a, BRIDGE, Accept_Encoding="gzip, deflate")
    assert plain.headers["Content-Encoding"] is None
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 2


def test_redirects(sample_site: SampleSite) -> None:
    moved = fetch(sample_site.a, "/old/harbour-bridge")
    assert (moved.status, moved.headers["Location"]) == (301, sample_site.a + BRIDGE)
    assert fetch(sample_site.a, "/loop/1").headers["Location"] == sample_site.a + "/loop/2"
    assert fetch(sample_site.a, "/loop/2").headers["Location"] == sample_site.a + "/loop/1"


def test_tracking_parameters_lead_to_the_same_page(sample_site: SampleSite) -> None:
    assert fetch(sample_site.a, BRIDGE + "?utm_source=x").body == fetch(sample_site.a, BRIDGE).body
    assert fetch(sample_site.a, "/?page=2").body != fetch(sample_site.a, "/").body


def test_pages_can_go_and_come_back(sample_site: SampleSite) -> None:
    sample_site.gone("a", BRIDGE)
    assert fetch(sample_site.a, BRIDGE).status == 410
    sample_site.reset()
    assert fetch(sample_site.a, BRIDGE).status == 200


def test_errors_a_number_of_times(sample_site: SampleSite) -> None:
    sample_site.fail("a", BRIDGE, 429, retry_after="2", times=2)
    replies = [fetch(sample_site.a, BRIDGE) for _ in range(4)]
    assert [reply.status for reply in replies] == [429, 429, 200, 200]
    assert [reply.headers["Retry-After"] for reply in replies] == ["2", "2", None, None]


def test_the_log_tells_every_request(sample_site: SampleSite) -> None:
    sample_site.delay("a", BRIDGE, 0.01)
    fetch(sample_site.a, BRIDGE, User_Agent="tester/1")
    fetch(sample_site.a, "/missing", method="HEAD")
    fetch(sample_site.a, "/login", method="POST")
    seen = [(entry.portal, entry.method, entry.path, entry.status) for entry in sample_site.log]
    assert seen == [("a", "GET", BRIDGE, 200), ("a", "HEAD", "/missing", 404), ("a", "POST", "/login", 405)]
    (entry,) = sample_site.requests("a", BRIDGE)
    assert entry.headers["User-Agent"] == "tester/1"
    assert entry.size > 5000
    assert sample_site.requests("b") == []


def test_the_live_page_grows_at_each_visit(sample_site: SampleSite) -> None:
    first, second = fetch(sample_site.a, "/live/storm-ragna"), fetch(sample_site.a, "/live/storm-ragna")
    assert second.text.count("live-post") == first.text.count("live-post") + 1
    assert "ETag" not in first.headers


def test_discovery_files_hold_absolute_addresses_of_the_asked_host(sample_site: SampleSite) -> None:
    host = urlsplit(sample_site.a).netloc.replace("127.0.0.1", "localhost")
    robots = fetch(sample_site.a, "/robots.txt", Host=host).text
    assert f"Sitemap: http://{host}/sitemap.xml" in robots
    assert "Disallow: /private/" in robots
    assert "Crawl-delay: 0.01" in robots
    news = ElementTree.fromstring(fetch(sample_site.a, "/news-sitemap.xml", Host=host).text)
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    assert all(str(node.text).startswith(f"http://{host}/") for node in news.findall(".//s:loc", space))


def test_sitemap_index_leads_to_every_article(sample_site: SampleSite) -> None:
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    index = ElementTree.fromstring(fetch(sample_site.a, "/sitemap.xml").text)
    found: set[str] = set()
    for node in index.findall(".//s:loc", space):
        body = fetch(sample_site.a, urlsplit(str(node.text)).path).body
        tree = ElementTree.fromstring(gzip.decompress(body) if str(node.text).endswith(".gz") else body)
        found.update(urlsplit(str(location.text)).path for location in tree.findall(".//s:loc", space))
    assert {page.path for page in manifest.article_pages("a")} <= found


def test_feeds_know_articles_that_no_page_links_to(sample_site: SampleSite) -> None:
    rss = ElementTree.fromstring(fetch(sample_site.a, "/feed.xml").text)
    assert len(rss.findall(".//item/link")) == 8
    rowing = articles()["rowing"].path
    assert rowing in fetch(sample_site.b, "/atom.xml").text
    listings = [page for page in manifest.pages() if page.portal == "b" and page.kind == "listing"]
    assert all(rowing not in fetch(sample_site.b, page.path).text for page in listings)


@pytest.mark.parametrize(
    ("name", "content_type", "declared"),
    [
        ("samovar-russian", "text/html", "charset=windows-1251"),
        ("tofu-japanese", "text/html", "charset=Shift_JIS"),
        ("festival", "text/html; charset=iso-8859-1", "charset=utf-8"),
    ],
)
def test_pages_that_need_their_meta_element(
    sample_site: SampleSite, name: str, content_type: str, declared: str
) -> None:
    article = articles()[name]
    reply = fetch(sample_site.b, article.path)
    assert reply.headers["Content-Type"] == content_type
    assert f'content="text/html; {declared}"' in reply.body.decode("ascii", "ignore")
    assert article.title in reply.body.decode(article.encoding)


def test_the_server_runs_alone() -> None:
    command = [sys.executable, "-m", "tests.site.server", "--slow", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE.parent.parent) as process:
        assert process.stdout is not None
        bases = [process.stdout.readline().strip() for _ in range(2)]
        try:
            assert [fetch(base, "/").status for base in bases] == [200, 200]
        finally:
            process.terminate()
    assert process.returncode == 0


def test_a_pdf_and_a_file_that_claims_to_be_html(sample_site: SampleSite) -> None:
    pdf, binary = fetch(sample_site.a, "/docs/annual-report.pdf"), fetch(sample_site.a, "/download/map")
    assert (pdf.headers["Content-Type"], pdf.body[:5]) == ("application/pdf", b"%PDF-")
    assert (binary.headers["Content-Type"], binary.body[:4]) == ("text/html; charset=utf-8", b"\x89PNG")


def test_sitemaps_and_feeds_follow_a_change(sample_site: SampleSite) -> None:
    before = {path: fetch(sample_site.a, path) for path in ("/sitemap-articles.xml", "/feed.json")}
    sample_site.change("a", articles()["bridge-vote"].path, "The order was placed on Friday.")
    for path, reply in before.items():
        after = fetch(sample_site.a, path, If_None_Match=reply.headers["ETag"])
        assert (after.status, "2026-03-12T23:30:00+01:00" in after.text) == (200, True)
        assert "2026-03-12T23:30:00+01:00" not in reply.text


def test_an_article_can_be_published_later(sample_site: SampleSite) -> None:
    path = articles()["lighthouse"].path
    sample_site.withhold("a", path)
    assert fetch(sample_site.a, path).status == 404
    assert path not in fetch(sample_site.a, "/sitemap-articles.xml").text
    sample_site.publish("a", path)
    assert fetch(sample_site.a, path).status == 200
    assert path in fetch(sample_site.a, "/sitemap-articles.xml").text


def test_traps_are_linked_only_where_asked_for(sample_site: SampleSite) -> None:
    assert "/calendar/" not in fetch(sample_site.a, "/").text
    with SampleSite(traps=True) as site:
        first, second = fetch(site.a, "/").text, fetch(site.a, "/").text
        assert "/calendar/2026-3" in first
        assert first != second
        assert 'href="/calendar/2027-1"' in fetch(site.a, "/calendar/2026-12").text
    assert fetch(sample_site.a, "/go/intranet").headers["Location"] == "http://192.168.0.10/salaries"

"""The report of a store as HTML."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from pathlib import Path

import lxml.html
import pytest

from cleancrawl import open_store
from cleancrawl.cli import main
from cleancrawl.lab.planted_store import FIRST, plant
from cleancrawl.report.harvest_report import Harvest, _charts, as_html, gather, write_report
from cleancrawl.report.site_tally import SiteTally
from cleancrawl.stores.protocol import Store
from tests.extras import needs
from tests.stores.pages import FOOTER, article_of, record_of, story

needs("jinja2", "report")

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def planted() -> Store:
    store = open_store("memory:")
    plant(store, sites=12, articles=600, runs=8)
    return store


def cells(tree: lxml.html.HtmlElement, table: str) -> list[list[str]]:
    return [[cell.text_content().strip() for cell in row] for row in tree.xpath(f"//table[@id='{table}']/tbody/tr")]


def test_runs_and_sites_are_in_the_file(planted: Store, tmp_path: Path) -> None:
    harvest = write_report(planted, tmp_path / "new/report.html", name="redis://:secret@host/0")
    text = (tmp_path / "new/report.html").read_text("utf-8")
    tree = lxml.html.fromstring(text)
    assert len(cells(tree, "runs-table")) == 8
    assert cells(tree, "runs-table")[0][:3] == ["2026-10-15 06:00", "news", "finished"]
    sites = cells(tree, "sites-table")
    assert {row[0] for row in sites} == {site.site for site in harvest.sites}
    assert sum(int(row[2].replace(",", "")) for row in sites) == harvest.total.articles
    assert "secret" not in text
    for finding in harvest.findings:
        assert finding.evidence.partition("”")[0] in tree.text_content()
    undated = tree.xpath("//details[summary/b = 'undated.example']//table[contains(@class, 'last')]/tbody/tr")
    assert [row[0].text for row in undated][:2] == ["2026-10-15", "2026-10-13"]
    assert sum(int(row[2].text) for row in undated) == next(
        s.tally.articles for s in harvest.sites if s.site == "undated.example"
    )
    # Every link inside the file leads somewhere, nothing is loaded.
    anchors = {link[1:] for link in tree.xpath("//a/@href") if link.startswith("#")}
    assert anchors <= set(tree.xpath("//@id"))
    assert not tree.xpath("//@src | //link[@rel='stylesheet'] | //@style | //@onclick")


def test_since_leaves_out_earlier_runs(planted: Store) -> None:
    later = gather(planted, FIRST.timestamp() + 8 * 86_400)
    assert len(later.runs) == 4
    whole = gather(planted)
    assert 0 < later.total.articles < whole.total.articles
    # What came before is what the later runs are compared with.
    assert later.findings == whole.findings != []
    assert gather(planted, FIRST.timestamp() + 99 * 86_400).findings == []


def test_everything_of_a_page_is_escaped(tmp_path: Path) -> None:
    store = open_store("memory:")
    tally = SiteTally()
    for _ in range(30):
        tally.add_page(1.0, {"removed": {HOSTILE: 3}}, None)
        tally.add_article({"language": HOSTILE, "text": f"{HOSTILE} and some more words."}, 1.0)
    for url in (f"javascript:alert('{HOSTILE}')", f"https://a.example/{HOSTILE}"):
        tally.dropped.add(HOSTILE, url)
        tally.errors.add(HOSTILE, url)
    store.record_run(HOSTILE, 1.0, {"": {"name": HOSTILE, "ended": HOSTILE}, HOSTILE: tally.to_counts()})
    text = as_html(gather(store), HOSTILE)
    tree = lxml.html.fromstring(text)
    assert len(tree.xpath("//script")) == 1
    assert not tree.xpath("//img | //@onerror")
    assert not [link for link in tree.xpath("//@href") if link.startswith("javascript")]
    assert HOSTILE in tree.text_content()


def test_articles_without_runs_are_counted_by_day(tmp_path: Path) -> None:
    store = open_store("memory:")
    for number in range(3):
        article = {**article_of("T"), "word_count": 80}
        record = record_of(f"https://a.example/{number}", *story(number), FOOTER, site="a.example", article=article)
        store.record(record)
    harvest = gather(store)
    assert [(site.site, site.stored, site.tally.articles) for site in harvest.sites] == [("a.example", 3, 3)]
    assert "knows of no runs" in as_html(harvest, "memory:")
    assert gather(store, since=2_000_000_000.0).total.articles == 0


def test_publications_are_shown_up_to_today_or_up_to_the_newest() -> None:
    def chart_of(*days: str) -> list[tuple[str, int]]:
        harvest = Harvest(total=SiteTally(published=Counter(days)))
        charts = _charts(harvest, date(2026, 11, 18))
        return [(bar.label, bar.value) for chart in charts for bar in chart.bars]

    recent = chart_of("2026-11-10", "2026-11-10", "2026-11-12", "2020-01-01")
    assert (recent[0], recent[-1], len(recent)) == (("2026-11-10", 2), ("2026-11-18", 0), 9)
    assert chart_of("2020-01-01", "2020-01-03") == [("2020-01-01", 1), ("2020-01-02", 0), ("2020-01-03", 1)]
    assert chart_of("0001-01-02") == [("0001-01-02", 1)]
    assert chart_of() == []


def test_an_empty_store_has_a_report() -> None:
    assert "all well" in as_html(gather(open_store("memory:")), "memory:")


def test_the_file_does_not_grow_with_the_articles(planted: Store) -> None:
    more = open_store("memory:")
    plant(more, sites=12, articles=1800, runs=8)
    few, many = (len(as_html(gather(store), "store", now=2e9)) for store in (planted, more))
    assert many < 1.1 * few


def test_the_command_writes_it_and_names_trouble(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    store = open_store(url)
    plant(store, sites=10, articles=800, runs=12)
    store.close()
    assert main(["report", url, "-o", f"{tmp_path}/report.html"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^undated\.example: dates went missing: 0% of the articles", out, re.MULTILINE)
    assert out.splitlines()[-1].endswith(f"articles → {tmp_path}/report.html")
    assert (tmp_path / "report.html").stat().st_size > 10_000
    assert main(["report", f"sqlite:///{tmp_path}/none.db"]) == 1
    assert main(["report", url, "--since", "monday"]) == 2

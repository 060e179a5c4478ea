from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from lxml import html as lxml_html

from cleancrawl.cli import main
from cleancrawl.commands.diff_lines import diff_text, table_text
from cleancrawl.commands.terminal import Terminal
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.text.control_characters import is_clean
from cleancrawl.data import read_text
from cleancrawl.report.diff_report import Compared
from cleancrawl.report.text_diff import diff
from cleancrawl.stores.earlier_versions import keep_version
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Visit
from tests.extras import needs

URL = "https://news.example/bridge"
OLD = "The council voted to close the bridge.\nIt will cost 4 million euros."
NEW = "The council voted to close the old bridge.\nIt will cost 5 million euros."
EVIL = "\x1b]52;c;eA==\x07\x9b31m\u202e"
STORY = "".join(
    f"<p>The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, as"
    f" the harbour master said on Monday, but the ferries stayed in port for {number} hours.</p>"
    for number in range(3, 9)
)
PAGE = f"<title>A storm</title><ul>{'<li><a href=/x>Section</a></li>' * 20}</ul><h1>A storm</h1>{STORY}"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    (folder / "html").mkdir(parents=True)
    (folder / "a.html").write_text(PAGE)
    (folder / "html" / "b.html.gz").write_bytes(gzip.compress(PAGE.replace("storm", "flood").encode()))
    (folder / "html" / "c.htm").write_text("<p>.</p>")
    (folder / "notes.txt").write_text("no page")
    return folder


def line(version: int, text: str, url: str = URL) -> str:
    return json.dumps({"url": url, "title": "A bridge", "text": text, "version": version}) + "\n"


@pytest.fixture
def feed(tmp_path: Path) -> str:
    path = tmp_path / "feed.jsonl"
    other = line(1, "The same in both.", "https://news.example/other")
    path.write_text(line(1, OLD) + other + "\n" + line(2, NEW) + other.replace('"version": 1', '"version": 2'))
    return str(path)


def said(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    assert main(["compare", *arguments]) == code
    return capsys.readouterr().out


def test_two_recipes_on_a_page(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(["default", "line-block", str(pages / "a.html")], capsys).splitlines()
    assert shown[0].startswith("--- default: ")
    assert shown[1].startswith("+++ line-block: ")
    assert any(row.startswith("+ ") for row in shown)
    assert said(["default", "default", str(pages / "a.html")], capsys).splitlines()[-1] == "no word differs"


def test_two_models_on_a_page(pages: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = json.loads(read_text("model.json"))
    model["threshold"] = 2.0  # no block reaches it
    path = tmp_path / "strict.json"
    path.write_text(json.dumps(model))
    for way in (str(path), f"default+{path}", f"{path}:recall"):
        shown = json.loads(said(["default", way, str(pages / "a.html"), "--json"], capsys))
        assert shown["before"] > 100
        assert (shown["after"] == 0) == ("recall" not in way)
    assert main(["compare", "default", f"line-block+{path}", str(pages / "a.html")]) == 2
    assert "uses no model" in capsys.readouterr().err


def test_a_set_of_pages_is_a_table_of_what_changed_most(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = said(["default", "line-block", str(pages)], capsys).splitlines()
    assert shown[0].split() == ["page", "before", "after", "lost", "gained", "alike"]
    assert [Path(row.split()[0]).name for row in shown[1:-1]] == ["a.html", "b.html.gz"]
    assert shown[-1].startswith("default → line-block: 2 of 3 differ, ")
    rows = [json.loads(row) for row in said(["default", "line-block", str(pages), "--json"], capsys).splitlines()]
    assert [Path(row["page"]).name for row in rows] == ["a.html", "b.html.gz"]
    assert all(row["lost"] + row["gained"] > 0 for row in rows)
    listed = said(["default", "line-block", str(pages), "--most", "1"], capsys).splitlines()
    assert len(listed) == 3
    assert listed[-1].endswith("the 1 that changed most are listed")


def test_a_set_as_html_links_to_its_differences(pages: Path, tmp_path: Path) -> None:
    needs("jinja2", "report")
    output = tmp_path / "changes.html"
    assert main(["compare", "default", "line-block", str(pages), "-o", str(output)]) == 0
    report = lxml_html.document_fromstring(output.read_text("utf-8"))
    links = report.xpath("//table//a/@href")
    assert links == ["#p1", "#p2"]
    assert all(report.get_element_by_id(link[1:]) is not None for link in links)
    assert len(report.xpath("//ins")) > 1


def test_of_what_changed_less_only_the_counts_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("jinja2", "report")
    monkeypatch.setattr("cleancrawl.commands.compare.MOST_SHOWN", 2)
    monkeypatch.setattr("cleancrawl.report.diff_report.MOST_SHOWN", 2)
    old, new, output = tmp_path / "old.jsonl", tmp_path / "new.jsonl", tmp_path / "changes.html"
    urls = [f"https://news.example/{number}" for number in range(9)]
    old.write_text("".join(line(1, OLD, url) for url in urls))
    new.write_text("".join(line(2, NEW + " more" * number, url) for number, url in enumerate(urls)))
    shown = said([str(old), str(new), "-o", str(output)], capsys).splitlines()
    assert [row.split()[0] for row in shown[1:-2]] == urls[::-1]
    assert "9 of 9 differ, 9 words lost, 54 gained" in shown[-2]
    report = lxml_html.document_fromstring(output.read_text("utf-8"))
    assert len(report.xpath("//tbody/tr")) == 9
    assert report.xpath("//table//a/@href") == ["#p1", "#p2"]
    assert len(report.find_class("diff")) == 2


def test_pages_that_fail_are_told_and_the_others_compared(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pages / "broken.html.gz").write_bytes(b"no gzip")
    assert main(["compare", "default", "line-block", str(pages)]) == 1
    captured = capsys.readouterr()
    assert "broken.html.gz" in captured.err
    assert "2 of 3 differ" in captured.out


def test_versions_of_an_article(feed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = tmp_path / "feed.jsonl.gz"
    packed.write_bytes(gzip.compress(Path(feed).read_bytes()))
    place = f"sqlite:///{tmp_path / 'store.db'}"
    store = open_store(place)
    for number, text in enumerate((OLD, NEW), 1):
        before = store.article(URL)
        if before is not None:
            keep_version(store, before)
        record = json.loads(line(number, text))
        visit = Visit("news.example", URL, float(number))
        store.record(PageRecord(visit, Prints((), lambda indices: ()), number, article=record))
    store.close()
    expected = "~ It will cost [-4-]{+5+} million euros."
    for old in (f"{feed}@1", f"{feed}@previous", f"{place}@1", f"{place}@previous"):
        for new in (f"{feed}@2", feed, str(packed), place, f"{place}@2"):
            shown = said([old, new, "--article", URL], capsys)
            assert expected in shown
            assert "1 word lost, 2 gained" in shown
    assert main(["compare", feed, f"{place}@7", "--article", URL]) == 1
    assert "it has version 1, 2 of it" in capsys.readouterr().err
    # All that both have.
    assert "1 of 1 differ" in said([f"{place}@previous", place], capsys)
    shown = said([f"{feed}@1", f"{feed}@2"], capsys)
    assert "1 of 2 differ" in shown
    assert said([f"{feed}@1", place], capsys).splitlines()[-1].startswith(f"{feed}@1 → {place}: 1 of 1 differ")


def test_a_difference_as_html(feed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    needs("jinja2", "report")
    output = tmp_path / "diff.html"
    assert said([f"{feed}@1", feed, "--article", URL, "-o", str(output)], capsys) == f"{output}\n"
    report = lxml_html.document_fromstring(output.read_text("utf-8"))
    changed = report.xpath("//p[@class='changed']")
    assert [one.text_content() for one in changed[1].xpath("del | ins")] == ["4", "5"]
    assert report.xpath(f"//a[@href='{URL}']")
    assert not report.xpath("//script | //@style")


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["default", "line-block"], 2, "name the pages"),
        (["default", "no-such", "PAGE"], 2, "no-such"),
        (["default", "no-such.json", "PAGE"], 1, "no-such.json"),
        (["default", "FEED", "PAGE"], 2, "two ways to clean, or two places"),
        (["FEED", "FEED", "PAGE"], 2, "--article"),
        (["FEED", "FEED", "--article", "https://news.example/none"], 1, "no such article at"),
        (["FEED@1", "FEED@9"], 1, "in common"),
        (["default", "default", "PAGE", "--article", URL], 2, "--article"),
        (["default", "default", "PAGE", "PAGE", "--url", URL], 2, "--url"),
        (["default", "default", "-", "-"], 2, "standard input"),
        (["default", "default", "EMPTY"], 2, "no pages in"),
        (["default", "default", "PAGE", "--most", "0"], 2, "--most"),
        (["default", "default", "PAGE", "--json", "-o", "x.html"], 2, "--json"),
        (["default", "default", "no/such/page.html"], 1, "no/such/page.html"),
        (["BAD", "FEED"], 2, "line 1 is no article"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    arguments: list[str], code: int, error: str, pages: Path, feed: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.jsonl").write_text("[]\n")
    names = {
        "PAGE": pages / "a.html",
        "FEED": feed,
        "EMPTY": tmp_path / "empty",
        "BAD": tmp_path / "bad.jsonl",
        "FEED@1": f"{feed}@1",
        "FEED@9": f"{feed}@9",
    }
    assert main(["compare", *(str(names.get(argument, argument)) for argument in arguments)]) == code
    told = capsys.readouterr().err
    assert error in told
    assert told.count("\n") == 1


@pytest.mark.parametrize("terminal", [None, Terminal(colours=True, width=60)])
def test_nothing_of_a_text_commands_the_terminal(terminal: Terminal | None) -> None:
    found = Compared(f"page{EVIL}", f"title{EVIL}", diff(f"One{EVIL} two three\nfour{EVIL}", f"One{EVIL} five three"))
    names = (f"a{EVIL}", f"b{EVIL}")
    for shown in (diff_text(found, names, terminal), table_text([found], 1, names, 9, terminal)):
        bare = str(shown)
        for number in ("0", "1", "2", "31", "32", "9;31", "4;32"):
            bare = bare.replace(f"\033[{number}m", "")
        assert is_clean(bare)
        assert "\u202e" not in bare
        assert ("\033[" in shown) == (terminal is not None)

"""``cleancrawl archive`` on one machine, against one process that knows all pages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.errors import ConfigError
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.bulk_run import Summary
from cleancrawl.scale.archive.local_engine import LocalRun
from cleancrawl.scale.archive.part_work import DIED
from tests.scale.archive.deadly_recipes import FAILS, KILLS, KILLS_LATER, trapped
from tests.scale.archive.warc_files import (
    articles_in,
    by_one_process,
    comparable,
    copy_before,
    saved_site,
    story_pages,
    warc,
)
from tests.site.server import SampleSite
from tests.whole_post import whole_post


@pytest.fixture(scope="module")
def sample(served_site: SampleSite) -> list[SavedPage]:
    served_site.reset()
    return saved_site(served_site)


@pytest.fixture(scope="module")
def expected(sample: list[SavedPage]) -> list[dict[str, object]]:
    return comparable(by_one_process(sample))


def run(paths: list[Path], out: Path, part_pages: int = 256, **more: object) -> Summary:
    options = BulkOptions(**more)  # type: ignore[arg-type]
    return LocalRun(paths, out, options, part_pages=part_pages, on_trouble=lambda message: None).run()


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_the_result_is_that_of_one_process_that_knows_all_pages(
    parts: int, sample: list[SavedPage], expected: list[dict[str, object]], tmp_path: Path
) -> None:
    path = tmp_path / "site.warc.gz"
    path.write_bytes(warc(sample))
    html = [page for page in sample if page.headers.get("Content-Type", "").startswith("text/html")]
    summary = run([path], tmp_path / "out", -(-len(html) // parts))
    assert comparable(articles_in(tmp_path / "out")) == expected
    assert summary.articles == len(expected) > 20
    assert not summary.failed
    # Site knowledge had a part in it.
    assert any({"site-block", "site-slot"} & set(article["removed"]) for article in articles_in(tmp_path / "out"))


@pytest.fixture(scope="module")
def skewed() -> list[SavedPage]:
    """One site with nine tenths of the pages, among them copies of one page, and two stories on two sites."""
    pages = story_pages("big.example", 54) + [each for n in range(6) for each in story_pages(f"s{n}.example", 1)]
    copies = [replace(pages[3], url=f"{pages[3].url}?ref={number}", date=pages[3].date + 500) for number in range(3)]
    stolen = replace(pages[7], url="https://other.example/2026/11/stolen-story", date=pages[7].date + 900)
    return [*pages[::2], *copies, *pages[1::2], stolen, copy_before(pages[9])]


@pytest.fixture(scope="module")
def expected_of_skewed(skewed: list[SavedPage]) -> list[dict[str, object]]:
    return comparable(by_one_process(skewed))


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_one_site_with_nine_tenths_of_the_pages(
    parts: int, skewed: list[SavedPage], expected_of_skewed: list[dict[str, object]], tmp_path: Path
) -> None:
    # Several files: the borders of files are borders of parts.
    paths = [tmp_path / f"{number}.warc.gz" for number in range(parts)]
    for number, path in enumerate(paths):
        path.write_bytes(warc(skewed[number * len(skewed) // parts : (number + 1) * len(skewed) // parts]))
    summary = run(paths, tmp_path / "out")
    found = articles_in(tmp_path / "out")
    assert comparable(found) == expected_of_skewed
    assert summary.duplicates == 5
    # The copy was there first, and names the original.
    taken = next(article for article in found if article["site"] == "agency.example")
    assert taken["duplicate_of"] == story_pages("big.example", 1, 9)[0].url
    stolen = next(article for article in found if article["site"] == "other.example")
    assert stolen["duplicate_of"] == story_pages("big.example", 1, 7)[0].url
    assert all(article["removed"].get("site-block") for article in found if article["site"] == "big.example")
    card = json.loads((tmp_path / "out/card.json").read_text())
    assert (card["articles"], card["duplicates"], card["sites"]["big.example"]) == (65, 5, 57)
    assert json.loads((tmp_path / "out/manifest.json").read_text())["summary"]["articles"] == 65
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        *("articles", "card.json", "card.md", "failed.jsonl", "manifest.json")
    ]


def test_the_newest_of_pages_with_one_address_counts(tmp_path: Path) -> None:
    old, *others = story_pages("a.example", 5)
    new = replace(old, body=old.body.replace(b"On that day", b"The other day"), date=old.date + 10)
    path = tmp_path / "a.warc"
    path.write_bytes(warc([new, old, *others], packed=False))
    summary = run([path], tmp_path / "out", part_pages=1)
    found = articles_in(tmp_path / "out")
    assert len(found) == 5
    assert "The other day" in found[0]["text"]
    assert summary.dropped == {"fetched-again": 1}
    assert comparable(found) == comparable(by_one_process([new, *others]))


def test_pages_that_quote_a_part_of_an_article_take_nothing_from_it(tmp_path: Path) -> None:
    pages = story_pages("a.example", 9)
    quoted = [f"<p>{part}</p>".encode() for part in re.findall("<p>(On that.*?)</p>", pages[0].body.decode())[2:4]]
    # Four of the others show two of its paragraphs behind their own.
    posts = [replace(page, body=page.body.replace(b"<p>Read", b"".join(quoted) + b"<p>Read")) for page in pages[5:]]
    saved = [*posts, *pages[:5]]
    path = tmp_path / "a.warc"
    path.write_bytes(warc(saved, packed=False))
    run([path], tmp_path / "out", part_pages=2)
    found = articles_in(tmp_path / "out")
    assert comparable(found) == comparable(by_one_process(saved))
    lines = found[0]["text"].splitlines()
    assert all(part.decode()[3:-4] in lines for part in quoted)


def test_what_a_page_is_can_be_read_off_its_source_in_the_second_pass(tmp_path: Path) -> None:
    """A front page of whole posts, and one that needs a browser: nothing but their source says so."""
    stories = story_pages("blog.example", 6)
    posts = "".join(
        f"<article class=hentry><h2><a href=/{topic}>The {topic} is back</a></h2>{whole_post(topic)}</article>"
        for topic in ("ferry", "harbour", "storm")
    )
    body = f"<html lang=en><head><title>Notes from the pier</title></head><body>{posts}</body></html>"
    index = replace(stories[0], url="https://blog.example/notes-about-the-harbour-and-the-sea", body=body.encode())
    shell = b'<title>News</title><div id="root"></div><script src="/main.js"></script>'
    app = replace(stories[0], url="https://blog.example/app/story-of-the-day", body=shell)
    pages = [*stories, index, app]
    path = tmp_path / "blog.warc.gz"
    path.write_bytes(warc(pages))
    summary = run([path], tmp_path / "out")
    assert comparable(articles_in(tmp_path / "out")) == comparable(by_one_process(pages))
    assert {index.url, app.url}.isdisjoint(str(article["url"]) for article in articles_in(tmp_path / "out"))
    assert summary.dropped == {"listing": 1, "needs-browser": 1}


@pytest.mark.parametrize("posts", [6, 30])
def test_pages_of_another_section_take_nothing_from_an_article(posts: int, tmp_path: Path) -> None:
    victim, *news = story_pages("a.example", 3)
    parts = re.findall("<p>On that.*?</p>", victim.body.decode())
    quoted = "".join([parts[0], *parts[-2:]]).encode()
    saved = [replace(page, url=page.url.replace("/2026/", "/news/")) for page in (victim, *news)]
    for page in story_pages("a.example", posts, start=10):
        body = page.body.replace(b"<p>Read", quoted + b"<p>Read")
        saved.append(replace(page, url=page.url.replace("/2026/", "/blog/"), body=body))
    path = tmp_path / "a.warc"
    path.write_bytes(warc(saved, packed=False))
    expected = comparable(by_one_process(saved))
    for number in (1, 2, 7):
        out = tmp_path / f"out-{number}"
        run([path], out, part_pages=-(-len(saved) // number))
        assert comparable(articles_in(out)) == expected
    text = next(article["text"] for article in expected if "/news/11/00000" in str(article["url"]))
    assert set(str(text).splitlines()) >= {part[3:-4] for part in parts}


class Interruption(Exception):
    """Instead of a signal, at a known moment."""


@pytest.mark.parametrize("moment", ["bytes 2", "steps 1", "steps 3", "parts 3", "parts 6"])
def test_what_is_done_is_not_done_again(
    moment: str, skewed: list[SavedPage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(skewed[:20]))
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    LocalRun([path], whole, part_pages=4).run()
    counted: list[str] = []

    def stop(what: str, more: int, total: int) -> None:
        counted.append(what)
        if f"{what} {counted.count(what)}" == moment:
            raise Interruption

    with pytest.raises(Interruption):
        LocalRun([path], cut, part_pages=4, on_progress=stop).run()
    times = {file.name: file.stat().st_mtime_ns for file in (cut / ".unfinished").glob("*-0*.facts")}
    assert times
    assert not (cut / "card.md").exists()
    read: list[str] = []
    again = LocalRun([path], cut, part_pages=4, on_progress=lambda what, more, total: read.append(what))
    monkeypatch.setattr("cleancrawl.scale.archive.local_engine.shutil.rmtree", lambda root: None)
    assert again.run() == LocalRun([path], whole, part_pages=4).run()
    for name, changed in times.items():
        assert (cut / ".unfinished" / name).stat().st_mtime_ns == changed
    assert ("bytes" in read) == moment.startswith("bytes")
    assert articles_in(cut) == articles_in(whole)


def test_killed_and_started_again(
    skewed: list[SavedPage], expected_of_skewed: list[dict[str, object]], tmp_path: Path
) -> None:
    path, out = tmp_path / "a.warc.gz", tmp_path / "out"
    path.write_bytes(warc(skewed * 6))
    command = [sys.executable, "-m", "cleancrawl", "archive", str(path), "-o", str(out), "--jobs", "1"]
    work, kills = out / ".unfinished", 0
    for wanted in ("first-000000.facts", "second-000000.found"):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (work / wanted).exists():
            time.sleep(0.01)
        kills += process.poll() is None
        process.kill()
        process.wait()
    assert kills
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "65 articles" in done.stdout
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.stdout == done.stdout
    assert comparable(articles_in(out)) == expected_of_skewed


def test_a_record_that_fails_or_kills_is_told_and_the_others_are_cleaned(tmp_path: Path) -> None:
    pages = story_pages("a.example", 8)
    for number, word in ((2, FAILS), (4, KILLS), (5, KILLS_LATER)):
        pages[number] = replace(pages[number], body=pages[number].body.replace(b"<title>", f"<title>{word} ".encode()))
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(pages))
    options = BulkOptions(recipe=f"{trapped.__module__}.trapped")
    summary = LocalRun([path], tmp_path / "out", options, jobs=2).run()
    failed = [json.loads(line) for line in (tmp_path / "out/failed.jsonl").read_text().splitlines()]
    assert [(each["url"], each["step"], each["reason"]) for each in failed] == [
        (pages[2].url, "first pass", "RuntimeError: a stage of mine failed"),
        (pages[4].url, "first pass", DIED),
        (pages[5].url, "second pass", DIED),
    ]
    assert {(each["archive"], each["record"]) for each in failed} == {(str(path), number) for number in (2, 4, 5)}
    assert (summary.failed, summary.articles, summary.pages) == (3, 5, 8)


def test_of_an_archive_that_breaks_off_the_rest_is_used(tmp_path: Path) -> None:
    pages = story_pages("a.example", 6)
    whole, packed = tmp_path / "whole.warc", tmp_path / "packed.warc.zst"
    whole.write_bytes(warc(pages[:3], packed=False) + warc(pages[3:4], packed=False)[:-300])
    packed.write_bytes(zstandard.compress(warc(pages[4:], packed=False)))
    told: list[str] = []
    summary = LocalRun([whole, packed], tmp_path / "out", on_trouble=told.append).run()
    assert summary.articles == 5
    (message,) = summary.troubles
    assert told == [message]
    assert f"{whole} breaks off at byte" in message
    assert LocalRun([whole, packed], tmp_path / "out").run().troubles == [message]


def test_other_formats_and_recipes(skewed: list[SavedPage], tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(skewed[:8]))
    run([path], tmp_path / "rendered", formats=("markdown", "html"))
    expected = by_one_process(skewed[:8], BulkOptions(formats=("markdown", "html")))
    assert comparable(articles_in(tmp_path / "rendered")) == comparable(expected)
    assert expected[0]["markdown"]
    for recipe in ("line-block", "site-template", f"{trapped.__module__}.trapped"):
        run([path], tmp_path / recipe, recipe=recipe, only_articles=False)
        expected = by_one_process(skewed[:8], BulkOptions(recipe=recipe, only_articles=False))
        assert comparable(articles_in(tmp_path / recipe)) == comparable(expected)


def test_another_run_does_not_go_on_in_the_same_directory(skewed: list[SavedPage], tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(skewed[:2]))
    run([path], tmp_path / "out")
    with pytest.raises(ConfigError, match="belongs to a run with other options"):
        run([path], tmp_path / "out", min_words=10)
    with pytest.raises(ConfigError, match="is not empty"):
        run([path], tmp_path)
    (tmp_path / "out/manifest.json").write_text("[")
    with pytest.raises(ConfigError, match="is damaged"):
        run([path], tmp_path / "out")


def test_duplicates_are_left_out_where_that_is_asked_for(skewed: list[SavedPage], tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(skewed))
    summary = run([path], tmp_path / "out", drop_duplicates=True)
    assert (summary.articles, summary.duplicates) == (60, 5)
    assert not any(article["duplicate_of"] for article in articles_in(tmp_path / "out"))

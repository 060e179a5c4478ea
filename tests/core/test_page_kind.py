from __future__ import annotations

import urllib.request

import pytest

from cleancrawl import clean
from cleancrawl.core.metadata.extract import Metadata
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import Verdict, decide, features
from tests.site import manifest
from tests.site.manifest import Entry
from tests.site.server import SampleSite

HTML_KINDS = {"article", "listing", "video", "empty", "static", "search", "login"}
ENTRIES = [entry for entry in manifest.pages() if entry.kind in HTML_KINDS and entry.status == 200]


def judged(site: SampleSite, entry: Entry) -> Verdict:
    url = (site.a if entry.portal == "a" else site.b).rstrip("/") + entry.path
    with urllib.request.urlopen(url) as answer:
        document = clean(answer.read(), url)
    return decide(document.page, document.metadata)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.portal}{entry.path}")
def test_the_kinds_of_the_sample_site_are_told_apart(sample_site: SampleSite, entry: Entry) -> None:
    verdict = judged(sample_site, entry)
    assert verdict.is_article == (entry.kind == "article"), verdict
    if entry.kind in ("video", "empty", "search", "login"):
        assert verdict.reason == entry.kind


def test_a_page_without_an_address_can_be_judged() -> None:
    document = clean("<h1>A story of the coast</h1>" + "<p>" + "The storm came over the hills at night. " * 12 + "</p>")
    assert 0 <= decide(document.page, document.metadata).score <= 1


def test_a_short_page_with_a_video_is_called_one() -> None:
    document = clean("<p>Watch the storm as it comes in.</p>", "https://a.example/video/storm")
    assert decide(document.page, document.metadata).reason in ("video", "empty")


def test_broken_addresses_give_no_facts_and_no_error() -> None:
    assert "url-root" not in features(Page("<p>x", "http://[broken"), Metadata())

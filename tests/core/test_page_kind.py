from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl import clean
from cleancrawl.core import page_kind
from cleancrawl.core.metadata.metadata import Metadata
from cleancrawl.core.page import Page
from cleancrawl.core.page_kind import Verdict, decide, features, features_again
from tests.site import manifest
from tests.site.manifest import Entry
from tests.site.server import SampleSite
from tests.twins import twins

HTML_KINDS = {"article", "listing", "video", "empty", "static", "search", "login"}
ENTRIES = [entry for entry in manifest.pages() if entry.kind in HTML_KINDS and entry.status == 200]


STORY = "<h1>A storm hits the northern coast</h1>" + "".join(
    f"<p>The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, but"
    f" the ferries stayed in port for {number} hours, as the harbour master said on Monday.</p>"
    for number in range(3, 9)
)

_signs = twins(page_kind.sentence_signs_in_python, "text_signs", "sentence_signs")
PRICE = re.compile(r"[$€£¥]\s?\d|\d\s?[$€£¥]")


@given(st.text(alphabet="$€¥£ \n57a", max_size=20))
def test_prices_are_found_from_their_signs_as_by_a_pattern(text: str) -> None:
    assert page_kind._prices(text) == len(PRICE.findall(text))


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
    document = clean(f"<title>A storm hits the northern coast</title>{STORY}")
    verdict = decide(document.page, document.metadata)
    assert verdict.is_article, verdict
    assert 0.5 < verdict.score < 1
    assert not any(name.startswith("url-") for name in features(document.page, document.metadata))


@pytest.mark.parametrize("recipe", ["default", "core-content"])
def test_no_page_without_an_address_is_called_a_front_page(recipe: str) -> None:
    for html in (STORY, "<p>Short.</p>", "", "<ul>" + "<li><a href=/a>One story of many</a></li>" * 40 + "</ul>"):
        document = clean(html, recipe=recipe)
        assert decide(document.page, document.metadata).reason != "front-page"


def test_an_address_that_the_page_states_is_better_than_none() -> None:
    canonical = '<link rel="canonical" href="https://a.example/{}">'
    alone = clean(STORY)
    stated = clean(canonical.format("2026/03/14/a-storm-hits-the-northern-coast") + STORY)
    known = clean(STORY, "https://a.example/2026/03/14/a-storm-hits-the-northern-coast")
    scores = [decide(document.page, document.metadata).score for document in (alone, stated, known)]
    assert scores[0] < scores[1]
    assert features(stated.page, stated.metadata)["url-date"] == features(known.page, known.metadata)["url-date"] == 1
    # Many sites state their front page on all pages.
    front = clean(canonical.format("") + STORY)
    assert decide(front.page, front.metadata).reason != "front-page"


def test_the_front_page_is_told_by_its_address() -> None:
    document = clean(STORY, "https://a.example/")
    assert decide(document.page, document.metadata).reason == "front-page"


def test_a_short_page_with_a_video_is_called_one() -> None:
    document = clean("<p>Watch the storm as it comes in.</p>", "https://a.example/video/storm")
    assert decide(document.page, document.metadata).reason in ("video", "empty")


def test_broken_addresses_give_no_facts_and_no_error() -> None:
    assert "url-root" not in features(Page("<p>x", "http://[broken"), Metadata())


@pytest.mark.parametrize("same_text", [True, False])
def test_facts_of_a_page_that_is_judged_again_are_those_of_its_blocks_now(same_text: bool) -> None:
    document = clean(f"<title>Storm</title>{STORY}", "https://a.example/2026/11/storm-hits-coast")
    page, metadata = document.page, document.metadata
    before = features(page, metadata)
    page.kept[-1].score = 0.5
    if not same_text:
        page.kept[-2].remove("secondary", "site-block")
    again = features_again(before, page, same_text=same_text)
    assert list(again.items()) == list(features(page, metadata).items())
    assert again["mean-score"] != before["mean-score"]
    assert decide(page, metadata, facts=again) == decide(page, metadata)


@pytest.mark.parametrize("signs", _signs)
def test_what_ends_sentences_is_counted(signs: Callable[[str], tuple[int, int]]) -> None:
    assert signs("One. Two!\tThree.Four… five.\nSix? Seven.") == (4, 1)
    assert signs("五。六！？ 七۔ ।؟\ud800") == (4, 2)
    assert signs("😀. 五。") == (2, 0)
    assert signs("") == signs("none") == (0, 0)


@given(st.text(st.sampled_from(".!…? \t\n\r。！？؟۔।aéж北😀\ud800")))
def test_both_ways_to_count_them_agree(text: str) -> None:
    python, *compiled = (count(text) for (count,) in (one.values for one in _signs) if count)
    assert all(found == python for found in compiled)

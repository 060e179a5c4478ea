from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.features.facts import page_facts
from cleancrawl.methods.learned.features.page_features import feature_sheet

SENTENCE = "The council decided on Monday, after a long debate, to rebuild the old bridge over the river. "
PAGE = f"""<html lang=en><title>Old bridge</title><body><nav><a href=/>Home</a></nav>
<div class=story><h1>Old bridge</h1><p>{SENTENCE}</p><p>{SENTENCE * 2}</p><p>{SENTENCE}</p></div>
<div class="related box"><h3>Read more</h3><ul><li><a href=/1>Another story of the town</a></ul></div></body></html>"""


def segment(html: str) -> Page:
    page = Page(html)
    TextBlocks()(page)
    return page


def columns(html: str) -> tuple[Page, dict[str, list[float]]]:
    page = segment(html)
    sheet = feature_sheet(page)
    return page, dict(zip(sheet.names, sheet.rows.tolist(), strict=True))


def test_main_container_and_hints() -> None:
    page, found = columns(PAGE)
    texts = [block.text for block in page.blocks]
    paragraph, teaser = texts.index(SENTENCE.strip()), texts.index("Another story of the town")
    assert (found["in half"][paragraph], found["in half"][teaser]) == (1, 0)
    assert found["under related"][teaser] == 1
    assert found["heading says related"][teaser] == 1
    assert found["says related"][texts.index("Read more")] == 1
    assert found["link density"][teaser] == 1
    assert found["repeats"][texts.index(SENTENCE.strip(), paragraph + 1)] == 1
    assert found["in title"][texts.index("Old bridge")] == 1


def test_names_are_unique_and_the_same_on_every_page() -> None:
    names = feature_sheet(segment(PAGE)).names
    assert len(set(names)) == len(names)
    for html in (
        "a1",
        "<p>a1</p>",
        "<div>" * 300 + "x1",
        "<h1>t1</h1><p>北京欢迎你。</p>",
        "<p>𝐀𝐁 İstanbul Straße 1</p>",
    ):
        sheet = feature_sheet(segment(html))
        assert sheet.names == names
        assert sheet.rows.shape == (len(names), len(segment(html).blocks))


def test_groups_cover_all_columns() -> None:
    sheet = feature_sheet(segment(PAGE))
    covered = [column for columns in sheet.groups.values() for column in columns]
    assert covered == list(range(len(sheet.names)))


def test_article_body_of_json_ld() -> None:
    body = SENTENCE * 6
    data = f'<script type="application/ld+json">{{"articleBody": "{body}"}}</script>'
    html = f"{data}<p>{SENTENCE}</p><p>Other words here now</p>"
    _, found = columns(html)
    assert found["in body"] == [1, 0]


@pytest.mark.parametrize("text", ["one two. three", "北京欢迎你。再见", "a" * 500, "x1 " * 400])
def test_words_are_counted_in_any_script(text: str) -> None:
    facts = page_facts(segment(f"<p>{text}</p>"))
    assert facts.words.tolist() == [pytest.approx(segment(f"<p>{text}</p>").blocks[0].words, abs=1)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.one_of(st.text(max_size=20), st.sampled_from(["<p>", "</p>", "<div class=ad>", "<li>", "<h2>", "<a>"])))
)
def test_any_page_gives_finite_features(pieces: list[str]) -> None:
    page = segment("".join(pieces))
    if page.blocks:
        assert np.isfinite(feature_sheet(page).rows).all()

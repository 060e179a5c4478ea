"""A user's rules for a site, on pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cleancrawl import Block, Cleaner, ConfigError, Document, Page, Recipe, clean
from cleancrawl.core.rules.selectors import compile_selector
from cleancrawl.core.site_corrections import ruled_blocks
from cleancrawl.methods.learned import recipe as default
from cleancrawl.recipes import RECIPES
from cleancrawl.report.page_report import explain
from cleancrawl.site_rules_file import with_site_rules
from tests.growth import about_linear
from tests.soundness import flaws

URL = "https://www.example.com/storm"
STORY = "A storm hit the coast on Monday, and nobody was hurt, the mayor of the small town said. "
HTML = f"""<html><title>Storm</title><body><div class=kicker>By the sea</div><article><p>{STORY * 3}</p>
<p class=promo>Our book tells the whole story of all the storms that have ever hit the coast of our country.</p>
<aside class=box>Around the facts<div class=facts>Wind: 90 knots</div></aside><p>{STORY[::-1] * 3}</p></article>"""


def cleaned(html: str, url: str | None = URL, recipe: str | Recipe = "default", **rules: Any) -> Document:
    return clean(html, url, recipe, site_rules={"example.com": rules})


def kept(document: Document) -> list[str]:
    return [block.text for block in document.page.kept]


def test_what_is_kept_comes_back_and_what_is_dropped_goes() -> None:
    plain = clean(HTML, URL)
    assert "By the sea" not in plain.text
    assert "Our book" in plain.text
    document = cleaned(HTML, keep=[".kicker"], drop=[".promo"])
    assert document.text.startswith("By the sea\n")
    assert "Our book" not in document.text
    dropped = next(block for block in document.blocks if "Our book" in block.text)
    assert str(dropped.removed) == "primary: site-drop (.promo)"
    report = explain(document)
    assert "site-keep (.kicker)" in report
    assert 'data-rule="site-drop"' in report
    assert '<span class="evidence" dir="auto">.promo</span>' in report


@pytest.mark.parametrize("url", [None, "https://example.org/storm"])
def test_pages_of_other_sites_cost_nothing_and_stay_as_they_are(url: str | None) -> None:
    document = cleaned(HTML, url, drop=["p"])
    assert document.text == clean(HTML, url).text
    assert not document.page.has_tree


def test_the_inner_element_decides_and_on_the_same_one_keep() -> None:
    document = cleaned(HTML, keep=[".facts"], drop=[".box"])
    assert "Wind: 90 knots" in kept(document)
    assert "Around the facts" not in kept(document)
    document = cleaned(HTML, keep=["article"], drop=[".facts"])
    assert "Wind: 90 knots" not in kept(document)
    assert "Around the facts" in kept(document)
    assert "Wind: 90 knots" in kept(cleaned(HTML, keep=[".facts"], drop=["div.facts"]))


def test_a_block_goes_with_half_of_its_text_and_stays_with_any() -> None:
    html = f"<p>{STORY * 3}</p><p>{STORY}<span class=x>A credit</span></p><p>By <span class=x>a photographer</span></p>"
    assert [block.removed is None for block in cleaned(html, drop=[".x"]).blocks] == [True, True, False]
    assert all(block.kept for block in cleaned(html, keep=[".x"]).blocks)


def test_keep_wins_over_what_is_known_of_the_site_and_over_hiding() -> None:
    banner = "<div class=motto hidden>All the news of the coast, every day and every night of the whole year.</div>"
    with Cleaner(site_rules={"example.com": {"keep": [".motto"]}}) as cleaner, Cleaner() as plain:
        for number in range(6):
            html = f"{banner}<p>{f'Story {number} tells at some length what happened in town {number} then. ' * 5}</p>"
            document, other = (one.clean(html, f"https://example.com/{number}") for one in (cleaner, plain))
    assert document.page.known is not None
    assert document.page.known.pages[0] > 3
    assert "All the news" in document.text
    assert "All the news" not in other.text


def test_of_two_copies_the_one_that_is_not_dropped_stays() -> None:
    body = f"<p>{STORY * 3}</p><p>{STORY[::-1] * 3}</p>"
    html = f"<div class=first>{body}</div><div class=second>{body}</div>"
    assert [block.kept for block in cleaned(html, drop=[".first"]).blocks] == [False, False, True, True]


@dataclass(frozen=True, slots=True)
class Contrary:
    """A stage of somebody's own that removes all that is kept and takes back all that is removed."""

    def __call__(self, page: Page) -> None:
        for block in page.blocks:
            if block.removed is None:
                block.remove("score", "contrary")
            else:
                block.removed = None


def test_no_stage_comes_after_the_rules() -> None:
    own = replace(default(), score=(*default().score, Contrary()))
    document = cleaned(HTML, recipe=own, keep=["p"], drop=[".promo"])
    assert [block.kept for block in document.blocks if block.tag == "p"] == [True, True, True]
    document = cleaned(HTML, recipe=own, drop=[".promo"])
    assert [block.kept for block in document.blocks if block.tag == "p"] == [False, False, False]


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_with_text_blocks_take_rules_and_others_refuse_them(name: str) -> None:
    if name in ("default", "shallow-features"):
        assert "Wind: 90 knots" in cleaned(HTML, recipe=name, keep=[".facts"]).text
    else:
        with pytest.raises(ConfigError, match=f"the recipe {name} makes no text blocks, which site rules need"):
            cleaned(HTML, recipe=name, keep=[".facts"])


def test_wrong_rules_are_refused_where_they_are_given(tmp_path: Path) -> None:
    for use in (lambda rules: clean("", site_rules=rules), lambda rules: Cleaner(site_rules=rules)):
        with pytest.raises(ConfigError, match=r"site rules: \[a.example\] keep: 'p\[' is no CSS selector"):
            use({"a.example": {"keep": ["p["]}})
        with pytest.raises(ValueError, match="cannot be read"):
            use(tmp_path / "none.toml")
    assert with_site_rules(default(), None) == default()


@pytest.mark.parametrize("piece", ["<p>One, two.</p>", "<div><b>One, two.</b></div>", "<div><p class=x>One"])
def test_the_cost_is_linear(piece: str) -> None:
    rules = tuple(map(compile_selector, ("p + p", "div div b", ".x ~ .x p", "div > p")))

    def work(html: str) -> None:
        page = Page(html, URL)
        page.blocks = [Block("", 0, 0, "p")]
        ruled_blocks(page, rules[:2], rules[2:])

    assert about_linear(work, lambda size: piece * size, 8_000)


@pytest.mark.parametrize(
    "html",
    [
        "",
        "text alone",
        "<p>a</p>" * 30_000,
        "<div>" * 1900 + STORY,
        "<p>Before</p>" + "<div>" * 10_000 + STORY + "</div>" * 10_000 + "<p>After</p>",
        "<b><p>" * 500 + STORY,
        f"<p {' '.join(f'a{number}=x' for number in range(2000))}>{STORY}</p>",
        "<p>a\ud800b\x00c</p><fb:like>One</fb:like><svg:p>x</svg:p><p class=x>Two words",
        "<!-- <p>",
        "<p>Short</p><noscript>" + f"<p>{STORY}</p>" * 60,
    ],
    ids=["empty", "text", "wide", "deep", "deeper", "bold", "attributes", "odd", "comment", "noscript"],
)
def test_hostile_pages(html: str) -> None:
    document = cleaned(html, keep=["p", "div div div p", "p + p"], drop=["div > div", "b p:nth-child(1)", ".x"])
    assert not flaws(document)
    document.markdown  # noqa: B018

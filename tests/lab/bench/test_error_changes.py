from __future__ import annotations

from pathlib import Path

import pytest

from cleancrawl.lab.bench.datasets import GoldPage
from cleancrawl.lab.bench.error_changes import changes, false_kinds, lost_kinds
from cleancrawl.lab.bench.text_places import Places, places_of
from tests.lab.bench.conftest import ARTICLE, SECOND

STANDFIRST = "After years of quarrels the town finds a way to cross its stream again"
ITEM = "Two lanes for bicycles and one for carts"
NOISE = {
    "comments": ("<ol class=comment-list><li>{}</li></ol>", "My uncle says it should have been painted green instead."),
    "caption or credit": ("<figcaption>{}</figcaption>", "The old bridge, seen from the mill on a summer day"),
    "other articles": ("<div class=related-posts><p>{}</p></div>", "A farmer in the next valley grows tea, he says."),
    "menu": ("<nav>{}</nav>", "News of the town and of the county"),
    "newsletter, donation, paywall": ("<p>{}</p>", "Sign up to our weekly newsletter for more"),
    "other text after the end": ("<p>{}</p>", "A wholly different story of a lost cat begins down here, it seems."),
}
BODY = f"<p>{STANDFIRST}</p><p>{ARTICLE}</p><ul><li>{ITEM}</li></ul><p>{SECOND}</p>"
HTML = (
    f"<html><head><title>New bridge for Aldbury</title></head><body><article><h1>New bridge for Aldbury</h1>{BODY}"
    f"</article>{''.join(form.format(text) for form, text in NOISE.values())}</body></html>"
)
GOLD = "\n".join([STANDFIRST, ARTICLE, ITEM, SECOND])


@pytest.fixture
def page(tmp_path: Path) -> GoldPage:
    path = tmp_path / "page.html"
    path.write_text(HTML, encoding="utf-8")
    return GoldPage("set", "page", path, text=GOLD)


@pytest.mark.parametrize("kind", NOISE)
def test_false_text_by_its_place_and_its_words(page: GoldPage, kind: str) -> None:
    found = false_kinds(f"{GOLD}\n{NOISE[kind][1]}", GOLD, places_of(page))
    assert [name for name, _ in found] == [kind]


def test_the_headline_and_a_second_copy(page: GoldPage) -> None:
    found = false_kinds(f"New bridge for Aldbury\n{GOLD}\n{ARTICLE}", GOLD, places_of(page))
    assert [name for name, _ in found] == ["headline again", "second copy"]


def test_lost_text_by_its_place(page: GoldPage) -> None:
    places = places_of(page)
    assert [kind for kind, _ in lost_kinds(ARTICLE, GOLD, places)] == ["standfirst or opening", "list item", "ending"]
    assert lost_kinds("", GOLD, places) == [("the whole article", 89)]
    assert lost_kinds(GOLD, GOLD, places) == lost_kinds("", "", Places("")) == []


def test_two_texts_side_by_side(page: GoldPage) -> None:
    menu = NOISE["menu"][1]
    table = changes([page], {"before": {"page": f"{GOLD}\n{menu}"}, "after": {"set/page": GOLD}})
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines() if row]
    assert ["words of false text", "set: before, after"] in rows
    assert ["menu", "8, 0"] in rows
    assert rows[-1] == ["all", "0, 0"]

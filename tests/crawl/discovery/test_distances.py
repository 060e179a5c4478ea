from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.crawl.discovery import distances as module
from cleancrawl.crawl.discovery.distances import Distances

DEPTH = 2
Graph = dict[str, list[str]]

NAMES = [f"page{number}" for number in range(7)]
names = st.sampled_from(NAMES)
graphs = st.fixed_dictionaries({name: st.lists(names, min_size=1, max_size=2) for name in NAMES})


def walk(links: Graph, moved: dict[str, str], listed: list[str], choices: list[int], depth: int = DEPTH) -> set[str]:
    """The pages that a crawl asks for, if the answers come in an order that ``choices`` decide."""
    distances = Distances(depth)
    asked = dict(distances.reach("page0", 0))
    # A sitemap is one of the answers.
    waiting = ["sitemap", *asked]
    seen = set(asked)
    for choice in [*choices, *[0] * 1000]:
        if not waiting:
            break
        url = waiting.pop(choice % len(waiting))
        if url == "sitemap":
            found = [page for name in listed for page in distances.reach(name, depth)]
        else:
            place = moved.get(url, url)
            found = distances.read(url, asked[url], links.get(place, []), place)
            if place in waiting:  # asked for once, whether by its own name or by a redirect
                waiting.remove(place)
            seen.add(place)
            asked.setdefault(place, asked[url])
        for page, distance in found:
            if page not in seen:
                seen.add(page)
                asked[page] = distance
                waiting.append(page)
    assert not waiting
    return seen


@settings(deadline=None, max_examples=200)
@given(
    graphs,
    st.dictionaries(names.filter(lambda name: name != "page0"), names, max_size=2),
    st.lists(names, min_size=1, max_size=3),
    st.lists(st.integers(0, 7), min_size=5, max_size=20),
)
def test_the_same_pages_in_any_order(
    links: Graph, moved: dict[str, str], listed: list[str], choices: list[int]
) -> None:
    moved = {source: target for source, target in moved.items() if target not in moved}
    assert walk(links, moved, listed, choices) == walk(links, moved, listed, [1])


def test_a_listed_page_that_was_read_first_is_followed_when_a_link_to_it_is_found() -> None:
    links = {"page0": ["page1"], "page1": ["page2"], "page2": ["page3"], "page3": ["page4"]}
    for choices in ([], [0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]):
        assert walk(links, {}, ["page1", "page2"], choices, depth=3) == {"page0", "page1", "page2", "page3"}


def test_a_page_that_has_moved_is_as_near_as_its_old_address() -> None:
    distances = Distances(2)
    distances.reach("old", 2)
    assert distances.read("old", 2, ["link"], place="new") == []
    assert distances.reach("old", 1) == [("link", 2)]


def test_the_next_page_of_a_listing_is_as_near_when_the_listing_comes_nearer() -> None:
    distances = Distances(2)
    distances.reach("https://a.example/sport", 2)
    assert distances.read("https://a.example/sport", 2, ["https://a.example/sport?page=2", "https://a.example/s"]) == []
    assert distances.reach("https://a.example/sport", 1) == [
        ("https://a.example/sport?page=2", 1),
        ("https://a.example/s", 2),
    ]


def test_links_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 1)
    distances = Distances(2)
    for name in ("first", "second"):
        distances.reach(name, 2)
        distances.read(name, 2, [f"{name}-link"])
    assert distances.reach("second", 1) == []
    assert distances.reach("first", 1) == [("first-link", 2)]

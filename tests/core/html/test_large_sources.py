"""What a large page is read with: texts in one piece, trees with a bounded number of attributes."""

from __future__ import annotations

import pytest

from cleancrawl.core.html import dom, head
from cleancrawl.core.html.dom import ATTRIBUTES_OF_A_TREE, parse_tree

PAGE = "<html><body><p>a < b &amp; c<!-- x -->d &lt;i&gt;<br>e<</p>f</body></html>"


class Noted:
    """A parser target that notes what it is told."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        self.events.append(("start", tag))

    def end(self, tag: str) -> None:
        self.events.append(("end", tag))

    def data(self, data: str) -> None:
        self.events.append(("data", data))

    def close(self) -> None:
        pass


class NotedComments(Noted):
    def comment(self, text: str) -> None:
        self.events.append(("comment", text))


def joined(events: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Events with neighbouring texts in one."""
    found: list[tuple[str, str]] = []
    for kind, value in events:
        if found and kind == found[-1][0] == "data":
            found[-1] = kind, found[-1][1] + value
        else:
            found.append((kind, value))
    return found


@pytest.mark.parametrize("target", [Noted, NotedComments])
def test_a_page_of_brackets_is_told_in_whole_texts(target: type[Noted], monkeypatch: pytest.MonkeyPatch) -> None:
    plain, large = target(), target()
    head.feed(PAGE, plain)
    monkeypatch.setattr(head, "_MANY_PIECES", 3)
    head.feed(PAGE, large)
    assert len(large.events) < len(plain.events)
    assert large.events == joined(plain.events)


def test_a_text_of_brackets_is_one_piece() -> None:
    noted = Noted()
    head.feed("<p>" + "< " * 150_000, noted)
    assert [len(value) for kind, value in noted.events if kind == "data"] == [300_000]


def test_a_tree_has_a_bounded_number_of_attributes() -> None:
    names = " ".join(f"a{number}" for number in range(200))
    tree = parse_tree(f"<p class=b {names}>one</p>" * 1500)
    found = [len(node.attrib) for node in tree.iter("p")]
    assert len(found) == 1500
    assert ATTRIBUTES_OF_A_TREE * 0.9 < sum(found) <= ATTRIBUTES_OF_A_TREE
    assert {node.get("class") for node in tree.iter("p")} == {"b"}
    assert tree.findtext("body/p") == "one"


def test_large_trees_with_few_attributes_keep_them_all() -> None:
    assert dom._LARGE < 25 * 60_000
    tree = parse_tree("<p a=b c=d>some words here</p>" * 60_000)
    assert sum(len(node.attrib) for node in tree.iter("p")) == 120_000

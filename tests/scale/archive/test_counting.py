"""Counts that can be added up in any order, and what is left of them for a site."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.block import Block
from cleancrawl.scale.archive import counting, row_files
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.first_pass import Draft, PageFacts, first_pass
from cleancrawl.scale.archive.knowledge_file import KnowledgeFile
from cleancrawl.scale.archive.part_files import FirstPart, WorkFiles
from cleancrawl.scale.archive.site_blocks import OwnPage, SiteBlocks
from cleancrawl.scale.archive.site_reduction import Reduction
from cleancrawl.stores import page_rules
from tests.scale.archive.warc_files import story_pages


def facts(
    number: int,
    keys: list[int],
    article: bool = True,
    near: list[int] | None = None,
    sections: list[int] | None = None,
) -> PageFacts:
    """A page with these blocks; those with a fingerprint are long."""
    prints = near or [0] * len(keys)
    return PageFacts(
        url=f"https://a.example/{number}",
        site="a.example",
        number=number,
        date=0.0,
        place=number,
        article=article,
        content=0,
        keys=np.array(keys, "<u8").tobytes(),
        near=np.array(prints, "<u8").tobytes(),
        long=np.array([value > 0 for value in prints], np.bool_).tobytes(),
        sections=np.array(sections or [0] * len(keys), "<u2").tobytes(),
        signature=None,
    )


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 12), max_size=8), st.booleans()), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_it_does_not_matter_how_pages_are_divided(pages: list[tuple[list[int], bool]], chance: object) -> None:
    rows = [
        counting.page_rows(facts(number, keys, article, sections=[number % 3 + 1] * len(keys)), number, article)
        for number, (keys, article) in enumerate(pages, start=1)
    ]
    together = counting.combined(rows)
    chance.shuffle(rows)  # type: ignore[attr-defined]
    border = len(rows) // 2
    divided = counting.combined([counting.combined(rows[:border]), counting.combined(rows[border:])])
    assert (together == divided).all()
    for row in together:
        having = [number for number, (keys, _) in enumerate(pages, start=1) if row["key"] in keys]
        assert row["articles"] + row["others"] == len(having)
        assert (row["first"], row["last"]) == (min(having), max(having))
        sections = [number % 3 + 1 for number in having if pages[number - 1][1]]
        assert (row["sections"], row["squares"]) == (sum(sections), sum(number * number for number in sections))


def test_copies_are_one_page_with_the_blocks_of_all() -> None:
    rows = counting.union_rows([facts(1, [5, 6], article=False), facts(2, [6, 7])], 1)
    assert rows["key"].tolist() == [5, 6, 7]
    assert rows["articles"].tolist() == [1, 1, 1]
    assert not rows["others"].any()
    assert set(rows["first"].tolist()) == set(rows["last"].tolist()) == {1}


def test_copies_count_once_for_their_section() -> None:
    members = [facts(1, [5, 6], sections=[7, 7], article=False), facts(2, [6, 7], sections=[7, 0])]
    rows = counting.union_rows(members, 1)
    assert (rows["sections"].tolist(), rows["squares"].tolist()) == ([7, 7, 0], [49, 49, 0])
    assert not counting.union_rows(members[:1], 1)["sections"].any(), "no article, no section"


def test_what_tells_nobody_anything_is_left_out() -> None:
    pages = [facts(1, [1, 2, 3], near=[0, 0b1111, 1 << 40]), facts(2, [1, 4], near=[0, 0b0111]), facts(3, [9])]
    rows = counting.combined([counting.page_rows(page, page.number, True) for page in pages])
    # On two pages, or like a block of another one: 2 and 4 differ by one bit.
    assert counting.telling(rows)["key"].tolist() == [1, 2, 4]


def test_a_site_with_too_many_blocks_keeps_the_commonest(tmp_path: Path) -> None:
    files, made, states = WorkFiles(tmp_path), FirstPart(), list[bytes]()
    for number, page in enumerate(story_pages("a.example", 12)):
        draft = first_pass(page, number, BulkOptions())
        assert isinstance(draft, Draft)
        made.facts.append(draft.facts)
        states.append(draft.state)
    files.write_first(0, made, states)

    def known(most: int) -> SiteBlocks:
        files.knowledge.unlink(missing_ok=True)
        reduction = Reduction(files, 1)
        reduction.find_captures()
        reduction.find_copies()
        reduction.count()
        reduction.pack_sites(most)
        reduction.finish()
        return KnowledgeFile(files.knowledge).site("a.example")

    many, few = known(100_000), known(5)
    assert many.pages == few.pages == 12
    pages = (few.index.articles + few.index.others)[: few.index.size]
    assert 0 < few.index.size <= 5 < many.index.size
    assert pages.min() == 12


@given(st.lists(st.tuples(st.lists(st.integers(0, 12), max_size=8), st.booleans()), min_size=1, max_size=12))
def test_many_pages_at_once_are_counted_as_one_by_one(pages: list[tuple[list[int], bool]]) -> None:
    many = [
        facts(number, keys, article, near=[7 * key + place for place, key in enumerate(keys)])
        for number, (keys, article) in enumerate(pages, start=1)
    ]
    one_by_one = counting.combined([counting.page_rows(page, page.number, page.article) for page in many])
    assert (counting.rows_of_pages(many) == one_by_one).all()


_BLOCKS = st.lists(st.integers(0, 15), min_size=1, max_size=9, unique=True)


@given(
    st.lists(st.tuples(_BLOCKS, st.booleans(), st.integers(1, 2)), min_size=1, max_size=7),
    st.lists(st.integers(10, 200), min_size=16, max_size=16),
)
def test_what_a_site_says_of_all_its_pages_at_once_is_what_a_store_says_of_each(
    pages: list[tuple[list[int], bool, int]], lengths: list[int]
) -> None:
    # Keys that differ in the last bit have like fingerprints, some blocks have none, some are no running text.
    many = [
        facts(
            number, keys, article, [key >> 1 << 8 | key & 1 for key in keys], [section * (key % 3 > 0) for key in keys]
        )
        for number, (keys, article, section) in enumerate(pages, start=1)
    ]
    site = SiteBlocks.unpack(counting.packed_site(counting.rows_of_pages(many), len(many)), {})
    asked = [(page, OwnPage(page.number, page.article)) for page in many]
    for (page, own), (keys, _, _), answer in zip(asked, pages, site.answers(asked), strict=True):
        rows = site.index.sightings(site.index.find(np.array(keys, "<u8")))
        near = {}
        for block in page_rules.unsure(rows, own.recorded(page)):
            (found,) = site.index.find_near([keys[block] >> 1 << 8 | keys[block] & 1]) if page.long[block] else ([],)
            near[block] = [row for row in site.index.sightings(np.array(found, np.int64)) if row is not None]
        sizes = [lengths[key] for key in keys]
        sections = np.frombuffer(page.sections, "<u2").tolist()
        known = page_rules.count_pages(rows, near, own.recorded(page), sizes, len(many), sections)
        said = site.known(page, [Block("x" * size, 1, 0, "p") for size in sizes], own, answer)
        assert (said.pages, said.site_pages, said.elsewhere) == (known.pages, known.site_pages, known.elsewhere)


def test_rows_on_disk_are_summed_site_by_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_files, "FILE_ROWS", 10)
    monkeypatch.setattr(row_files, "WAITING_ROWS", 25)
    rows = row_files.RowFiles(tmp_path, 60)
    assert rows.files == 6
    near = [1 << 60, *[0] * 9]
    for number in range(1, 4):
        for site in (7, 8):
            keys = [*range(8), 100 * number, 100 * number + site]
            rows.add(site, counting.rows_of_pages([facts(number, keys, near=near)]))
    found: dict[int, dict[int, int]] = {7: {}, 8: {}}
    for site, part in rows.summed():
        found[site].update(zip(part["key"].tolist(), part["articles"].tolist(), strict=True))
    # What is on one page only tells nobody anything.
    assert found == {7: dict.fromkeys(range(8), 3), 8: dict.fromkeys(range(8), 3)}
    assert not list(tmp_path.iterdir())

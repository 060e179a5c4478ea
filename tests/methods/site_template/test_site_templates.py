"""METHODS C1–C5."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.html.outline import read_outline
from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.methods.site_template.cost import description_length, matrix_cost
from cleancrawl.methods.site_template.essential import Essential, essential_paths, supports
from cleancrawl.methods.site_template.mdl import cluster_mdl
from cleancrawl.methods.site_template.paths import Paths, named_paths, page_paths, read_paths
from cleancrawl.methods.site_template.signatures import jaccard, merge, signatures, statistics
from cleancrawl.methods.site_template.site_templates import METHODS, Method, SiteTemplates, find_templates
from tests.measuring import peak_memory

PAPER = ("<html><body><h1>IT</h1><br></body>", "<html><body><h1>Park</h1><br>Gate</body>")


MARKUP = (*"<div> </div> <p> </p> <a> text &amp; <svg> </svg> <script> </script> <br>".split(), "\n")


@given(st.lists(st.sampled_from(MARKUP), max_size=30))
@settings(deadline=None, max_examples=100)
def test_c1_paths_are_the_same_with_and_without_an_outline(parts: list[str]) -> None:
    html = "".join(parts)
    assert read_paths(html).tolist() == page_paths(read_outline(html)[0]).tolist()


def as_sets(*pages: Sequence[int]) -> list[Paths]:
    return [np.array(sorted(page), dtype=np.uint64) for page in pages]


def test_c1_the_papers_two_pages() -> None:
    names = dict(pair for html in PAPER for pair in named_paths(read_outline(html)[0]))
    paths, counts = supports([read_paths(html) for html in PAPER])
    found = {names[path]: count for path, count in zip(paths.tolist(), counts.tolist(), strict=True)}
    assert found == {
        r"Document\<html>": 2,
        r"Document\<html>\<body>": 2,
        r"Document\<html>\<body>\<h1>": 2,
        r"Document\<html>\<body>\<br>": 2,
        r"Document\<html>\<body>Gate": 1,
        r"Document\<html>\<body>\<h1>IT": 1,
        r"Document\<html>\<body>\<h1>Park": 1,
    }


def test_c2_essential_paths_of_the_papers_pages_are_its_tag_paths() -> None:
    pages = [read_paths(html) for html in PAPER]
    essential = essential_paths(pages)
    assert len(essential.paths) == 4
    assert essential.sizes.tolist() == [4, 4]


def test_c2_a_mode_above_two_is_the_threshold() -> None:
    essential = essential_paths(as_sets([1, 2, 3, 9], [1, 2, 3, 9], [1, 2, 3, 7]))
    assert essential.paths.tolist() == [1, 2, 3]


def test_c2_with_a_tolerance_supports_side_by_side_count_as_one() -> None:
    pages = [read_paths(html) for _, html in sample_site(100)]
    assert essential_paths(pages, tolerance=0.1).sizes.sum() > 1.5 * essential_paths(pages).sizes.sum()
    for method in METHODS:
        assert [template.size for template in find_templates(pages, method, 0.1).templates] == [25] * 4
        assert len(find_templates(pages, method).templates) == 5


def test_c3_cost_of_matrices() -> None:
    assert matrix_cost(8, 4.0) == pytest.approx(8)
    assert matrix_cost(9, 3.0, 3.0) == pytest.approx(9 * np.log2(3))
    assert matrix_cost(0, 0.0) == 0
    # 4 paths, 2 pages: two clusters need 8 + 4 bits and no difference, one cluster of both needs none at all.
    assert description_length(4, 2, 2, 4.0, 0.0, 0.0) == pytest.approx(8 + 4)
    assert description_length(4, 2, 1, 4.0, 0.0, 0.0) == pytest.approx(0)


def test_c3_without_the_difference_matrix_one_big_cluster_would_win() -> None:
    pages = [*[range(40)] * 10, *[range(100, 140)] * 10]
    one = description_length(80, 20, 1, 0.0, 800.0, 0.0)
    two = description_length(80, 20, 2, 80.0, 0.0, 0.0)
    assert two < one
    assert matrix_cost(80, 0.0) + matrix_cost(20, 20.0) == 0
    assert sorted(map(len, cluster_mdl(essential_paths(as_sets(*pages))))) == [10, 10]


def cost_of(pages: Sequence[Sequence[int]], clusters: Sequence[Sequence[int]]) -> float:
    """C3 with the three matrices written out."""
    paths = sorted({path for page in pages for path in page})
    template = plus = minus = 0
    for members in clusters:
        held = {path for path in paths if 2 * sum(path in pages[page] for page in members) > len(members)}
        template += len(held)
        plus += sum(len(set(pages[page]) - held) for page in members)
        minus += sum(len(held - set(pages[page])) for page in members)
    return float(description_length(len(paths), len(pages), len(clusters), float(template), float(plus), float(minus)))


def greedy(pages: Sequence[Sequence[int]]) -> list[list[int]]:
    """C4 by trying every pair from scratch; among equal mergers, to a millionth of a bit, the first pair counts."""
    clusters = [[page] for page in range(len(pages))]
    cost = cost_of(pages, clusters)
    while len(clusters) > 1:
        merged = [
            [c for c in clusters if c is not a and c is not b] + [a + b]
            for place, a in enumerate(clusters)
            for b in clusters[place + 1 :]
        ]
        best = min(merged, key=lambda chosen: round(cost_of(pages, chosen), 6))
        if round(cost_of(pages, best), 6) >= round(cost, 6):
            break
        clusters, cost = best, cost_of(pages, best)
    return clusters


@given(st.lists(st.sets(st.integers(1, 12), max_size=8), min_size=1, max_size=6), st.integers(1, 2))
@settings(deadline=None, max_examples=60)
def test_c4_mdl_merges_as_trying_every_pair_does(drawn: list[set[int]], copies: int) -> None:
    essential = essential_paths(as_sets(*(drawn * copies)))
    rows = [essential.row(page).tolist() for page in range(essential.pages)]
    assert cluster_mdl(essential) == greedy(rows)


def test_c4_mdl_merges_so_on_pages_that_lack_rows() -> None:
    essential = essential_paths([read_paths(html) for _, html in sample_site(14, 3, missing=0.2, seed=5)])
    rows = [essential.row(page).tolist() for page in range(essential.pages)]
    assert cluster_mdl(essential) == greedy(rows)


def peak(method: Method, essential: Essential) -> int:
    return peak_memory(lambda: METHODS[method](essential))


@pytest.mark.parametrize("method", METHODS)
def test_c5_memory_grows_no_faster_than_pages(method: Method) -> None:
    few, many = (essential_paths([read_paths(html) for _, html in sample_site(pages)], 0.1) for pages in (30, 120))
    assert peak(method, many) < 6 * peak(method, few)


def test_c5_memory_falls_from_method_to_method() -> None:
    few, many = (essential_paths([read_paths(html) for _, html in sample_site(pages)], 0.1) for pages in (60, 300))
    assert peak("mdl", few) > peak("minhash", few)
    assert peak("minhash", many) > peak("lsh", many)


def test_c5_signatures_estimate_similarity_and_counts() -> None:
    columns = np.array([*range(60), *range(20, 80)])
    essential = Essential(np.arange(80, dtype=np.uint64), columns, np.array([0, 60, 120]))
    found = signatures(essential)
    assert jaccard(found.least[0], found.least[1:2])[0] == pytest.approx(0.5, abs=0.15)
    pair = merge(found.take(np.array([0])), found.take(np.array([1])))
    template, plus, minus = statistics(pair)[:, 0]
    assert template == pytest.approx(40, abs=10)
    assert plus == pytest.approx(40, abs=10)
    assert minus == 0


@pytest.mark.parametrize(("pages", "templates"), [(12, 2), (40, 4), (60, 6)])
def test_c5_the_three_methods_agree_on_well_separated_sites(pages: int, templates: int) -> None:
    made = list(sample_site(pages, templates))
    paths = [read_paths(html) for _, html in made]
    expected = {tuple(page for page, (kind, _) in enumerate(made) if kind == number) for number in range(templates)}
    for method in METHODS:
        found = find_templates(paths, method)
        assert {template.pages for template in found.templates} == expected
        assert all(len(template.paths) > 30 for template in found.templates)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pages", [[], [[]], [[1]], [[], []], [[1, 2], [3, 4]], [[1, 2]] * 5])
def test_any_number_of_pages_will_do(method: Method, pages: list[list[int]]) -> None:
    found = find_templates([np.array(page, dtype=np.uint64) for page in pages], method)
    assert sorted(page for template in found.templates for page in template.pages) == list(range(len(pages)))


def test_templates_survive_json_and_nothing_else_is_taken_for_them() -> None:
    found = find_templates([read_paths(html) for _, html in sample_site(6, 2)], "mdl")
    read = SiteTemplates.from_json(found.to_json())
    assert [template.paths.tolist() for template in read.templates] == [t.paths.tolist() for t in found.templates]
    for wrong in ({}, {"format": 2, "templates": []}, {"format": 1, "templates": [{}]}):
        with pytest.raises(ConfigError, match="no templates"):
            SiteTemplates.from_json(wrong)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ConfigError, match="mdl, minhash, lsh"):
        find_templates([], "kmeans")  # type: ignore[arg-type]

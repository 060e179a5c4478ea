"""METHODS C6."""

from __future__ import annotations

from cleancrawl import Page
from cleancrawl.lab.bench.sample_sites import sample_site
from cleancrawl.methods.site_template.path_blocks import PathBlocks, PathLayout
from cleancrawl.methods.site_template.site_templates import SiteTemplates, find_templates
from cleancrawl.methods.site_template.template_paths import TemplatePaths

FRAME = "<html><body><ul><li>Home<li>News</ul><h1>{}</h1><p>{}</p><footer>Imprint</footer></body></html>"


def cut(html: str, templates: SiteTemplates | None = None) -> Page:
    page = Page(html)
    PathBlocks()(page)
    page.layout_of(PathLayout).templates = templates
    TemplatePaths()(page)
    return page


def learned(*pages: str) -> SiteTemplates:
    return find_templates([cut(html).layout_of(PathLayout).paths for html in pages], "mdl")


def test_c6_blocks_of_template_leaves_go_and_the_rest_stays() -> None:
    templates = learned(*(FRAME.format(f"Story {number}", f"Text of story {number}.") for number in range(4)))
    page = cut(FRAME.format("Fifth story", "Text that none of the others has."), templates)
    assert [block.text for block in page.kept] == ["Fifth story", "Text that none of the others has."]
    assert str(page.blocks[0].removed) == "secondary: template (template of 4 pages)"


def test_a_block_with_one_leaf_of_its_own_stays() -> None:
    template = "<html><body><p>By <b>{}</b></p><p>Fixed</p><h1>{}</h1></body></html>"
    templates = learned(*(template.format("Staff", number) for number in range(4)))
    assert [block.text for block in cut(template.format("Jane", "x"), templates).kept] == ["By Jane", "x"]
    assert [block.text for block in cut(template.format("Staff", "x"), templates).kept] == ["x"]


def test_clusters_of_one_page_and_pages_without_templates_remove_nothing() -> None:
    page = FRAME.format("Only", "page")
    assert len(cut(page, learned(page)).kept) == 5
    assert len(cut(page).kept) == 5
    assert cut("", learned(page)).blocks == []


def test_a_page_of_another_kind_keeps_all_its_blocks() -> None:
    templates = learned(*(FRAME.format(number, number) for number in range(3)))
    assert len(cut("<html><body><table><tr><td>Home<td>News</table></body></html>", templates).kept) == 2


def test_each_page_goes_by_the_template_of_its_own_kind() -> None:
    made = [html for _, html in sample_site(20, 2, missing=0)]
    templates = learned(*made)
    assert [template.size for template in templates.templates] == [10, 10]
    for html in made:
        page = cut(html, templates)
        assert {block.tag for block in page.kept} <= {"h1", "p", "li"}
        assert 5 <= len(page.kept) <= 20


def test_text_below_five_thousand_levels_is_a_block() -> None:
    page = cut("<div>" * 5000 + "deep text" + "</div>" * 5000)
    assert [block.text for block in page.blocks] == ["deep text"]

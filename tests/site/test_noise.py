"""The pages carry the noise and the metadata that the project is about."""

from __future__ import annotations

import json

import pytest

from tests.site import manifest
from tests.site.server import SampleSite
from tests.site.source import articles
from tests.site.test_server import fetch


@pytest.fixture(scope="module")
def sources(served_site: SampleSite) -> dict[str, str]:
    """All article pages of a portal in one string: what is asked is only whether a form occurs."""
    return {
        portal: "\n".join(
            fetch(served_site.portals[portal].url, page.path).body.decode(page.encoding)
            for page in manifest.article_pages(portal)
        )
        for portal in ("a", "b")
    }


@pytest.mark.parametrize(
    ("portal", "form"),
    [
        ("b", '<body background="'),  # background
        ("b", '<td background="'),
        ("a", 'style="background-image:url('),
        ("a", "adclick.g.doubleclick.net"),  # ad-domain
        ("b", "www.googleadservices.com"),
        ("a", '<img src="https://images.photopool.example/'),  # foreign-image
        ("a", 'class="ad-leaderboard"'),  # ad-keyword
        ("a", 'class="adsbygoogle"'),
        ("a", 'data-taboola="'),
        ("b", 'id="bottomgooglead"'),
        ("b", 'id="rightgooglead"'),
        ("b", 'id="simplead"'),
        ("b", 'width="468" height="60"'),  # iab-size
        ("b", 'width="120" height="240"'),
        ("b", 'width="234" height="60"'),
        ("b", 'width="745" height="100"'),
        ("a", 'width="336" height="280"'),
        ("a", 'style="width: 728px; height: 90px"'),
        ("a", "width:970px;height:250px"),
        ("b", "<embed src="),  # plugin
        ("b", "<object "),
        ("a", "<audio "),
        ("a", "<video "),
        ("a", "<iframe "),
        ("a", "Terms of use</a>"),  # utility-links
        ("b", "Disclaimer</a>"),
        ("a", "https://www.facebook.com/sharer"),  # social-links
        ("b", "https://twitter.com/share"),
        ("a", 'style="display:none"'),  # a second copy that no reader sees
        ("b", 'style="display: none"'),
    ],
)
def test_every_form_of_noise_occurs(sources: dict[str, str], portal: str, form: str) -> None:
    assert form in sources[portal]


def test_footers_repeat_with_small_changes(sample_site: SampleSite) -> None:
    footers = {
        fetch(sample_site.a, page.path).text.split('class="footer-stats">')[1].split("</p>")[0]
        for page in manifest.article_pages("a")
    }
    assert len(footers) == len(manifest.article_pages("a"))
    assert all(footer.startswith("Page last built on 20 March 2026") for footer in footers)


def json_ld(sample_site: SampleSite, name: str) -> str:
    article = articles()[name]
    source = fetch(sample_site.portals[article.portal].url, article.path).text
    return source.split('<script type="application/ld+json">')[1].split("</script>")[0]


def test_json_ld_plain_in_a_graph_and_broken(sample_site: SampleSite) -> None:
    plain = json.loads(json_ld(sample_site, "bridge-closed"))
    assert (plain["@type"], plain["author"][0]["name"]) == ("NewsArticle", "Mara Ellingsen")
    graph = json.loads(json_ld(sample_site, "windpark"))["@graph"]
    assert graph[-1]["headline"] == articles()["windpark"].title
    with pytest.raises(json.JSONDecodeError):
        json.loads(json_ld(sample_site, "bakery"))


def test_the_print_version_names_its_canonical_page(sample_site: SampleSite) -> None:
    (printed,) = (page for page in manifest.pages() if page.kind == "print")
    source = fetch(sample_site.a, printed.path).text
    assert f'<link rel="canonical" href="{sample_site.a}{articles()["seagrass"].path}">' in source


def test_one_agency_story_stands_on_both_portals() -> None:
    courier, gazette = articles()["treaty-courier"], articles()["treaty-gazette"]
    assert gazette.body == courier.body[:-1]
    assert gazette.title != courier.title

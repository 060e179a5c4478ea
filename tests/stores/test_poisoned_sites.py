"""What pages of a site repeat of an article takes nothing away from it: the default recipe on the sample site."""

from __future__ import annotations

from urllib.request import urlopen

import pytest

from cleancrawl import Cleaner
from cleancrawl.core.recipe import Wishes
from cleancrawl.lab.bench.metrics import tokens, word_score
from cleancrawl.methods.learned import recipe
from tests.site.manifest import Entry, article_pages, pages
from tests.site.server import SampleSite

WWW = "https://www.news-portal.co.uk"
PRINT = next(page for page in pages() if page.kind == "print")
ORIGINAL = next(page for page in article_pages("a") if page.gold_text == PRINT.gold_text)


@pytest.fixture(scope="session")
def sources(served_site: SampleSite) -> dict[str, bytes]:
    """By path: ten articles of portal A, a print version and two listings."""
    paths = [page.path for page in article_pages("a")[:10]]
    wanted = dict.fromkeys([*paths, ORIGINAL.path, PRINT.path, "/section/business", "/?page=2"])
    return {path: urlopen(served_site.a + path).read() for path in wanted}


def quoting(number: int, paragraphs: list[str]) -> str:
    """A page with words of its own, and somebody else's."""
    own = " ".join(f"My opinion {number} on matter {n * number} is that harbour {n} needs boats." for n in range(30))
    quoted = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return f"<title>Post {number}</title><h1>Post number {number}</h1><p>{own}</p><div class=story__body>{quoted}</div>"


def recall(text: str, page: Entry) -> float:
    return word_score(tokens(text), tokens(page.gold_text)).recall


@pytest.mark.parametrize("host", ["https://community.news-portal.co.uk", WWW])
@pytest.mark.parametrize("first", [True, False])
def test_six_pages_that_quote_an_article_do_not_erase_it(
    store_url: str, sources: dict[str, bytes], host: str, first: bool
) -> None:
    victim, *others = article_pages("a")[:8]
    paragraphs = victim.gold_text.splitlines()
    # On the host of the article all of it; from another host not even a part may go.
    quoted = paragraphs if host == WWW else paragraphs[3:7]
    posts: list[tuple[str, str | bytes]] = [(f"{host}/posts/{n}", quoting(n, quoted)) for n in range(1, 7)]
    rest: list[tuple[str, str | bytes]] = [(WWW + page.path, sources[page.path]) for page in others]
    with Cleaner(store=store_url) as cleaner:
        for url, html in posts + rest if first else rest + posts:
            cleaner.clean(html, url=url)
        document = cleaner.clean(sources[victim.path], url=WWW + victim.path)
    assert document.page.known is not None
    assert document.page.known.site_pages >= 12
    assert recall(document.text, victim) > 0.99
    # What the template repeats goes as ever.
    assert sum(block.removed is not None and block.removed.rule == "site-block" for block in document.blocks) > 20


@pytest.mark.parametrize("part", ["beginning", "middle", "end"])
@pytest.mark.parametrize("first", [True, False])
def test_a_part_that_pages_of_its_own_host_quote_stays(
    store_url: str, sources: dict[str, bytes], part: str, first: bool
) -> None:
    victim, *others = article_pages("a")[:8]
    paragraphs = victim.gold_text.splitlines()
    third = len(paragraphs) // 3
    begin = {"beginning": 0, "middle": third, "end": len(paragraphs) - third}[part]
    quoted = paragraphs[begin : begin + third]
    posts: list[tuple[str, str | bytes]] = [(f"{WWW}/posts/{n}", quoting(n, quoted)) for n in range(1, 8)]
    rest: list[tuple[str, str | bytes]] = [(WWW + page.path, sources[page.path]) for page in others]
    with Cleaner(store=store_url) as cleaner:
        for url, html in posts + rest if first else rest + posts:
            cleaner.clean(html, url=url)
        document = cleaner.clean(sources[victim.path], url=WWW + victim.path)
    known = document.page.known
    assert known is not None
    least = max(3, known.site_pages / 4)
    seen = {block.text for block, pages in zip(document.blocks, known.pages, strict=True) if pages >= least}
    assert seen.issuperset(quoted), "they are known well enough to go"
    assert recall(document.text, victim) > 0.99
    assert sum(block.removed is not None and block.removed.rule == "site-block" for block in document.blocks) > 20


def test_the_middle_stays_also_where_all_known_pages_quote_it(store_url: str, sources: dict[str, bytes]) -> None:
    victim = article_pages("a")[0]
    paragraphs = victim.gold_text.splitlines()
    third = len(paragraphs) // 3
    with Cleaner(store=store_url) as cleaner:
        for number in range(1, 7):
            cleaner.clean(quoting(number, paragraphs[third : 2 * third]), url=f"{WWW}/posts/{number}")
        document = cleaner.clean(sources[victim.path], url=WWW + victim.path)
    assert recall(document.text, victim) > 0.99


def test_a_standfirst_that_others_show_as_a_teaser_stays(store_url: str, sources: dict[str, bytes]) -> None:
    shown = 0
    articles = article_pages("a")[:10]
    with Cleaner(store=store_url) as cleaner:
        for page in [*articles, *articles]:
            document = cleaner.clean(sources[page.path], url=WWW + page.path)
            standfirst = page.gold_text.splitlines()[0]
            block = next((block for block in document.blocks if block.text == standfirst), None)
            if block is not None and document.page.known is not None:
                shown += document.page.known.pages[block.index] >= 3
                assert block.removed is None or block.removed.rule != "site-block", page.path
    assert shown >= 2


def test_no_order_of_four_urls_of_a_story_costs_its_text(store_url: str, sources: dict[str, bytes]) -> None:
    # The print version comes when hardly anything else is known: then most of the page itself is new, and it is not
    # taken for a copy.
    listings = ["/section/business", "/?page=2"]
    urls = [ORIGINAL.path + query for query in ("?b=2", "", "?c=3")]
    with Cleaner(recipe().tailored(Wishes(min_pages=1)), store=store_url) as cleaner:
        for path in [listings[0], PRINT.path, listings[1], *urls]:
            source = sources.get(path) or sources[ORIGINAL.path]
            document = cleaner.clean(source, url=WWW + path)
            if path not in listings:
                assert recall(document.text, PRINT) > 0.97, path

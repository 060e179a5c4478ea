"""What pages and answers say about their use."""

from __future__ import annotations

import pytest

import cleancrawl
from cleancrawl.core.metadata.rights import claims, file_rights, header_rights, joined, reservations

PAGE = """<html><head><title>Storm</title>{head}</head><body><h1>Storm</h1>
<p>The storm hit the coast on Monday, and the harbour was closed for three days.</p>{body}
<footer>© 2026 The Herald. All rights reserved.</footer></body></html>"""


def said(head: str = "", body: str = "") -> list[tuple[str | None, ...]]:
    document = cleancrawl.clean(PAGE.format(head=head, body=body), url="https://herald.example/storm")
    found = document.to_dict()["rights"]
    return [tuple(one.values()) for one in found if one["kind"] != "copyright"]


def test_the_footer_is_the_copyright_line() -> None:
    (only,) = cleancrawl.clean(PAGE.format(head="", body=""), url="https://herald.example/storm").to_dict()["rights"]
    assert only == {"kind": "copyright", "value": "© 2026 The Herald. All rights reserved.", "source": "text"}
    assert cleancrawl.clean("").to_dict()["rights"] == []


def test_of_several_copyright_elements_the_plainest_counts() -> None:
    names = ["dcterms.rightsholder", "dcterms.rights", "dc.rights", "rights", "copyright"]
    head = "".join(f'<meta name="{name}" content="© {name}">' for name in names)
    (only,) = cleancrawl.clean(PAGE.format(head=head, body=""), url="https://herald.example/storm").to_dict()["rights"]
    assert only == {"kind": "copyright", "value": "© copyright", "source": "meta copyright"}


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ('<link rel="license" href="/reuse">', "", [("licence", "https://herald.example/reuse", "link")]),
        (
            "",
            '<a rel="nofollow license" href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>',
            [("licence", "https://creativecommons.org/licenses/by/4.0/", "link")],
        ),
        (
            '<script type="application/ld+json">{"@type": "NewsArticle", "license": "/l"}</script>',
            "",
            [("licence", "https://herald.example/l", "json-ld")],
        ),
        (
            '<meta name="robots" content="index, follow, max-snippet:-1, NoArchive, max-image-preview: large, noai">',
            "",
            [("robots", "noarchive", "meta robots"), ("robots", "noai", "meta robots")],
        ),
        ('<meta name="robots" content="none">', "", [("robots", "noindex", "meta robots")]),
        ('<meta name="googlebot" content="noindex">', "", [("robots", "noindex", "meta googlebot")]),
        (
            '<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="https://h.example/p.json">',
            "",
            [
                ("tdm", "reserved", "meta tdm-reservation"),
                ("tdm-policy", "https://h.example/p.json", "meta tdm-reservation"),
            ],
        ),
        ('<meta name="tdm-reservation" content="maybe">', "<p>This has a license to be wordy, said the judge.</p>", []),
    ],
)
def test_what_a_page_says(head: str, body: str, expected: list[tuple[str, ...]]) -> None:
    assert said(head, body) == expected


def test_a_page_that_says_too_much_is_cut() -> None:
    head = "".join(f'<meta name="robots" content="no{n}, {"x" * 5000}">' for n in range(500))
    body = "".join(f'<a rel="license" href="/{n}">' for n in range(500))
    assert len(said(head, body)) <= 20


def test_only_what_speaks_to_all_robots_keeps_something_back() -> None:
    other = header_rights([("x-robots-tag", "googlebot-news: noindex")])
    every = header_rights([("x-robots-tag", "noarchive"), ("x-robots-tag", "max-snippet: 0")])
    assert other[0]["value"] == "noindex"
    assert (reservations(other), reservations(every)) == (set(), {"noarchive", "nosnippet"})


def test_of_mining_the_nearest_word_counts() -> None:
    page, answer = header_rights([("tdm-reservation", "0")]), header_rights([("tdm-reservation", "1")])
    site = file_rights(reserved=True, policy="https://h.example/p.json")
    assert reservations(joined(page, answer, site)) == set()
    assert reservations(joined([], answer, site)) == reservations(joined([], [], site)) == {"tdm"}
    assert len(joined([], answer, site)) == 1
    assert claims(site) == set()

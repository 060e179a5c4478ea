"""Pictures of an article, and those of its surroundings."""

from __future__ import annotations

from typing import Any

import pytest

import cleancrawl

TEXT = "The storm number {} hit the coast on Monday, and the harbour was closed for three days, said the mayor."
LEAD = (
    '<figure><img src="/lead.jpg" alt="A wave"><figcaption>A wave at the pier. <span class="credit">Ada Lens/AP</span>'
    "</figcaption></figure>"
)


def page(*, lead: str = "", between: str = "", behind: str = "", head: str = "") -> str:
    paragraphs = [f"<p>{TEXT.format(number)}</p>" for number in range(8)]
    paragraphs.insert(4, between)
    return (
        f"<html><head><title>Storm at the coast</title>{head}</head><body>"
        '<nav><img src="/logo.png" width="400"><a href="/">Home</a> <a href="/sport">Sport</a></nav>'
        f"<main><article><h1>Storm at the coast</h1>{lead}{''.join(paragraphs)}</article></main>{behind}"
        '<footer><img src="/footer.jpg" alt="footer">© The Herald</footer></body></html>'
    )


def images(html: str) -> list[dict[str, Any]]:
    return cleancrawl.clean(html, url="https://herald.example/news/storm").images


def test_a_figure_gives_caption_credit_and_alternative_text() -> None:
    assert images(page(lead=LEAD)) == [
        {
            "url": "https://herald.example/lead.jpg",
            "caption": "A wave at the pier.",
            "credit": "Ada Lens/AP",
            "alt": "A wave",
        }
    ]


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        (
            '<div class="wp-caption"><img data-src="//cdn.example/a.jpg" src="data:image/gif;base64,R0">'
            '<p class="wp-caption-text">The pier. Photo: Ada Lens</p></div>',
            ("https://cdn.example/a.jpg", "The pier.", "Ada Lens", None),
        ),
        ('<p><img src="b.jpg" alt=" A \n pier "></p>', ("https://herald.example/news/b.jpg", None, None, "A pier")),
        (
            '<figure><img src="/c.jpg"><figcaption>© Ada Lens</figcaption></figure>',
            ("https://herald.example/c.jpg", None, "Ada Lens", None),
        ),
        (
            '<figure><img src="/e.jpg"><figcaption>A pier <small class="copyright">Foto: Ada Lens</small></figcaption>'
            "</figure>",
            ("https://herald.example/e.jpg", "A pier", "Ada Lens", None),
        ),
        ("<!-- ad --><figure><img src='/d.jpg'></figure>", ("https://herald.example/d.jpg", None, None, None)),
    ],
)
def test_pictures_between_paragraphs(between: str, expected: tuple[str | None, ...]) -> None:
    (found,) = images(page(between=between))
    assert tuple(found.values()) == expected


def test_what_is_not_the_articles_is_left_out() -> None:
    others = (
        '<img src="/pixel.gif" width="1" height="1"><img class="avatar" src="/ada.jpg">'
        '<img src="data:image/png;base64,R">'
        '<aside><img src="/aside.jpg"></aside><img src="javascript:alert(1)"><img src="/i/blank.gif">'
    )
    teasers = '<div class="related"><a href="/x"><img src="/teaser.jpg">Floods in the valley</a></div>' * 3
    assert images(page(between=others, behind=teasers)) == []


def test_the_picture_of_the_head_stands_in() -> None:
    head = '<meta property="og:image" content="/og.jpg"><meta property="og:image:alt" content="A pier">'
    expected = {"url": "https://herald.example/og.jpg", "caption": None, "credit": None, "alt": "A pier"}
    assert images(page(head=head)) == [expected]
    assert [one["caption"] for one in images(page(head=head, lead=LEAD))] == ["A wave at the pier."]
    assert images("<html><body></body></html>") == []


def test_they_are_bounded_and_each_is_there_once() -> None:
    many = "".join(f'<img src="/{number}.jpg" alt="{"x" * 5000}">' for number in range(300))
    found = images(page(between=many + many))
    assert len(found) == len({one["url"] for one in found}) == 50
    assert len(found[0]["alt"]) <= 1000


def test_a_record_has_them_where_they_are_asked_for() -> None:
    document = cleancrawl.clean(page(lead=LEAD), url="https://herald.example/news/storm")
    assert document.to_dict()["images"] is None
    assert document.to_dict(images=True)["images"] == document.images

from __future__ import annotations

import pytest

from cleancrawl.core.text.shown_urls import without_password


@pytest.mark.parametrize(
    "url",
    [
        "redis://:secret@host:6379/0?prefix=news:",
        "redis://user:sec:ret@host",
        "redis://user:sec@ret/secret?secret#secret@host/0",
        "unix://:secret@/run/redis.sock?db=2",
        "unix:///run/redis.sock?db=2&Password=secret",
        "rediss://host/0?ssl_password=secret&wait=5",
        "opensearchs://ada:secret@[::1]:9200/news?timeout=30",
        "--store=redis://:secret@host",
    ],
)
def test_no_password_is_shown(url: str) -> None:
    shown = without_password(url)
    assert "secret" not in shown
    assert "***" in shown
    assert without_password(shown) == shown


@pytest.mark.parametrize(
    "text", ["", "memory:", "sqlite:////data/me:you@home/a.db", "tantivy:dir@home", "redis://user@host/0?db=1", "a:b@c"]
)
def test_what_holds_no_password_stays(text: str) -> None:
    assert without_password(text) == text

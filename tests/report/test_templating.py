from __future__ import annotations

import re
import sys
from base64 import b64encode
from hashlib import sha256

import pytest

from cleancrawl.errors import MissingExtra
from cleancrawl.report import templating
from cleancrawl.report.templating import policy, render


def test_a_page_allows_the_styles_it_has_and_nothing_else() -> None:
    page = render("base.html")
    (allowed,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert allowed.replace("&#39;", "'") == policy()
    assert f"style-src 'sha256-{digest}';" in policy()
    assert "default-src 'none'" in policy()
    assert "script-src 'none'" in policy()
    assert "unsafe" not in policy()


def test_values_are_escaped_and_lose_what_no_reader_sees() -> None:
    template = templating._environment().from_string("<p title='{{ a }}'>{{ a }}{{ b }}</p>")
    hostile = "<script>alert(1)</script>'\x00\x1b"
    shown = "&lt;script&gt;alert(1)&lt;/script&gt;&#39;"
    assert template.render(a=hostile, b=None) == f"<p title='{shown}'>{shown}</p>"


def test_without_jinja_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    templating._environment.cache_clear()
    with pytest.raises(MissingExtra, match=re.escape("pip install 'cleancrawl[report]'")):
        render("base.html")

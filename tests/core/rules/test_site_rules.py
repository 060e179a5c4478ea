"""Rules for sites: what they may say, and whose page they are for."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cleancrawl.core.rules.site_rules import read_tables
from cleancrawl.errors import ConfigError
from cleancrawl.site_rules_file import read_site_rules

RULES = """
[example.com]
keep = [".lead"]
["news.example.com"]
drop = [".news"]
["Bücher.example"]
drop = [".book"]
["127.0.0.1:8000"]
drop = [".port"]
[127.0.0.1]
drop = [".address"]
[keep.example]
keep = [".label"]
"""


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/a", ".lead"),
        ("https://www.example.com/a", ".lead"),
        ("https://news.example.com/a", ".news"),
        ("https://live.news.example.com:8443/a", ".news"),
        ("https://xn--bcher-kva.example/", ".book"),
        ("http://127.0.0.1:8000/", ".port"),
        ("http://127.0.0.1:9000/", ".address"),
        ("https://keep.example/", ".label"),
        ("https://notexample.com/", None),
        ("https://example.com.evil.example/", None),
        ("https://com/", None),
        ("mailto:someone@example.com", None),
        ("", None),
        (None, None),
        ("http://[broken", None),
    ],
)
def test_the_host_comes_first_and_then_the_domains_above_it(url: str | None, expected: str | None) -> None:
    found = read_tables(tomllib.loads(RULES)).of(url)
    assert (found and (*found["keep"], *found["drop"])[0].source) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a.example\nkeep", "(at line 1"),
        ("[a.example]\nkeep = ['p[']", "[a.example] keep: 'p[' is no CSS selector: "),
        ("[a.example]\ndrop = ['p', 'p::text']", "[a.example] drop: 'p::text' is no CSS selector: ::text"),
        ("[a.example]\nkeep = '.lead'", "[a.example] keep must be a list of CSS selectors, not '.lead'"),
        ("[a.example]\nkeep = [1]", "[a.example] keep must be a list of CSS selectors, not [1]"),
        ("[a.example]\nremove = ['p']", "[a.example] remove: unknown, a site has keep and drop"),
        ("[a.example]\n", "[a.example] has no selectors"),
        ("[a.example]\nkeep = []", "[a.example] has no selectors"),
        ("keep = ['p']", "'keep' stands outside of a site's table"),
        ("", "no site has rules"),
        ("['https://a.example/']\nkeep = ['p']", "[https://a.example/] is no host or domain"),
        ("['*.a.example']\nkeep = ['p']", "[*.a.example] is no host or domain"),
        ("[a.example]\nkeep = ['p']\n['A.example']\nkeep = ['p']", "[A.example] is there twice"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError) as error:
        read_site_rules(path)
    assert str(error.value).startswith(f"site rules {path}: ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"site rules .*none\.toml cannot be read: No such file"):
        read_site_rules(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe[a]")
    with pytest.raises(ConfigError, match=r"site rules .*binary\.toml: "):
        read_site_rules(tmp_path / "binary.toml")

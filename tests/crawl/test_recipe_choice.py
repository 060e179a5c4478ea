"""The user's own ad lists, read from files."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from cleancrawl import CleanCrawlError
from cleancrawl.crawl.recipe_choice import read_ad_lists
from tests.core.rules.test_ad_lists import HOSTS


def test_a_broken_line_is_reported_with_file_and_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    first, second = tmp_path / "hosts.txt", tmp_path / "easy.txt"
    first.write_text(HOSTS, "utf-8")
    second.write_bytes(b"||one.example^\n\xff\xfe\n" + b"no domain\n" * 30)
    with caplog.at_level(logging.WARNING):
        domains = read_ad_lists([first, second])
    assert domains == {"ads.example.com", "tracker.example.net", "bare.example.org", "one.example"}
    messages = [record.getMessage() for record in caplog.records]
    assert messages[0] == f"{first}:5: 'not_a_domain!' is not a domain"
    assert messages[3].startswith(f"{second}:2: ")
    assert messages[-1] == f"{second}: 11 more broken lines"


def test_a_missing_file_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(CleanCrawlError, match=r"ad list .*none\.txt cannot be read: No such file"):
        read_ad_lists([tmp_path / "none.txt"])

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from cleancrawl.crawl.config import PREFIX, READERS, Config, refuse_start
from cleancrawl.errors import ConfigError
from tests.recipes_for_tests import paragraphs

RECIPE = "tests.recipes_for_tests.paragraphs"


def test_every_field_has_a_reader() -> None:
    assert list(READERS) == [known.name for known in fields(Config)]


def test_settings_of_others_do_not_matter_and_defaults_stand() -> None:
    assert Config.from_settings({"BOT_NAME": "x"}) == Config()


def test_values_arrive_as_on_the_command_line(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts.txt"
    hosts.touch()
    config = Config.from_settings(
        {
            "CLEANCRAWL_KEEP_HTML": "1",
            "CLEANCRAWL_MIN_PAGES": "3",
            "CLEANCRAWL_MIN_SHARE": "0.25",
            "CLEANCRAWL_AD_LISTS": f"{hosts}, {hosts}",
            "CLEANCRAWL_MODEL": hosts,
            "CLEANCRAWL_INDEX": "",
            "CLEANCRAWL_FAVOUR": "",
            "CLEANCRAWL_SITE_RULES": hosts,
            "CLEANCRAWL_RECIPE": paragraphs(),
        }
    )
    assert (config.keep_html, config.min_pages, config.min_share) == (True, 3, 0.25)
    assert (config.favour, config.site_rules) == (None, str(hosts))
    assert Config.from_settings({"CLEANCRAWL_FAVOUR": "recall"}).favour == "recall"
    assert (config.ad_lists, config.model, config.index) == ((str(hosts), str(hosts)), str(hosts), None)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ENABLED", "perhaps", "True or False, not 'perhaps'"),
        ("MODE", "manual", "'auto' or 'enrich', not 'manual'"),
        ("RECIPE", "stew", "unknown recipe 'stew'"),
        ("RECIPE", 7, "a recipe, not 7"),
        ("MODEL", "no/such.json", "a model file"),
        ("MIN_PAGES", 0, "at least 1, not 0"),
        ("MIN_SHARE", 1.5, "between 0 and 1, not 1.5"),
        ("DISCOVERY_DOCUMENTS", 0, "at least 1, not 0"),
        ("DISCOVERY_BYTES", "many", "a number of bytes, at least 1000, not 'many'"),
        ("DISCOVERY_ENTRIES", -1, "at least 1, not -1"),
        ("FAVOUR", "speed", "'precision' or 'recall', not 'speed'"),
        ("SITE_RULES", "no/such.toml", "a TOML file with rules per site, not 'no/such.toml'"),
        ("SITE_RULES", 3, "a TOML file with rules per site, not 3"),
        ("AD_LISTS", 3, "a list of existing files, not 3"),
        ("AD_LISTS", ["no/such.txt"], "a list of existing files"),
        ("SITE_KEY", "page", "'domain' or 'host'"),
        ("MIN_WORDS", "many", "a whole number"),
        ("MAX_PAGE_BYTES", True, "a number of bytes"),
        ("FORMATS", "text,pdf", "some of 'text', 'markdown', 'html', not 'text,pdf'"),
        ("FORMATS", (), "some of 'text', 'markdown', 'html', not ()"),
        ("FORMATS", ("markdown", 3), "some of 'text', 'markdown', 'html', not ('markdown', 3)"),
        ("DUPLICATES", "hide", "'mark' or 'drop' or 'keep'"),
        ("STORE", "", "a store URL"),
        ("CONTACT", 3, "an address or URL"),
        ("RECIPES", "default", "unknown setting CLEANCRAWL_RECIPES: did you mean CLEANCRAWL_RECIPE?"),
        ("ZZZ", 1, "unknown setting CLEANCRAWL_ZZZ"),
    ],
)
def test_a_wrong_value_says_what_is_allowed(name: str, value: Any, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        Config.from_settings({PREFIX + name: value})
    assert words in str(error.value)
    assert PREFIX + name in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("spider", [["s"], ["news", "-a", "sites=https://a.example"]], ids=["own", "news"])
def test_the_scrapy_command_stops_with_one_line(
    spider: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project\n")
    (tmp_path / "project.py").write_text(
        "import scrapy\n"
        "SPIDER_MODULES = ['project', 'cleancrawl.spiders']\n"
        "ADDONS = {'cleancrawl.crawl.addon.CleanCrawlAddon': 500}\n"
        "class S(scrapy.Spider):\n    name = 's'\n"
    )
    command = [sys.executable, "-m", "scrapy", "crawl", *spider, "-s", "CLEANCRAWL_MODE=manual", "-s", "LOG_ENABLED=0"]
    monkeypatch.setenv("PYTHONPATH", str(Path.cwd()))
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "cleancrawl: CLEANCRAWL_MODE must be 'auto' or 'enrich', not 'manual'\n"


def test_elsewhere_the_error_is_raised_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "scrapy.cmdline", raising=False)
    with pytest.raises(ConfigError):
        refuse_start(ConfigError("wrong"))

"""What the add-on changes in a project's settings."""

from __future__ import annotations

from scrapy.settings import Settings

from cleancrawl.crawl.addon import ITEMS_AT_ONCE, CleanCrawlAddon


def test_few_places_for_the_items_of_a_response_unless_the_project_wants_more() -> None:
    usual, own = Settings(), Settings({"CONCURRENT_ITEMS": 100})
    for settings in (usual, own):
        CleanCrawlAddon().update_settings(settings)
    assert usual.getint("CONCURRENT_ITEMS") == ITEMS_AT_ONCE
    assert own.getint("CONCURRENT_ITEMS") == 100

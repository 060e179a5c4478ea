from __future__ import annotations

from spiders.news import NewsSpider
from tests.crawl.cleaning.test_cleaning import STORY
from tests.crawling import Crawl, LittleServer


def test_a_feed_that_robots_txt_calls_a_sitemap_is_read(crawl: Crawl, server: LittleServer) -> None:
    server.page("/robots.txt", "User-agent: *\nSitemap: /news.rss", kind="text/plain")
    item = "<item><link>/storm</link><pubDate>Sun, 15 Mar 2026 10:00:00 GMT</pubDate></item>"
    server.page("/news.rss", f"<rss><channel>{item}</channel></rss>", kind="application/rss+xml")
    server.page("/storm", STORY)
    server.page("/", "<p>Front</p>")
    crawled = crawl(NewsSpider, sites=server.url)
    assert [article.url for article in crawled.items] == [f"{server.url}/storm"]
    assert crawled.counted("discovery/found-by-") == {"feed": 1}


def test_a_redirect_off_the_site_is_left_out_but_a_front_page_may_move(
    crawl: Crawl, server: LittleServer, other_server: LittleServer
) -> None:
    links = f"<a href='/the-storm-at-the-coast'>1</a><a href='{server.url}/the-end-of-the-storm'>2</a>"
    server.page("/", "", status=301, headers={"Location": other_server.page("/start", links)})
    other_server.page("/the-storm-at-the-coast", STORY)
    server.page("/the-end-of-the-storm", "", status=302, headers={"Location": f"{other_server.url}/the-aftermath"})
    other_server.page("/the-aftermath", STORY)
    crawled = crawl(NewsSpider, {"CLEANCRAWL_ALLOW_PRIVATE_HOSTS": True}, sites=server.url, discover="links")
    assert [article.url for article in crawled.items] == [f"{other_server.url}/the-storm-at-the-coast"]
    assert crawled.counted("discovery/")["off-site-redirect"] == 1


def test_links_that_lead_nowhere_do_not_stop_it(crawl: Crawl, server: LittleServer) -> None:
    server.page("/robots.txt", "Sitemap: http://[bad\nSitemap: ftp://a.example/x\nSitemap: /map.xml", kind="text/plain")
    locations = "".join(f"<url><loc>{place}</loc></url>" for place in ("http://[bad", "ftp://a.example/", "/storm"))
    server.page("/map.xml", f"<urlset>{locations}</urlset>", kind="text/xml")
    feeds = "".join(f"<link rel=alternate type=application/rss+xml href='{place}'>" for place in ("http://[x", "x:y"))
    server.page("/", f"<head>{feeds}</head><a href='http://[bad'>1</a><a href='//'>2</a><a href='/the-end-of-it'>3</a>")
    server.page("/storm", STORY)
    server.page("/the-end-of-it", STORY)
    crawled = crawl(NewsSpider, sites=server.url)
    assert {article.url for article in crawled.items} == {f"{server.url}/storm", f"{server.url}/the-end-of-it"}
    assert "spider_exceptions/count" not in crawled.stats

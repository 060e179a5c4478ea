"""What mutations start from where no pages are given: small inputs that have something of everything."""

from __future__ import annotations

from itertools import islice

from cleancrawl.lab.bench.sample_sites import sample_site

LINKED_DATA = """{"@context": "https://schema.org", "@graph": [
{"@type": "WebSite", "@id": "https://news.example/#site", "name": "Daily Example", "url": "https://news.example/"},
{"@type": "Person", "@id": "#jane", "name": "Jane Doe", "sameAs": ["https://social.example/@jane"]},
{"@type": ["NewsArticle", "Article"], "@id": "#a", "headline": "The old bridge opens again", "author": [
{"@id": "#jane"}, "John Smith"], "datePublished": "2024-05-03T10:20:30+02:00", "dateModified": 1714731630,
"articleSection": ["Local"],
"keywords": "bridge, river, council", "publisher": {"@type": "Organization", "name": "Daily Example", "logo": {"url":
"/logo.png"}}, "image": {"@type": "ImageObject", "url": "/a.jpg", "width": 1200}, "isAccessibleForFree": "False",
"description": "The bridge was closed for a year.", "mainEntityOfPage": {"@id": "https://news.example/a"}, "inLanguage":
"en-GB", "articleBody": "The council said that the old bridge would open again in May. It was closed for a year."}]}"""

ARTICLE = "".join(
    f"<p>The council said on day {day} that the old bridge, which had been closed, would open again in May.</p>\n"
    for day in range(1, 9)
)

PAGE = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>The old bridge opens again | Daily Example</title>
<meta property="og:title" content="The old bridge opens again"><meta property="og:site_name" content="Daily Example">
<meta name="author" content="Jane Doe and John Smith"><meta property="article:published_time" content="2024-05-03">
<meta name="keywords" content="bridge, river"><link rel="canonical" href="https://news.example/2024/05/03/a">
<script type="application/ld+json">{LINKED_DATA}</script><style>p {{ color: red }}</style></head><body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/local">Local</a></li></ul></nav>
<article itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop="headline">The old bridge opens again</h1>
<p class="byline">By <a rel="author" href="/jane">Jane Doe</a> <time datetime="2024-05-03T10:20">3 May 2024</time></p>
{ARTICLE}<ul><li>One bridge</li><li>Two towers</li></ul><blockquote>It is <em>safe</em>,<br>she said.</blockquote>
<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2023</td><td>€ 1</td></tr></table><pre>a  b\n  c</pre>
<figure><img src="/a.jpg" alt="Bridge"><figcaption>The bridge (© 2024 Us)</figcaption></figure></article>
<div id="ad-1" class="advert" style="display:none"><iframe src="https://ads.example/300x250"></iframe></div>
<aside class="related"><h3>Read more</h3><a href="/b">Ferry</a></aside>
<section id="comments" class="comments"><h2>2 Comments</h2><div class="comment"><span class="author">Ann</span>
<time datetime="2024-05-04">May 4, 2024</time><p>Good news for all of us who live there.</p><a>Reply</a></div>
<div class="comment"><span class="author">Bob</span> 2 days ago<p>At last!</p><a>Reply</a></div></section>
<footer>© 2024 Daily Example</footer></body></html>"""

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://news.example/a?b=1&amp;c=2</loc>
<lastmod>2024-05-03T10:20:30+02:00</lastmod><news:news><news:publication><news:name>Daily</news:name><news:language>en
</news:language></news:publication><news:publication_date>2024-05-03</news:publication_date>
<news:title><![CDATA[A & B]]></news:title></news:news></url><url><loc> /b </loc></url></urlset>"""

SITEMAP_INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>/news.xml</loc>
<lastmod>2024-05-03</lastmod></sitemap><sitemap><loc>https://news.example/old.xml.gz</loc></sitemap></sitemapindex>"""

RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Daily</title>
<language>en</language><item><title>Bridge &amp; river</title><link>https://news.example/a</link><pubDate>Fri, 03
 May 2024 10:20:30 GMT</pubDate><dc:creator>Jane</dc:creator>
<description><![CDATA[<p>Open again</p>]]></description></item>
<item><guid>https://news.example/b</guid></item></channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en"><title>Daily</title><entry>
<title type="html">A</title><link rel="alternate" href="/a"/>
<updated>2024-05-03T10:20:30Z</updated><id>urn:1</id></entry></feed>"""

JSON_FEED = """{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/a", "title": "A", "date_modified":
"2024-05-03T10:20:30Z", "language": "en"}, {"url": "https://news.example/b", "date_published": "2024-05-03"}]}"""

ROBOTS = """User-agent: *
Disallow: /private/*?print=$
Allow: /private/news
Crawl-delay: 2.5
Request-rate: 1/5s 0600-0845
Sitemap: https://news.example/sitemap.xml
User-agent: cleancrawl
Disallow:
"""


def sample_pages() -> list[str]:
    """Pages of a made-up site, and one with all that news pages have."""
    return [PAGE, *(html for _, html in islice(sample_site(4, rows=6), 4))]

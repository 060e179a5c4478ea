"""Pieces of each language that mutations put where they do not belong."""

from __future__ import annotations


def _tokens(listed: str) -> tuple[bytes, ...]:
    return tuple(token.encode() for token in listed.split("¶"))


LONG_NUMBER = b"9" * 5_000
MARKUP = _tokens(
    "<p>¶</p>¶<div>¶</div>¶<p ¶<a href=¶<!--¶-->¶<![CDATA[¶]]>¶<¶>¶</¶&¶<br>¶<li>¶<ul>¶<table>¶<td>¶<tr>¶"
    "<script>¶</script>¶<style>¶<title>¶<noscript>¶<svg>¶<h1>¶</h1>¶<pre>¶<blockquote>¶<b>¶<form>¶<template>¶"
    "<body>¶<html>¶<frameset>¶<math>¶<textarea>¶<plaintext>¶<select>¶<option>¶<dialog>¶<img src=x>¶"
    '<time datetime=¶<figure>¶ class="ad"¶ hidden¶ style="display:none"¶ itemprop="author"¶ id="S:1"¶'
    ' dir="rtl"¶ a=b¶"¶\'¶a@¶a@a.¶(¶[¶ - ¶| ¶ , ¶\n¶ \n¶  ¶\t¶www.¶http://¶//¶By ¶admin¶2024-¶2024-05-03¶'
    '3 May 2024¶10:20¶© 2024¶password=¶{¶}¶Comments¶Reply¶publishedAt":"¶ubli¶<meta charset="utf-16">¶'
    '<meta charset="gbk">¶<meta name="author" content="¶<base href="http://[">¶'
    '<meta property=og:title content=\'¶<link rel="canonical" href="http://[::1¶'
    '<script type="application/ld+json">'
)
JSON = _tokens(
    '{¶}¶[¶]¶,¶:¶"¶\\¶\\u0000¶\\ud800¶NaN¶-Infinity¶1e999¶null¶<!--¶"@id":¶"@type":"NewsArticle",¶'
    '"author":¶"name":¶"@graph":[¶//<![CDATA[¶]]>¶/*¶,]¶<p ¶a@'
)
XML = _tokens(
    "<url>¶</url>¶<loc>¶</loc>¶<sitemap>¶<item>¶</item>¶<entry>¶<link>¶<link href=¶<title>¶<![CDATA[¶]]>¶<!--¶"
    "-->¶<!DOCTYPE a [<!ENTITY b 'c'>]>¶&b;¶<?xml¶?>¶encoding=\"utf-16\"¶xmlns=¶<pubDate>¶<updated>¶<guid>¶"
    "xml:base='http://['¶<dc:date>¶<content type='xhtml'>¶<feed>¶<rss>¶99999-99-99¶Fri, 99 May 20249 99:99¶"
    'http://[¶//¶javascript:¶\x1f\x8b¶{¶{"items":[{"url":"'
)
ROBOTS = _tokens(
    "User-agent: ¶Disallow: ¶Allow: ¶Crawl-delay: ¶Sitemap: ¶Request-rate: ¶Visit-time: ¶\n¶*¶$¶%¶%zz¶/¶#¶:¶"
    "nan¶inf¶1e999¶-1¶http://[¶1/0s¶2500-9999¶clean-param: "
)

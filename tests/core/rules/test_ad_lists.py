"""Domains out of ad lists, in hosts and EasyList format."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cleancrawl.core.rules.ad_lists import parse_ad_list

HOSTS = """\
# a hosts file
127.0.0.1 localhost
::1 ip6-localhost ip6-loopback
0.0.0.0 ads.example.com  tracker.example.net # two of them
0.0.0.0 not_a_domain!
127.0.0.1
bare.example.org
two words
"""
EASYLIST = """\
[Adblock Plus 2.0]
! Title: a list
||banner.example.com^
||popup.example.com^$third-party,popup
||partner.example.com^$domain=news.example
||cdn.example.com/ads/*
@@||good.example.com^
||good.example.com^
##.advert
example.com##.advert
&ad_box_
||exa mple.com^
-ad-banner.
/adserver/*
||Upper.Example.COM^
"""


def test_hosts_format() -> None:
    found = parse_ad_list(HOSTS.splitlines())
    assert found.domains == {"ads.example.com", "tracker.example.net", "bare.example.org"}
    assert found.problems == (
        (5, "'not_a_domain!' is not a domain"),
        (6, "an address without a host"),
        (8, "'two words' is not a domain"),
    )


def test_easylist_format() -> None:
    found = parse_ad_list(EASYLIST.splitlines())
    assert found.domains == {"banner.example.com", "popup.example.com", "upper.example.com"}
    assert found.problems == ((12, "'||exa mple.com^' is not a domain"),)
    assert found.skipped == 7


@settings(deadline=None, max_examples=100)
@given(st.lists(st.text(alphabet="|@^$#*/. ab-:0,!\n", max_size=20)))
def test_any_lines_are_parsed(lines: list[str]) -> None:
    found = parse_ad_list(lines)
    assert all(1 <= number <= len(lines) for number, _ in found.problems)

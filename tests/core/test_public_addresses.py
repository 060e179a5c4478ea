from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.public_addresses import GivenPlaces, canonical_host, is_private, is_public, literal_address

PRIVATE = {
    "loopback": ["127.0.0.1", "127.255.0.9", "::1"],
    "private use": ["10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "fc00::1", "fd12::1"],
    "link-local": ["169.254.169.254", "fe80::1", "fe80::1%eth0", "[fe80::1%25eth0]", "febf::1"],
    "carriers' NAT": ["100.64.0.1", "100.127.255.255"],
    "unspecified": ["0.0.0.0", "0.1.2.3", "::"],
    "broadcast and reserved": ["255.255.255.255", "240.0.0.1"],
    "multicast": ["224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1"],
    "site-local": ["fec0::1", "feff::1"],
    "IPv4-mapped": ["::ffff:127.0.0.1", "::ffff:a00:1", "::ffff:0:127.0.0.1"],
    "IPv4-compatible": ["::127.0.0.1", "::a00:1", "::8.8.8.8"],
    "NAT64": ["64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a00:1", "64:ff9b:1::8.8.8.8"],
    "6to4": ["2002:7f00:1::1", "2002:a9fe:a9fe::", "2002:c0a8:1::1"],
    "Teredo": ["2001:0:5db8:d70e:0:0:80ff:fffe", "2001::1"],
    "documentation and tests": ["192.0.2.1", "198.18.0.1", "2001:db8::1", "3fff::1", "192.0.0.8"],
    "other spellings": [
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "127.0.0.1.",
        "１２７.0.0.1",
        "127。1",
    ],
    "names": ["localhost", "LOCALHOST.", "a.localhost", "localhost.."],
}


@pytest.mark.parametrize("kind", PRIVATE)
def test_what_is_not_on_the_public_internet(kind: str) -> None:
    assert [host for host in PRIVATE[kind] if is_private(host) is not True] == []


def test_what_is_public() -> None:
    public = ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8", "2002:808:808::1", "::ffff:8.8.8.8"]
    assert [host for host in [*public, "134744072", "0x08080808"] if is_private(host) is not False] == []


def test_names_are_no_addresses() -> None:
    names = ["news.example", "127.0.0.1.news.example", "localhost.news.example", "0x7f.example", "1.2.3.4.5", "", "a b"]
    assert [name for name in names if is_private(name) is not None] == []


@given(st.ip_addresses(v=4))
def test_ipv4_in_ipv6_is_what_it_leads_to(address: object) -> None:
    number = int(ip_address(str(address)))
    wrapped = [0xFFFF << 32 | number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80 | 1]
    assert {is_public(ip_address(f"{ip_address(value)}")) for value in wrapped} == {is_public(ip_address(number))}


@given(st.text(max_size=40))
def test_any_host_has_one_spelling(host: str) -> None:
    once = canonical_host(host)
    assert canonical_host(once) == once or literal_address(host) is None


def test_the_first_answer_settles_what_a_given_place_is() -> None:
    places = GivenPlaces()
    for url in ("http://intranet.corp:8080/a", "https://news.example", "http://10.0.0.1", "http://mixed.example"):
        places.add(url)
    intranet, news = ("intranet.corp", 8080), ("news.example", 443)
    assert places.refused(intranet, []) is None
    assert places.refused(intranet, ["10.0.0.5", "10.0.0.6"]) is None
    assert places.refused(intranet, ["10.0.0.6"]) is None
    assert places.refused(intranet, ["10.0.0.6", "10.0.0.7"]) == "10.0.0.7"
    assert places.refused(("intranet.corp", 80), ["10.0.0.5"]) == "10.0.0.5"
    assert places.refused(("www.intranet.corp", 8080), ["10.0.0.5"]) == "10.0.0.5"
    assert places.refused(news, ["93.184.215.14"]) is None
    assert places.refused(news, ["10.0.0.5"]) == "10.0.0.5"
    assert places.refused(("mixed.example", 80), ["93.184.215.14", "10.0.0.5"]) == "10.0.0.5"
    assert places.refused(("10.0.0.1", 80), ["10.0.0.1"]) is None
    assert places.refused(("10.0.0.1", 443), ["10.0.0.1"]) == "10.0.0.1"


def test_link_local_addresses_are_reached_only_where_they_were_given_as_such() -> None:
    places = GivenPlaces()
    places.add("http://169.254.1.2/")
    places.add("http://evil.example/")
    assert places.refused(("169.254.1.2", 80), ["169.254.1.2"]) is None
    assert places.refused(("evil.example", 80), ["169.254.169.254"]) == "169.254.169.254"

"""Addresses that are complete are taken as they are: resolving them would give the same."""

from __future__ import annotations

from urllib.parse import urljoin

from hypothesis import given
from hypothesis import strategies as st

from cleancrawl.core.metadata.stated_addresses import absolute_url

_PIECES = st.sampled_from("/ // .. . ? # x=1 & ; %20 é [ ] @ : :80 :443 - _ A.B (1) = ~".split())
_ADDRESSES = st.lists(_PIECES, max_size=6).map("".join)
_BASES = st.sampled_from(["https://a.example/x/y", "http://a.example/", "https://a.example", "http://[", ""])


@given(_ADDRESSES, _BASES, _BASES)
def test_an_address_is_what_resolving_it_gives(path: str, page: str, base: str) -> None:
    stated = f"https://a.example/{path}"
    try:
        resolved = urljoin(urljoin(page, base), stated)
    except ValueError:
        resolved = None
    assert absolute_url(stated, page, base) == resolved

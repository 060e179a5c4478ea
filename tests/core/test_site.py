from __future__ import annotations

import pytest

from cleancrawl.core.site import site_key


@pytest.mark.parametrize(
    ("url", "domain", "host"),
    [
        ("https://www.example.com/a", "example.com", "www.example.com"),
        ("https://EXAMPLE.com./a", "example.com", "example.com"),
        ("https://user:word@news.example.co.uk:443/a", "example.co.uk", "news.example.co.uk"),
        ("http://news.example.com:8080/", "example.com", "news.example.com:8080"),
        # Two blogs of one provider are two sites: the provider is in the private part of the list.
        ("https://www.a.blogspot.com/", "a.blogspot.com", "www.a.blogspot.com"),
        ("https://bücher.example/", "xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("https://www.xn--bcher-kva.de/", "xn--bcher-kva.de", "www.xn--bcher-kva.de"),
        ("https://例え.テスト/", "xn--r8jz45g.xn--zckzah", "xn--r8jz45g.xn--zckzah"),
        ("https://новости.рф/", "xn--b1amnebsh.xn--p1ai", "xn--b1amnebsh.xn--p1ai"),
        ("http://192.0.2.7/", "192.0.2.7", "192.0.2.7"),
        ("http://192.0.2.7:8000/", "192.0.2.7:8000", "192.0.2.7:8000"),
        ("http://[2001:db8::1]/", "2001:db8::1", "2001:db8::1"),
        ("http://[2001:db8::1]:8000/", "[2001:db8::1]:8000", "[2001:db8::1]:8000"),
        ("http://localhost/", "localhost", "localhost"),
        ("http://localhost:8000/", "localhost:8000", "localhost:8000"),
        ("http://intranet/", "intranet", "intranet"),
        ("http://co.uk/", "co.uk", "co.uk"),
        ("http://-\udc80.example/", "-\udc80.example", "-\udc80.example"),
        ("http://[broken/", "", ""),
        ("http://a:port/", "", ""),
        ("mailto:a@example.com", "", ""),
        ("", "", ""),
    ],
)
def test_the_site_of_a_url(url: str, domain: str, host: str) -> None:
    assert (site_key(url), site_key(url, by="host")) == (domain, host)

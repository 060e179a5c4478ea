from __future__ import annotations

import pytest

from cleancrawl.errors import ConfigError
from cleancrawl.lab.bench import peers
from cleancrawl.lab.bench.peers import PEERS, Source, bare_parse, block_text, load_peer, load_peers
from tests.extras import needs
from tests.lab.bench.conftest import ARTICLE, SECOND, page_html

SOURCE = Source(page_html(f"{ARTICLE} {SECOND}", f"{SECOND} {ARTICLE}"), "https://www.site.com/news/1", "en")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PEERS)
def test_every_peer_gives_back_the_article(name: str) -> None:
    needs({"readability-lxml": "readability", "newspaper4k": "newspaper"}.get(name, name.split("-")[0]), "bench")
    peer = load_peer(name)
    text = peer.extract(SOURCE)
    assert isinstance(text, str)
    assert "rebuild the bridge over the mill stream" in text
    assert peer.version[0].isdigit()


def test_unknown_and_missing_peers_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="unknown peer 'nobody'"):
        load_peer("nobody")
    monkeypatch.setitem(PEERS, "gone", ("a-package-that-is-not-there", peers._goose))
    loaded, missing = load_peers(["gone"])
    assert loaded == []
    assert missing == ["a-package-that-is-not-there is not installed: pip install 'cleancrawl[bench]'"]


def test_the_bare_parse_takes_any_text() -> None:
    assert bare_parse().extract(SOURCE) == ""


def test_text_of_html_keeps_blocks_apart_and_words_together() -> None:
    html = "<div>a<!-- no --> b<p>c<b>d</b>  e</p>f<ul><li>g<li>h</ul> i</div>"
    assert block_text(html) == "a b\ncd e\nf\ng\nh\ni"
    assert block_text(" \n") == ""

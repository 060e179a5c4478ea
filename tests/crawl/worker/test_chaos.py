"""Workers that die, stand still, come and go, and a Redis that is killed: what is lost, doubled or impolite?"""

from __future__ import annotations

import tempfile
from pathlib import Path

from cleancrawl.lab.chaos.rounds import Rounds
from tests.stores.redis_process import find_redis_server


def test_four_rounds() -> None:
    find_redis_server()
    # Not below pytest's own directory: the path of a socket may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="chaos-") as directory:
        rounds = Rounds(Path(directory), sites=6, workers=2, lease=2.0, seed=2026)
        findings = rounds.run(4)
        assert findings.sound, "\n".join([*findings.lines(), *map(str, vars(findings).values())])
        assert findings.articles == len(rounds.farm.article_urls())
        assert set(findings.events) == {"kill", "pause", "restart", "add"}

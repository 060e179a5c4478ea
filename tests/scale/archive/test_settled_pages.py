"""Pages whose first result stands give what they would give if they were judged anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cleancrawl.archives.warc_pages import SavedPage
from cleancrawl.core.recipe import Wishes
from cleancrawl.recipes import get_recipe
from cleancrawl.scale.archive import part_work, second_pass
from cleancrawl.scale.archive.bulk_options import BulkOptions
from cleancrawl.scale.archive.counting import OwnPage, SiteBlocks
from cleancrawl.scale.archive.first_pass import PageFacts
from cleancrawl.scale.archive.local_engine import LocalRun
from cleancrawl.scale.archive.paused_pages import PausedPage
from cleancrawl.scale.archive.second_pass import PageResult
from cleancrawl.scale.archive.settled_pages import can_be_settled
from tests.scale.archive.warc_files import FIRST_DAY, THINGS, WORDS, articles_in, by_one_process, comparable, warc

LINES = (
    "<p>Share this story with your friends</p>",
    "<ul><li>Salt and pepper</li><li>Two large onions</li><li>A glass of water</li></ul>",
    "<ul><li><a href=/a>World news</a></li><li><a href=/b>Sport and weather</a></li></ul>",
    "<h2>More about this</h2>",
    "<div hidden><p>Choose your language here</p></div>",
    "<p>Sign up for our letter, which comes every morning, and read what others only read in the evening.</p>",
    "<p class=copyright>© 2026 The house of news</p>",
    "<div id=comments><h3>3 comments</h3><p>12 May 2026</p><p>Reply</p></div>",
    "<table><tr><td>Opening hours</td><td>9 to 5</td></tr></table>",
    "<p>Photo: the agency</p>",
)


def patchwork(site: str, count: int) -> list[SavedPage]:
    """Pages of one site without a common template: text of their own, and lines that some of the others have."""
    found = []
    for number in range(count):
        chance = Random(f"{site} {number}")
        # In class names digits do not count.
        own = "".join(chance.choice("abcdefgh") for _ in range(8))
        parts = [f"<p class=t{own}>{_text(chance)}</p>" for _ in range(chance.randint(2, 7))]
        for line in chance.sample(LINES, chance.choice((0, 1, 2, 6))):
            parts.insert(chance.randint(0, len(parts)), line)
        title = f"The {chance.choice(THINGS)} was {chance.choice(WORDS)} on day {number}"
        inside = "".join(f"<div class={own}>{part}</div>" for part in parts)
        body = f"<html lang=en><title>{title}</title><body><h1>{title}</h1>{inside}</html>"
        headers = {"Content-Type": "text/html"}
        found.append(
            SavedPage(f"https://{site}/news/{number}-a-story", body.encode(), 200, headers, FIRST_DAY + number)
        )
    return found


def _text(chance: Random) -> str:
    names = ["".join(chance.choice("bdfglmnprst") + chance.choice("aeiou") for _ in range(4)) for _ in range(12)]
    return f"On that day the {' and the '.join(names)} was {chance.choice(WORDS)}, they said."


def test_what_stands_is_what_would_come_of_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: Counter[str] = Counter()
    judge = second_pass.second_pass

    def both(facts: PageFacts, state: PausedPage, site: SiteBlocks, own: OwnPage, options: BulkOptions) -> PageResult:
        short = judge(facts, state, site, own, options)
        anew = judge(facts, replace(state, alone=None), site, own, options)
        assert state.alone is not None
        stands = state.alone.settled(
            site.known(facts, state.alone.lengths, own), site, facts.site, facts.url, options.made_recipe
        )
        counted["stands" if stands else "anew"] += 1
        changed = bool(stands and stands.article and stands.article["removed"].get("site-block"))
        counted["other rule"] += changed
        assert short == anew
        if short.article and anew.article:
            assert list(short.article["removed"].items()) == list(anew.article["removed"].items())
        return short

    monkeypatch.setattr(part_work, "second_pass", both)
    pages = patchwork("a.example", 60) + patchwork("b.example", 12)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(pages))
    LocalRun([path], tmp_path / "out").run()
    assert counted["stands"] > 10, counted
    assert counted["anew"] > 10, counted
    assert counted["other rule"] > 5, counted
    assert comparable(articles_in(tmp_path / "out")) == comparable(by_one_process(pages))


def test_only_recipes_whose_stages_are_known_have_settled_pages() -> None:
    recipe = get_recipe("default")
    assert can_be_settled(recipe)
    assert can_be_settled(recipe.tailored(Wishes(favour="recall")))
    assert not can_be_settled(recipe.tailored(Wishes(comments=True)))
    assert not can_be_settled(get_recipe("line-block"))
    assert not can_be_settled(replace(recipe, score=(*recipe.score, lambda page: None)))

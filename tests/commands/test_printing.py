"""Commands print nothing raw that came from a page."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from cleancrawl.cli import main
from cleancrawl.commands import search
from cleancrawl.commands.clean import verdict_line
from cleancrawl.commands.printing import show
from cleancrawl.core.block import Block
from cleancrawl.core.fingerprints.block_prints import Prints
from cleancrawl.core.text.control_characters import is_clean
from cleancrawl.crawl.output.progress_line import progress_line
from cleancrawl.crawl.output.summary import summary
from cleancrawl.sinks.reader import Hit
from cleancrawl.sinks.snippets import Snippet
from cleancrawl.stores.opening import open_store
from cleancrawl.stores.protocol import PageRecord, Visit

COMMANDS = Path(__file__).parents[2] / "cleancrawl" / "commands"
EVIL = "\x1b]52;c;eA==\x07\x9b31m\u202e"


def test_commands_print_in_one_way() -> None:
    for path in (*COMMANDS.glob("*.py"), COMMANDS.parent / "cli.py"):
        calls = {node.func.id for node in ast.walk(ast.parse(path.read_text())) if _is_call(node)}
        assert "print" not in calls or path.name == "printing.py", path.name


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


@pytest.mark.parametrize("options", [[], ["--why"], ["--format", "json", "--why"], ["--format", "markdown"]])
def test_clean(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<title>A{EVIL}</title><div class='ad{EVIL}'>Ad{EVIL}</div>" + f"<p>One, two{EVIL} three.</p>" * 9)
    assert main(["clean", str(page), *options]) == 0
    said = capsys.readouterr().out
    assert "three" in said
    assert is_clean(said)
    assert "\u202e" not in said


def test_verdicts_of_old_stores_and_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    show(verdict_line(Block(f"a{EVIL}", 1, 0, "p")))
    assert main(["clean", f"no-such-file-{EVIL}"]) == 1
    said = capsys.readouterr()
    assert is_clean(said.out + said.err)
    assert "no-such-file-" in said.err


def test_search() -> None:
    passage = Snippet(f"one{EVIL} two", ((0, 3),))
    hit = Hit(1.0, {"url": f"https://a.example/{EVIL}", "site": EVIL}, Snippet(f"A{EVIL}", ()), passage)
    said = search.render([hit], 1, f"q{EVIL}", False, 80)
    assert is_clean(said)
    marked = search.render([hit], 1, "q", True, 80)
    assert is_clean(marked.replace("\033[0m", "").replace("\033[1m", "").replace("\033[2m", ""))
    assert "\033[1mone\033[0m" in marked


def test_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, site = f"sqlite:///{tmp_path / 'store.db'}", f"a.example{EVIL}"
    with_evil = open_store(url)
    with_evil.record(PageRecord(Visit(site, "https://a.example/1", 1.0), Prints((), lambda indices: ()), 1))
    with_evil.close()
    assert main(["store", "sites", url]) == 0
    said = capsys.readouterr().out
    assert "a.example" in said
    assert is_clean(said)


def test_progress_and_summary() -> None:
    stats = {f"cleancrawl/dropped/{EVIL}": 1, "cleancrawl/articles": 1}
    assert is_clean(progress_line(stats, 1, 1.0, 0))
    assert is_clean(summary(stats, {EVIL: EVIL}, [EVIL], (f"Title{EVIL}", f"Text{EVIL}\nmore")))


def test_json_keeps_its_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<title>\u202eabc\u202c</title><p>{'The harbour was closed for hours. ' * 9}", encoding="utf-8")
    assert main(["clean", "--format", "json", str(page)]) == 0
    said = capsys.readouterr().out
    assert is_clean(said)
    assert "\u202e" not in said
    assert json.loads(said)["title"] == "\u202eabc\u202c"

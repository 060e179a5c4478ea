"""``clean --why`` on a terminal: a real one, made by the operating system, and any page's text on it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest

from cleancrawl import clean
from cleancrawl.cli import main
from cleancrawl.commands.terminal import Terminal, columns
from cleancrawl.commands.why_lines import why
from cleancrawl.core.document import Document
from cleancrawl.core.text.control_characters import is_clean

MENU = "<ul>" + "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(30)) + "</ul>"
STORY = "".join(
    f"<p>The storm came over hill {number} at night, and the harbour was closed until the morning. Nobody was hurt, as"
    f" the harbour master said on Monday, but the ferries stayed in port for {number} hours.</p>"
    for number in range(3, 9)
)
PAGE = f"<title>A storm</title><body>{MENU}<h1>A storm</h1><article>{STORY}</article>{MENU}"
EVIL = "\x1b]52;c;eA==\x07\x9b31m\u202e"
_STYLE = re.compile(r"\033\[[0-9;]*m")


def bare(text: str) -> str:
    return _STYLE.sub("", text)


def on_terminal(arguments: list[str], **environment: str) -> str:
    """What the command writes to a terminal of 120 columns."""
    ours, theirs = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "cleancrawl", *arguments],
        stdout=theirs,
        env={**variables, "TERM": "xterm", "COLUMNS": "120", **environment},
    )
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65_536):
            written += part
    except OSError:
        pass  # how Linux says that nobody has the other end any more
    os.close(ours)
    assert process.wait() == 0
    return written.decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("why") / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def test_a_terminal_has_colours_and_folded_menus_unless_told_otherwise(page: str) -> None:
    coloured = on_terminal(["clean", page, "--why"])
    assert "\033[32m" in coloured
    lines = bare(coloured).splitlines()
    assert sum("short or linked blocks" in line for line in lines) == 2
    assert lines[0].lstrip().startswith("0 … 30 short or linked blocks to 29")
    assert sum(" + kept " in line for line in lines) == 6
    assert on_terminal(["clean", page, "--why"], NO_COLOR="1") == bare(coloured)


def test_a_pipe_has_a_line_per_block(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", page, "--why"]) == 0
    said = capsys.readouterr().out
    assert "\033" not in said
    assert sum(line.startswith(("+ [", "- [")) for line in said.splitlines()) == len(clean(PAGE).blocks)


def test_nothing_is_folded_where_it_is_not_wanted() -> None:
    document = clean(PAGE)
    assert len(why(document, Terminal(), unfold=True).splitlines()) == len(document.blocks)


def test_columns_are_aligned_and_no_line_is_too_wide() -> None:
    document = clean(PAGE.replace("Nobody was hurt", "谁也没有受伤" * 9))
    for colours in (False, True):
        lines = bare(why(document, Terminal(colours, 90), unfold=True)).splitlines()
        assert max(map(columns, lines)) <= 90
        assert len({re.match(r" *\d+ [+-] (kept|\S+: \S+) +(?=\d\.\d\d)", line).end() for line in lines}) == 1  # type: ignore[union-attr]


@pytest.mark.parametrize("colours", [False, True])
def test_nothing_of_a_page_commands_the_terminal(colours: bool) -> None:
    document: Document = clean(PAGE.replace("storm", f"storm{EVIL}"))
    for block in document.blocks[::3]:
        block.removed = None
        block.remove(f"own{EVIL}", f"rule{EVIL}", f"evidence{EVIL}")
        document.page.notes[block.index] = EVIL
        block.text += EVIL
        block.tag += EVIL
    for unfold in (False, True):
        said = why(document, Terminal(colours), unfold=unfold)
        assert is_clean(bare(said))
        assert "\u202e" not in said


def test_unfold_without_why_is_refused(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", page, "--unfold"]) == 2
    assert "--why" in capsys.readouterr().err

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cleancrawl.cli import COMMANDS, main

RECIPE = "tests.recipes_for_tests.paragraphs"
PAGE = "<html lang=en><title>Größe</title><h1>Storm</h1><p>A storm hit the coast.<p><a href=/>Read more stories</a>"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, kind = {"/pdf": (200, "application/pdf"), "/gone": (410, "text/html")}.get(
            self.path, (200, "text/html; charset=windows-1251")
        )
        body = "<p>Привет, мир</p>".encode("cp1251")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def test_a_file_gives_its_text(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", page, "--recipe", RECIPE]) == 0
    assert capsys.readouterr().out == "Storm\nA storm hit the coast.\n"


def test_why_lists_every_block(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", page, "--recipe", RECIPE, "--why"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "+ [h1] kept (1.00) | Storm",
        "+ [p] kept (1.00) | A storm hit the coast.",
        "- [p] primary: links (3 of 3 words) | Read more stories",
    ]


def test_json_tells_all(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", page, "--recipe", RECIPE, "--format", "json", "--why", "--url", "https://a.example/s"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["url"], shown["title"], shown["language"]) == ("https://a.example/s", "Größe", "en")
    assert (shown["blocks_kept"], shown["blocks_total"]) == (2, 3)
    assert shown["blocks"][2]["removed"] == {"stage": "primary", "rule": "links", "evidence": "3 of 3 words"}


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("text", "Storm\nA storm hit the coast.\n"),
        ("markdown", "# Storm\n\nA storm hit the coast.\n"),
        ("html", "<h1>Storm</h1>\n<p>A storm hit the coast.</p>\n"),
    ],
)
def test_formats(page: str, kind: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", page, "--recipe", RECIPE, "--format", kind]) == 0
    assert capsys.readouterr().out == shown


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode())))
    assert main(["clean", "-", "--recipe", RECIPE]) == 0
    assert "A storm" in capsys.readouterr().out


def test_standard_input_that_is_no_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"GIF89a" + bytes(90))))
    assert main(["clean", "-"]) == 1
    assert capsys.readouterr() == ("", "cleancrawl clean: -: binary data is not a web page\n")


def test_a_url_is_fetched_and_decoded_by_its_header(server: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", f"{server}/", "--recipe", RECIPE]) == 0
    assert capsys.readouterr().out == "Привет, мир\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "COMMAND"),
        (["tidy"], 2, "invalid choice"),
        (["clean"], 2, "FILE|URL|-"),
        (["clean", "x", "--format", "pdf"], 2, "invalid choice"),
        (["clean", "x", "--why", "--format", "html"], 2, "--why"),
        (["clean", __file__, "--recipe", "stew"], 2, "unknown recipe 'stew'"),
        (["clean", "x", "--favour", "speed"], 2, "invalid choice: 'speed'"),
        (["clean", __file__, "--recipe", RECIPE, "--favour", "recall"], 2, "paragraphs can favour neither"),
        (["clean", "http://127.0.0.1:9/", "--site-rules", "no/such.toml"], 2, "no/such.toml cannot be read: No such"),
        (["clean", "http://127.0.0.1:9/", "--site-rules", __file__], 2, "(at line 1"),
        (["clean", "no/such/file.html"], 1, "no/such/file.html: No such file"),
        (["clean", "http://127.0.0.1:9/"], 1, "http://127.0.0.1:9/: "),
        (["clean", "http://[::1/"], 1, "http://[::1/: "),
    ],
)
def test_what_goes_wrong_is_one_line(
    arguments: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        result = main(arguments)
    except SystemExit as stop:
        result = int(stop.code or 0)
    captured = capsys.readouterr()
    assert (result, captured.out) == (code, "")
    assert words in captured.err
    assert captured.err.count("\n") == 1


def test_rules_for_sites(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[example.com]\nkeep = ['h1']\ndrop = ['p:first-of-type']\n", "utf-8")
    options = ["clean", page, "--site-rules", str(rules), "--favour", "recall"]
    assert main([*options, "--url", "https://example.com/", "--why"]) == 0
    heading, story, _ = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\+ \[h1\] kept \(0\.\d\d\) site-keep \(h1\) \| Storm", heading)
    assert story == "- [p] primary: site-drop (p:first-of-type) | A storm hit the coast."
    assert main([*options, "--url", "https://example.com/", "--why", "--format", "json"]) == 0
    blocks = json.loads(capsys.readouterr().out)["blocks"]
    assert [block.get("note") for block in blocks] == ["site-keep (h1)", None, None]
    assert main(options) == 2
    assert capsys.readouterr().err == "cleancrawl clean: --site-rules needs the page's address: --url\n"


@pytest.mark.parametrize(("path", "words"), [("/pdf", "application/pdf is not a web page"), ("/gone", "HTTP 410 Gone")])
def test_urls_that_give_no_page(server: str, path: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clean", server + path]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert f"  cleancrawl {command}" in capsys.readouterr().out


def test_the_overview_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"    {command}" in shown for command in COMMANDS)


def test_recipes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    from cleancrawl.recipes import RECIPES

    assert main(["recipes", "--names"]) == 0
    assert capsys.readouterr().out.split() == list(RECIPES)
    assert main(["recipes"]) == 0


def test_a_reader_that_leaves_early_is_no_failure(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    page.write_text("<p>word</p>" * 50_000)
    command = [sys.executable, "-m", "cleancrawl", "clean", str(page), "--recipe", RECIPE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0

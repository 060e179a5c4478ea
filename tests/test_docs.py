"""Documentation that cannot drift from the code."""

from __future__ import annotations

import ast
import io
import json
import re
import shlex
import tokenize
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cleancrawl.cli import COMMANDS, build_parser
from cleancrawl.core.article import FIELDS
from cleancrawl.crawl.addon import COMPONENTS
from cleancrawl.crawl.config import PREFIX, Config
from cleancrawl.lab.import_graph import imported_modules, layers, parts_of, read_modules
from cleancrawl.spiders.pages import PagesSpider
from tests.crawling import Crawl
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
SETTINGS = (ROOT / "docs/settings.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text("utf-8")
TOP = [ROOT / "README.md", ROOT / "SECURITY.md"]
PAGES = [*TOP, *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = ("cleancrawl", "settings", "spiders", "tests", "docs")
SOURCES = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
PACKAGES = sorted({path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "cleancrawl").rglob("*.py")})

THERE = [f"/{path.relative_to(ROOT).as_posix()}" for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]

FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
DOTTED = re.compile(r"(?<![\w/.@-])cleancrawl(?:\.\w+)+")
NO_MODULES = re.compile(r"cleancrawl\.(db|service|timer)\b")
FILE = re.compile(r"(?<![\w/.:<-])(?:[\w-]+/)+[\w.-]+\.(?:pyx|pyi|py|md|lua|txt|json|toml|svg)\b")
BARE = re.compile(r"`(\w+\.pyx?)`")
FOLDER = re.compile(
    r"`((?:cleancrawl/)?(?:core|methods|stores|sinks|corpus|crawl|spiders|lab|report|data|tests|docs)/[\w/-]*)`"
)
NO_FILES = re.compile(r"[A-Z]{2}|^(output|html)/|^cleancrawl/outcome/|^(settings|my_\w+|rulings)\.py$")
"""Placeholders (``html/ID.html``), what a crawl writes or counts, and files of the reader's own."""
METHOD = re.compile(r"METHODS ((?:[A-E]\d?(?:–[A-E]?\d)?(?:, | and |, and )?)+)")


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(text: str) -> str:
    """A page without its code blocks."""
    return FENCED.sub("", text)


def slug(heading: str) -> str:
    """The anchor that a heading gets on GitHub."""
    plain = re.sub(r"[^\w\- ]", "", heading.lower())
    return plain.strip().replace(" ", "-")


def anchors(page: Path) -> set[str]:
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", prose(page.read_text("utf-8")), re.MULTILINE)}


def explained(path: Path) -> str:
    """The docstrings and comments of a module."""
    source = path.read_text("utf-8")
    strings = [
        node.value.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
    comments = [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    ]
    return "\n".join([*strings, *comments])


def exists(dotted: str) -> bool:
    """Whether a dotted name is a module or something in one."""
    parts = dotted.split(".")
    for count in range(len(parts), 0, -1):
        stem = ROOT.joinpath(*parts[:count])
        if stem.with_suffix(".pyx").exists():
            return count == len(parts)
        if stem.is_dir() or stem.with_suffix(".py").exists():
            found = import_module(".".join(parts[:count]))
            for name in parts[count:]:
                found = getattr(found, name, None)
            return found is not None
    return False


def missing(text: str) -> list[str]:
    """Files, folders and dotted names in a text that are not there; a file may go by the end of its path."""
    files = [name for name in [*FILE.findall(text), *BARE.findall(text)] if not NO_FILES.search(name)]
    return [
        *(name for name in files if not any(path.endswith(f"/{name}") for path in THERE)),
        *(
            name
            for name in FOLDER.findall(text)
            if not any((ROOT / top / name).exists() for top in (".", "cleancrawl"))
        ),
        *missing_names(text),
    ]


def missing_names(text: str) -> list[str]:
    return [name for name in DOTTED.findall(text) if not NO_MODULES.match(name) and not exists(name)]


def test_the_table_has_every_setting_with_its_default() -> None:
    rows = dict(re.findall(rf"^\| `{PREFIX}(\w+)` \| `?([^|`]+?)`? \|", SETTINGS, re.MULTILINE))
    assert {name.lower() for name in rows} == {known.name for known in fields(Config)}
    for known in fields(Config):
        shown = rows[known.name.upper()]
        assert shown in (repr(known.default).replace("'", '"'), "none", "the recipe's"), known.name
        assert known.default is None or shown not in ("none", "the recipe's"), known.name


def test_the_library_example_shows_title_text_and_verdicts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (example,) = [code for _, code in FENCED.findall(README) if "clean(html" in code]
    story = "A storm hit the coast on Monday, and nobody was hurt, the mayor of the small town said. " * 3
    html = f"<title>Storm at sea</title><p>{story}</p><p class=ad>Buy now</p>"
    (tmp_path / "page.html").write_text(html, "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "README", "exec"), {})
    title, text, kept, removed = capsys.readouterr().out.splitlines()
    assert title == "Storm at sea"
    assert text == story.strip()
    assert kept == f"+ {story[:60]}"
    assert removed == "- primary: ad-keyword (class=ad) Buy now"


def test_the_sample_item_is_what_a_crawl_gives(crawl: Crawl, site: SampleSite) -> None:
    (sample,) = [json.loads(code) for kind, code in FENCED.findall(README) if kind == "json"]
    assert [name for name in FIELDS if name in sample] == list(sample)
    path = urlsplit(sample.pop("url")).path
    settings = {"CLEANCRAWL_RECIPE": "default", "CLEANCRAWL_MIN_WORDS": 30}
    (article,) = crawl(PagesSpider, settings, urls=site.a + path).items
    for name, shown in sample.items():
        given = getattr(article, name)
        if isinstance(shown, str):
            assert given.startswith(shown.removesuffix("…")), name
        elif isinstance(shown, list):
            assert list(given) == shown
        else:  # numbers hang on the model, and on what is known of the site
            assert type(given) is type(shown), name


COMMAND = re.compile(r"^(?:\$ )?(?:[\w./~-]*/bin/)?cleancrawl ([a-z].*?)(?: +#.*| \|.*| > .*)?$", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_commands_of_a_page_can_be_called_so(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = "\n".join(code for _, code in FENCED.findall(page.read_text("utf-8"))).replace("\\\n", " ")
    parser = build_parser()
    for command in COMMAND.findall(shown):
        if "…" not in command:
            try:
                parser.parse_args(shlex.split(command))
            except SystemExit:
                pytest.fail(f"cleancrawl {command}: {capsys.readouterr().err}")


@pytest.mark.parametrize("kind", ["ITEM_PIPELINES", "DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES"])
def test_the_architecture_shows_every_component_in_order(kind: str) -> None:
    used = sorted(COMPONENTS[kind].items(), key=lambda entry: entry[1])
    named = re.findall(r"^ (\w+(?:Pipeline|Middleware)) +(\d+) ", ARCHITECTURE, re.MULTILINE)
    ours = {component.__name__ for component, _ in used}
    assert [entry for entry in named if entry[0] in ours] == [(part.__name__, str(order)) for part, order in used]


def test_the_architecture_names_every_package_and_imports_point_up() -> None:
    table = ARCHITECTURE.partition("## The packages")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(cleancrawl/[\w/]+)` \|", table, re.MULTILINE)
    assert sorted(rows) == [package for package in PACKAGES if package != "cleancrawl"]
    imports = imported_modules(read_modules(ROOT / "cleancrawl"))
    for folder in PACKAGES:
        graph = parts_of(folder.replace("/", "."), imports)
        shown = [row.removeprefix(f"{folder}/") for row in rows if row.rpartition("/")[0] == folder]
        if layers(graph)[1]:
            continue
        for place, part in enumerate(shown):
            assert not graph[part] & set(shown[place + 1 :]), f"{folder}/{part}"


def test_every_page_can_be_reached_from_the_first() -> None:
    first = ROOT / "docs/README.md"
    assert "docs/README.md" in LINK.findall(README)
    reached, waiting = {first}, [first]
    while waiting:
        page = waiting.pop()
        for target in LINK.findall(page.read_text("utf-8")):
            found = (page.parent / target.partition("#")[0]).resolve()
            if found.suffix == ".md" and found not in reached and found.is_relative_to(ROOT / "docs"):
                reached.add(found)
                waiting.append(found)
    assert [relative(page) for page in PAGES if page not in reached and page not in TOP] == []


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere_and_commands_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in LINK.findall(text):
        if not target.startswith("http"):
            file, _, anchor = target.partition("#")
            found = page.parent / file if file else page
            assert found.exists(), target
            assert not anchor or anchor in anchors(found), target
    for command in re.findall(r"`(?:\$ )?cleancrawl ([a-z]+)", text):
        assert command in COMMANDS, command


def test_every_test_that_holds_a_promise_is_there() -> None:
    named = re.findall(r"`(test_\w+)`", (ROOT / "docs/security.md").read_text("utf-8"))
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 40
    assert set(named) <= set(re.findall(r"^def (test_\w+)", tests, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_what_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    # A block that begins with a file's name is somebody's own file, or a change to one.
    shown = [code for kind, code in FENCED.findall(text) if kind != "diff" and not re.match(r"# [\w/]+\.\w+\n", code)]
    assert missing(prose(text)) == []
    assert missing_names("\n".join(shown)) == []


def test_what_docstrings_and_comments_name_is_there() -> None:
    found = {relative(path): missing(explained(path)) for path in SOURCES if path != Path(__file__)}
    assert {path: names for path, names in found.items() if names} == {}


def referred(text: str) -> Iterator[str]:
    """The headings that a text refers to: ``METHODS B3–B5, B7`` is B3, B4, B5 and B7."""
    for group in METHOD.findall(text):
        for first, last in re.findall(r"([A-E]\d?)(?:–[A-E]?(\d))?", group):
            yield first
            if last:
                yield from (f"{first[0]}{number}" for number in range(int(first[1]) + 1, int(last) + 1))


def test_references_to_the_methods_lead_to_a_heading() -> None:
    assert list(referred("METHODS A6 and A8; METHODS B3–B5, D")) == ["A6", "A8", "B3", "B4", "B5", "D"]
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs/methods").glob("*.md"))
    headings = set(re.findall(r"^#+ ([A-E]\d?)\b", pages, re.MULTILINE))
    assert headings >= set("ABCDE")
    texts = {relative(path): path.read_text("utf-8") for path in [*SOURCES, *ROOT.rglob("cleancrawl/**/*.pyx"), *PAGES]}
    del texts[relative(Path(__file__))]
    found = {path: set(referred(text)) for path, text in texts.items()}
    assert sum(map(len, found.values())) > 50
    assert {path: names - headings for path, names in found.items() if names - headings} == {}

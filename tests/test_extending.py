"""docs/extending.md, followed to the letter: what it shows is written where it says, and works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cleancrawl import Cleaner, Removal, clean, open_store
from cleancrawl.errors import ConfigError
from cleancrawl.sinks.filling import put
from cleancrawl.sinks.sink import open_sink, prepare_sink
from cleancrawl.stores.protocol import StoredArticle

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/extending.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in PAGE.split("\n## ")[1:]}
BLOCK = re.compile(r"```(\w+)\n# (\S+)\n(.*?)```", re.DOTALL)
LONGEST = 40
TEXT = "The council met on Monday and decided to close the old bridge until the end of the summer."
PRAISE = "You can read this story and many others every morning in our app, wherever you are."
HTML = f"<title>Bridge</title><article><h1>Bridge</h1><p>{TEXT}</p><p>{TEXT[::-1]}</p><p>{PRAISE}</p></article>"


def follow(section: str, root: Path) -> None:
    """Write the files of a section, and change those that it shows differences of."""
    for language, name, text in BLOCK.findall(SECTIONS[section]):
        target = root / name
        if language != "diff":
            target.write_text(text, "utf-8")
            continue
        changed = target.read_text("utf-8")
        for hunk in text.split("@@\n"):
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            assert changed.count(before) == 1, (name, before)
            changed = changed.replace(before, "".join(line[1:] for line in lines if line[0] != "-"))
        target.write_text(changed, "utf-8")


@pytest.fixture
def own_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that modules are imported from and that is the working directory."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith("my_"):
            del sys.modules[name]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package."""
    shutil.copytree(ROOT / "cleancrawl", tmp_path / "cleancrawl", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(package: Path, code: str) -> Any:
    """What an expression is with a copy of the package, from its JSON."""
    statements, _, expression = code.strip().rpartition("\n")
    program = f"import json\n{statements}\nprint(json.dumps({expression}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=package, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_says_what_it_touches_and_fits_a_screen(section: str) -> None:
    lines = SECTIONS[section].strip().splitlines()
    assert re.match(r"Touches: \d places?[,:] ", lines[2])
    code = "".join(text for *_, text in BLOCK.findall(SECTIONS[section]))
    assert code
    assert len(lines) <= LONGEST
    assert all(name.split("/")[-1] in SECTIONS[section] for _, name, _ in BLOCK.findall(SECTIONS[section]))


def test_a_rule(own_project: Path) -> None:
    follow("A rule", own_project)
    document = clean(HTML, recipe="my_rules.recipe")
    assert document.recipe == "without-promotions"
    assert document.text.splitlines()[0] == TEXT
    assert PRAISE in clean(HTML).text
    (block,) = [block for block in document.blocks if block.text == PRAISE]
    assert block.removed == Removal("score", "promotion", "in our app")


def test_a_recipe_with_stages_of_its_own(own_project: Path) -> None:
    follow("A recipe with stages of its own", own_project)
    document = clean(HTML + "<p>Too short", recipe="my_recipe.recipe")
    assert document.text.splitlines()[0] == TEXT
    assert document.blocks[-1].removed == Removal("score", "short", "2 words")


def test_a_store(own_project: Path) -> None:
    follow("A store", own_project)
    for name in ("a", "b"):
        with Cleaner(store="my_store.open_file://sites.jsonl") as cleaner:
            cleaner.clean(f"{HTML}<p>{name}", url=f"https://news.example/{name}")
    store = open_store("my_store.open_file://sites.jsonl")
    assert store.info().pages == 2
    assert (own_project / "sites.jsonl").read_text("utf-8").count("\n") > 4


def test_a_sink(own_project: Path) -> None:
    follow("A sink", own_project)
    url, article = "https://news.example/a", {"url": "https://news.example/a", "text": TEXT}
    sink = open_sink("my_sink.prepare://texts")
    put(sink, [StoredArticle(1, url, "news.example", 1, None, 0.0, article)])
    assert [path.read_text("utf-8") for path in (own_project / "texts").iterdir()] == [TEXT]
    put(sink, [StoredArticle(2, url, "news.example", 2, None, 0.0, None)])
    assert not list((own_project / "texts").iterdir())
    with pytest.raises(ConfigError, match="needs a folder"):
        prepare_sink("my_sink.prepare:")


def test_what_an_import_path_does_not_name(own_project: Path) -> None:
    follow("A sink", own_project)
    with pytest.raises(ConfigError, match=r"unknown sink 'my_sink\.nothing': use .* \(module 'my_sink' has no"):
        prepare_sink("my_sink.nothing://user:secret@x")
    with pytest.raises(ConfigError, match=r"no store for 'my_\.x:': use memory:.* \(No module named 'my_'\)"):
        open_store("my_.x://user:secret@x")


def test_a_language(package: Path) -> None:
    follow("A language", package)
    found = run(
        package,
        """
from cleancrawl.core.metadata import authors, dates, headline_dates
from cleancrawl.core.rules.links import copyright_notice, utility_phrase
from cleancrawl.core.text.language import detect_language
from cleancrawl.methods.learned.features.markers import marker_names, said
told = int(said(["Legu ankaŭ: La ponto"], None).anywhere[0])
text = "La urbo estas tre granda kaj la ponto estas malnova, sed oni ne fermos ĝin dum la somero, ĉar ĝi estas por ĉiu."
shown = headline_dates.shown_dates([], ["Ĝisdatigita: 3 marto 2024"], dates.ANYWHERE)
[detect_language(text), dates.any_date("3 marto 2024"), shown[0].updated, authors.split_names("Verkis Ada Lumo"),\
 copyright_notice("Ĉiuj rajtoj rezervitaj"), utility_phrase("Pri ni"), told == 1 << marker_names().index("related")]""",
    )
    assert found == ["eo", "2024-03-03", True, ["Ada Lumo"], "ĉiuj rajtoj rezervitaj", "pri ni", True]


def test_a_metadata_field(package: Path) -> None:
    follow("A metadata field", package)
    found = run(
        package,
        """
from cleancrawl import clean
from cleancrawl.core.article import FIELDS
page = "<meta name=subtitle content='Until summer'><h1>Bridge</h1><p>The council met on Monday."
from cleancrawl.core.article import Article
from cleancrawl.corpus.formats import to_csv_line, to_json_line
from cleancrawl.sinks.mapping import index_body
record = Article.of(clean(page), url="https://a.example/", site="a.example", fetched=0.0).to_record()
properties = index_body("news")["mappings"]["properties"]
written = [record["subtitle"] in line for line in (to_json_line(record), to_csv_line(record))]
kind = properties["subtitle"]["type"]
[clean(page).metadata.subtitle, clean("<p>x").metadata.subtitle, "subtitle" in FIELDS, written, kind]""",
    )
    assert found == ["Until summer", None, True, [True, True], "text"]


def test_a_feature(package: Path) -> None:
    follow("A feature", package)
    found = run(
        package,
        """
from cleancrawl.core.page import Page
from cleancrawl.core.segmentation.text_blocks import TextBlocks
from cleancrawl.methods.learned.features.page_features import feature_sheet
page = Page("<p>Why was the bridge closed?</p><p>The council did not say why.</p>")
TextBlocks()(page)
sheet = feature_sheet(page)
row = sheet.names.index("asks")
[sheet.rows[row].tolist(), row in sheet.groups["title and repetition"]]""",
    )
    assert found == [[1.0, 0.0], True]

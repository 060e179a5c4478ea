"""What the package promises as a package: its public names, light imports, and a wheel that works alone."""

from __future__ import annotations

import json
import os
import pkgutil
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import cleancrawl
import cleancrawl.core
from cleancrawl.core.native import PARTS
from cleancrawl.core.text.words import words
from cleancrawl.lab.bench.metrics import word_score
from tests.site.manifest import article_pages
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[1]
PAGE = (
    "<title>Storm</title><nav><a href=/>Home</a> <a href=/>Subscribe to our newsletter</a></nav><article>"
    + "<p>A storm hit the coast – and nobody was hurt in it, said the “harbour master”.</p>" * 5
    + "<p>Read also: The Größe of storms</p></article><footer>© 2026, all rights reserved</footer>"
)


def loaded_by(statement: str) -> set[str]:
    """The modules that a statement loads, in a fresh interpreter."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_public_names_are_these() -> None:
    assert sorted(cleancrawl.__all__) == cleancrawl.__all__
    assert {"Article", "Block", "Cleaner", "Document", "Page", "Recipe", "Removal", "clean"} <= set(cleancrawl.__all__)
    assert all(hasattr(cleancrawl, name) for name in cleancrawl.__all__)
    found = {name for name, value in vars(cleancrawl).items() if not isinstance(value, ModuleType)}
    assert {name for name in found if name[0] != "_"} - {"annotations"} == set(cleancrawl.__all__) - {"__version__"}


def test_the_core_knows_neither_scrapy_nor_twisted() -> None:
    names = [module.name for module in pkgutil.walk_packages(cleancrawl.core.__path__, "cleancrawl.core.")]
    assert len(names) > 20
    loaded = loaded_by("\n".join(f"import {name}" for name in names))
    assert not loaded & {"scrapy", "twisted", "sqlite3", "requests"}


def test_importing_is_light() -> None:
    loaded = loaded_by("import cleancrawl")
    assert not loaded & {"scrapy", "twisted", "requests", "tldextract", "sklearn", "sqlite3", "feedparser", "asyncio"}
    assert not loaded & {"Stemmer", "parsel", "itemadapter", "multiprocessing"}


def test_cleaning_a_page_needs_no_scrapy() -> None:
    loaded = loaded_by("import cleancrawl; cleancrawl.clean('<p>text</p>', url='https://a.example/').to_dict()")
    assert not loaded & {"scrapy", "twisted", "sklearn", "sqlite3", "Stemmer", "parsel", "itemadapter"}


def without(names: str, code: str) -> str:
    """What some code prints where packages are not installed."""
    hidden = f"import sys\nfor name in {names.split()!r}: sys.modules[name] = None\n"
    done = subprocess.run([sys.executable, "-c", hidden + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_and_the_commands_work_where_scrapy_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    store = f"sqlite:///{tmp_path / 'store.db'}"
    code = f"""
import cleancrawl
from cleancrawl.cli import COMMANDS, build_parser, main
with cleancrawl.Cleaner(store={store!r}) as cleaner:
    document = cleaner.clean({PAGE!r}, "https://a.example/storm")
print(document.to_dict(formats=("markdown", "html"))["site"])
for name in COMMANDS:
    if name != "crawl":
        build_parser(name)
assert main(["clean", {str(tmp_path / "page.html")!r}, "--format", "json"]) == 0
assert main(["store", "info", {store!r}]) == 0
assert main(["export", {store!r}, "-o", {str(tmp_path / "corpus.jsonl")!r}]) == 0
"""
    shown = without("scrapy twisted itemadapter itemloaders", code)
    assert shown.startswith("a.example\n")
    assert "A storm hit the coast" in shown


def test_stemmers_are_asked_for_by_name_where_something_needs_them() -> None:
    code = f"""
import cleancrawl
from cleancrawl.cli import main
print(bool(cleancrawl.clean({PAGE!r}).text))
for recipe in ("core-content", "shallow-features", "cleancrawl.methods.shallow_features.by_context"):
    try:
        cleancrawl.clean("<p>text", recipe=recipe)
    except cleancrawl.MissingExtra as error:
        print(error)
assert main(["recipes"]) == 0
assert main(["clean", "-", "--recipe", "core-content"]) == 1
"""
    shown = without("Stemmer", code).splitlines()
    said = "PyStemmer is not installed: pip install 'cleancrawl[stemming]'"
    assert shown[:4] == ["True", said, said, said]
    listed = {line.split()[0]: said in line for line in shown[4:]}
    assert {name for name, missing in listed.items() if missing} == {"core-content", "shallow-features"}
    assert len(listed) == 6


def test_a_crawl_without_the_stemmers_that_its_recipe_needs_does_not_start() -> None:
    code = """
from cleancrawl.crawl.config import Config
from cleancrawl.errors import CleanCrawlError
try:
    Config.from_settings({"CLEANCRAWL_RECIPE": "core-content"})
except CleanCrawlError as error:
    print(error)
"""
    assert without("Stemmer", code) == "PyStemmer is not installed: pip install 'cleancrawl[stemming]'\n"


COMPILES = shutil.which("cc") is not None and Path(sysconfig.get_path("include"), "Python.h").is_file()
EXTENSIONS = {f"cleancrawl/core/native/{part}{sysconfig.get_config_var('EXT_SUFFIX')}" for part in PARTS}
WAYS = {
    # Not optimised, which would take most of the time: the parts that all other tests use are.
    "compiled": {"CFLAGS": "-O0 -g0"},
    "pure": {"CLEANCRAWL_PURE": "1"},
    "no compiler": {"CC": "/bin/false"},
}
"""What the environment says while a wheel is built."""
needs_compiler = pytest.mark.skipif(not (COMPILES and PARTS), reason="no C compiler, no headers or no parts")


class Built:
    """A source distribution, the wheel that was built from it, and what was said meanwhile."""

    def __init__(self, source: Path, target: Path, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(source)]
        inherited = {key: value for key, value in os.environ.items() if key not in ("CC", "CFLAGS", "CLEANCRAWL_PURE")}
        done = subprocess.run(
            command, env={**inherited, **environment}, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, done.stdout + done.stderr
        self.said = (done.stdout + done.stderr).splitlines()
        (self.wheel,) = target.glob("cleancrawl-*.whl")
        (self.sdist,) = target.glob("cleancrawl-*.tar.gz")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy: a build directory left by an earlier build would end up in the wheel.
    copy = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE", "scrapy.cfg"):
        shutil.copy(ROOT / name, copy)
    for name in ("cleancrawl", "settings", "spiders"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    return copy


@pytest.fixture(scope="module", params=[pytest.param("compiled", marks=needs_compiler), "pure", "no compiler"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def built(source: Path, way: str, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return Built(source, tmp_path_factory.mktemp("dist"), WAYS[way])


def files_of_the_package() -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "cleancrawl").rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".so")
    }


def test_the_wheel_has_the_data_and_nothing_of_the_project(built: Built, way: str) -> None:
    names = zipfile.ZipFile(built.wheel).namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"cleancrawl"}
    inside = {name for name in names if name.startswith("cleancrawl/")}
    assert inside == files_of_the_package() | (EXTENSIONS if way == "compiled" else set())


def test_the_wheel_fits_the_platforms_that_it_says(built: Built, way: str) -> None:
    assert built.wheel.name.endswith("-py3-none-any.whl") is (way != "compiled")


def test_one_line_says_what_was_not_built(built: Built, way: str) -> None:
    said = [line for line in built.said if "works without these compiled parts" in line]
    assert len(said) == (1 if PARTS and way != "compiled" else 0)


def test_the_source_distribution_has_what_a_wheel_is_built_from(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert files_of_the_package() <= inside
    assert not [name for name in inside if name.endswith((".so", ".c"))]


def test_building_leaves_nothing_beside_the_sources(built: Built, source: Path) -> None:
    assert not [path for path in (source / "cleancrawl").rglob("*") if path.suffix in (".so", ".c")]


class Installed:
    """The wheel in an environment of its own; its dependencies are those of this one."""

    def __init__(self, wheel: Path, place: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
        self.bin = place / "bin"
        install = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install", "--quiet", "--no-deps"]
        subprocess.run([*install, "--disable-pip-version-check", str(wheel)], env=self.environment, check=True)
        (packages,) = place.glob("lib/python*/site-packages")
        others = [path for path in sys.path if path.endswith("site-packages")]
        (packages / "dependencies.pth").write_text("".join(f"{path}\n" for path in others))

    @property
    def environment(self) -> dict[str, str]:
        """Without what leads to the package or the project elsewhere."""
        strange = ("PYTHON", "CLEANCRAWL", "SCRAPY")
        return {key: value for key, value in os.environ.items() if not key.startswith(strange)}

    def run(self, *command: str, cwd: Path) -> str:
        called = [str(self.bin / command[0]), *command[1:]]
        done = subprocess.run(called, cwd=cwd, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(built.wheel, tmp_path_factory.mktemp("env"))


def test_the_wheel_cleans_a_page_in_a_fresh_environment(installed: Installed, way: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, "utf-8")
    used = installed.run("cleancrawl", "--version", cwd=tmp_path)
    assert ("(compiled: " if way == "compiled" else "(pure Python") in used
    place = installed.run("python", "-c", "import cleancrawl; print(cleancrawl.__file__)", cwd=tmp_path)
    assert place.startswith(str(installed.bin.parent))
    text = installed.run("cleancrawl", "clean", str(page), cwd=tmp_path)
    assert text == cleancrawl.clean(PAGE).text + "\n"
    assert "A storm hit the coast" in text


best_wheel = pytest.mark.parametrize("way", ["compiled" if COMPILES and PARTS else "pure"], indirect=True)
QUICK = "-s DOWNLOAD_DELAY=0 -s AUTOTHROTTLE_ENABLED=0 -s RETRY_TIMES=0".split()
PATHS = {page.path for page in article_pages("b")}


def crawled(file: Path, site: SampleSite) -> dict[str, Any]:
    """The articles of portal B in a file, by their paths; each has its own text."""
    given = map(json.loads, file.read_text("utf-8").splitlines())
    articles = {article["url"].removeprefix(site.b): article for article in given}
    for page in article_pages("b"):
        if page.path in articles:
            text = articles[page.path]["text"]
            assert word_score(words(text), words(page.gold_text)).f1 >= 0.95, page.path
    return articles


@best_wheel
def test_the_wheel_crawls_a_site_in_an_empty_directory(
    installed: Installed, sample_site: SampleSite, tmp_path: Path
) -> None:
    shown = installed.run("cleancrawl", "crawl", f"{sample_site.b}/", "-o", "out.jsonl", *QUICK, cwd=tmp_path)
    articles = crawled(tmp_path / "out.jsonl", sample_site)
    assert set(articles) >= PATHS
    assert f"articles kept   {len(articles)}\n" in shown
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cleancrawl.db", "out.jsonl"]


SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

class OwnSpider(CrawlSpider):
    name = "own"
    allowed_domains = ["127.0.0.1"]
    rules = [Rule(LinkExtractor(), follow=True)]
"""


@best_wheel
def test_the_wheel_is_an_add_on_for_a_project(installed: Installed, sample_site: SampleSite, tmp_path: Path) -> None:
    installed.run("python", "-m", "scrapy", "startproject", "own_project", ".", cwd=tmp_path)
    settings = tmp_path / "own_project/settings.py"
    added = 'ADDONS = {"cleancrawl.crawl.addon.CleanCrawlAddon": 500}'
    settings.write_text(settings.read_text().replace("ADDONS = {}", added))
    assert added in settings.read_text()
    (tmp_path / "own_project/spiders/own.py").write_text(f"{SPIDER}    start_urls = [{sample_site.b!r}]\n")
    installed.run("python", "-m", "scrapy", "crawl", "own", "-O", "own.jsonl", *QUICK, cwd=tmp_path)
    # Links do not lead to all that the sitemap names.
    assert len(PATHS & set(crawled(tmp_path / "own.jsonl", sample_site))) >= 8
    # With our spiders beside the project's own.
    settings.write_text(settings.read_text() + 'SPIDER_MODULES += ["cleancrawl.spiders"]\n')
    news = ("-m", "scrapy", "crawl", "news", "-a", f"sites={sample_site.b}", "-s", "CLEANCRAWL_STORE=memory:")
    installed.run("python", *news, "-O", "news.jsonl", *QUICK, cwd=tmp_path)
    assert set(crawled(tmp_path / "news.jsonl", sample_site)) >= PATHS

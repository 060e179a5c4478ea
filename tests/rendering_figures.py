"""What the browser gains and costs on the client-rendered sample site: ``python -m tests.rendering_figures [COPIES]``.

Two crawls of the same site in processes of their own, without delays: without a browser, and with it. Memory is the
proportional share (PSS) of all processes of the browser and of its driver, at its highest.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.site.client_rendered import STORIES, client_rendered

COMMAND = (sys.executable, "-m", "cleancrawl", "crawl")
FAST = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")


def descendants(process: int) -> list[int]:
    try:
        children = (Path("/proc") / str(process) / "task" / str(process) / "children").read_text().split()
    except OSError:
        return []
    return [found for child in map(int, children) for found in (child, *descendants(child))]


def megabytes(process: int) -> float:
    try:
        lines = (Path("/proc") / str(process) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def crawl(url: str, browser: str, folder: Path, stories: int) -> None:
    begun, highest = time.monotonic(), 0.0
    command = [*COMMAND, url, "--browser", browser, "--store", "memory:", *FAST]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        while process.poll() is None:
            highest = max(highest, sum(map(megabytes, descendants(process.pid))))
            time.sleep(0.1)
        told = process.stdout.read() if process.stdout else ""
    corpus = folder / "corpus.jsonl"
    articles = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()] if corpus.exists() else []
    corpus.unlink(missing_ok=True)
    rendered = sum(article["rendered"] for article in articles)
    seconds = time.monotonic() - begun
    print(f"--browser {browser}: {len(articles)} of {stories} stories, {rendered} of them rendered, {seconds:.1f} s")
    print(f"memory          {highest:.0f} MB at most; load of the machine {os.getloadavg()[0]:.0f}")
    print("\n".join(line for line in told.splitlines() if line.startswith(("rendered", "need a browser", "dropped"))))


def main(copies: int = 8) -> None:
    """So many of each story, at addresses of their own."""
    os.environ["PYTHONPATH"] = str(Path.cwd())
    more = [replace(story, name="", path=f"{story.path}-{copy}") for copy in range(1, copies) for story in STORIES]
    with client_rendered([*STORIES, *more]) as site, TemporaryDirectory() as folder:
        for browser in ("never", "auto"):
            crawl(site.url, browser, Path(folder), copies * len(STORIES))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))

"""`make crawl`: crawl the sample site, or the sites given as arguments, and show what came of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.site.server import SampleSite

ROOT = Path(__file__).parents[2]
PROJECT = os.environ.get("SCRAPY_PROJECT") or "corpus"
LOG = Path("output/crawl.log" if PROJECT == "corpus" else f"output/{PROJECT}.log")
# A server of one's own needs no politeness, and its ports are new every time: nothing to remember.
SAMPLE_SETTINGS = ("DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0", "RETRY_TIMES=0", "CLEANCRAWL_STORE=memory:")
PAGES_PER_SITE = "50"


def crawl(sites: list[str], settings: tuple[str, ...] = (), arguments: tuple[str, ...] = ()) -> int:
    """`scrapy crawl news` with its log in a file and its summary on the output."""
    (ROOT / LOG).parent.mkdir(exist_ok=True)
    (ROOT / LOG).unlink(missing_ok=True)
    chosen = (f"LOG_FILE={LOG}", "CLEANCRAWL_SUMMARY=-", *settings)
    command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", "sites=" + ",".join(sites)]
    command += [part for value in arguments for part in ("-a", value)]
    command += [part for value in chosen for part in ("-s", value)]
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, "SCRAPY_PROJECT": PROJECT}, check=False).returncode
    print(f"{'log':15} {LOG}", flush=True)
    return code


def main(sites: list[str]) -> int:
    if sites:
        limit = os.environ.get("MAX_PAGES") or PAGES_PER_SITE
        print(f"Crawling {', '.join(sites)}, at most {limit} pages of each (MAX_PAGES) …", flush=True)
        return crawl(sites, arguments=(f"max_pages={limit}",))
    if PROJECT == "index":
        shutil.rmtree(ROOT / "output/index", ignore_errors=True)
    with SampleSite(slow=0.2, crawl_delay=0) as site:
        print(f"Crawling the sample news site at {' and '.join(site.urls)} …", flush=True)
        return crawl(site.urls, SAMPLE_SETTINGS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`make crawl`: crawl the sample site, or the sites given as arguments, and show what came of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from cleancrawl.core.site import site_key
from cleancrawl.stores.opening import open_store
from tests.site.server import SampleSite

ROOT = Path(__file__).parents[2]
PROJECT = os.environ.get("SCRAPY_PROJECT") or "corpus"
LOG = Path("output/crawl.log" if PROJECT == "corpus" else f"output/{PROJECT}.log")
REPORT = LOG.with_suffix(".html") if PROJECT != "corpus" else Path("output/report.html")
# A server of one's own needs no politeness.
SAMPLE_SETTINGS = ("DOWNLOAD_DELAY=0", "AUTOTHROTTLE_ENABLED=0", "RETRY_TIMES=0")
PORT = 8780
"""The same addresses every time: a crawl of the sample finds in the store what the last one left there."""
OTHER_PORTS = Path(f"output/{PROJECT}-sample-sites.txt")
"""Sites of the last crawl of the sample that found its ports taken: else the store would fill with copies."""
PAGES_PER_SITE = "50"


def crawl(sites: list[str], words: str, settings: tuple[str, ...] = (), arguments: tuple[str, ...] = ()) -> int:
    """`scrapy crawl news` with its log in a file and its summary on the output; then what to do next, by ``words``."""
    (ROOT / LOG).parent.mkdir(exist_ok=True)
    (ROOT / LOG).unlink(missing_ok=True)
    chosen = (f"LOG_FILE={LOG}", "CLEANCRAWL_SUMMARY=-", f"CLEANCRAWL_REPORT={REPORT}", *settings)
    command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", "sites=" + ",".join(sites)]
    command += [part for value in arguments for part in ("-a", value)]
    command += [part for value in chosen for part in ("-s", value)]
    code = subprocess.run(command, cwd=ROOT, env={**os.environ, "SCRAPY_PROJECT": PROJECT}, check=False).returncode
    print(f"{'log':15} {LOG}", flush=True)
    if code == 0:
        print(next_steps(words), flush=True)
    return code


def store_url() -> str:
    """The store of the project, from its settings."""
    url: str = import_module(f"settings.{PROJECT}").CLEANCRAWL_STORE
    return url


def next_steps(words: str) -> str:
    """What can be done with what the crawl has left."""
    command, store = Path(sys.executable).with_name("cleancrawl"), store_url()
    shown = command.relative_to(ROOT) if command.is_relative_to(ROOT) else command
    filled = PROJECT == "index"
    steps = [
        f"store sites {store}",
        f"export {store} --format markdown -o output/markdown",
        *(() if filled else (f"sync {store} tantivy:///output/index",)),
        f'search "{words}" --limit 3',
        f"serve {store} tantivy:///output/index",
    ]
    return "\n".join(f"{'' if number else 'next':15} {shown} {step}" for number, step in enumerate(steps))


def sample_site() -> SampleSite:
    """The sample at its own ports, else at free ones, which the store forgets before the next crawl."""
    forget_other_ports()
    try:
        return SampleSite(PORT, slow=0.2, crawl_delay=0)
    except OSError:
        site = SampleSite(slow=0.2, crawl_delay=0)
        OTHER_PORTS.parent.mkdir(exist_ok=True)
        OTHER_PORTS.write_text("\n".join(map(site_key, site.urls)), "utf-8")
        return site


def forget_other_ports() -> None:
    if OTHER_PORTS.exists():
        store = open_store(store_url())
        try:
            for site in OTHER_PORTS.read_text("utf-8").split():
                store.forget(site)
        finally:
            store.close()
        OTHER_PORTS.unlink()


def main(sites: list[str]) -> int:
    os.chdir(ROOT)  # stores and files are named from there
    if sites:
        limit = os.environ.get("MAX_PAGES") or PAGES_PER_SITE
        print(f"Crawling {', '.join(sites)}, at most {limit} pages of each (MAX_PAGES) …", flush=True)
        return crawl(sites, "WORDS", arguments=(f"max_pages={limit}",))
    if PROJECT == "index":
        # Filled anew from the store.
        shutil.rmtree(ROOT / "output/index", ignore_errors=True)
    with sample_site() as site:
        print(f"Crawling the sample news site at {' and '.join(site.urls)} …", flush=True)
        return crawl(site.urls, "seagrass meadow", SAMPLE_SETTINGS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

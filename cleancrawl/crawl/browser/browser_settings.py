"""What ``CLEANCRAWL_BROWSER`` needs of Scrapy and of scrapy-playwright; what the user has set stays."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cleancrawl.crawl.config import Config
from cleancrawl.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from scrapy.settings import Settings

HANDLER = "cleancrawl.crawl.browser.browser_handler.BrowserHandler"
REPLACED = frozenset(
    {
        "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler",
        "scrapy.core.downloader.handlers.http.HTTPDownloadHandler",
        "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler",
    }
)
"""Handlers of which ours does all that they do."""
REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "brave-browser")
REMOTE = ("PLAYWRIGHT_CDP_URL", "PLAYWRIGHT_CONNECT_URL")
ARGUMENTS = (
    "--disable-dev-shm-usage",
    "--disable-gpu",
    # What a page's scripts may take.
    "--js-flags=--max-old-space-size=256",
    # WebRTC would send datagrams past the proxy. Older browsers know it by the second name; each ignores the other's.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)


def switch_on(settings: Settings, config: Config) -> None:
    """Set what a browser needs; raises ``CleanCrawlError`` in one line where it cannot work."""
    if config.browser == "never":
        return
    if find_spec("scrapy_playwright") is None:
        raise MissingExtra("scrapy-playwright", "browser")
    if sys.platform == "win32":
        raise ConfigError("CLEANCRAWL_BROWSER does not work on Windows")
    if settings["TWISTED_REACTOR"] != REACTOR:
        raise ConfigError(
            f"CLEANCRAWL_BROWSER needs TWISTED_REACTOR = {REACTOR!r}, not {settings['TWISTED_REACTOR']!r}"
        )
    browser_type = settings.get("PLAYWRIGHT_BROWSER_TYPE") or "chromium"
    if browser_type != "chromium":
        raise ConfigError(f"CLEANCRAWL_BROWSER works with PLAYWRIGHT_BROWSER_TYPE = 'chromium', not {browser_type!r}")
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS")
    for scheme in ("http", "https"):
        handler = handlers.get(scheme)
        name = handler if isinstance(handler, str) else f"{handler.__module__}.{handler.__qualname__}"
        if name not in REPLACED and name != HANDLER:
            raise ConfigError(f"CLEANCRAWL_BROWSER brings a download handler for {scheme}, but the project has {name}")
        settings["DOWNLOAD_HANDLERS"].set(scheme, HANDLER, "cmdline")
    if not any(settings.get(name) for name in REMOTE):
        settings.set("PLAYWRIGHT_LAUNCH_OPTIONS", launch_options(settings), "cmdline")


def launch_options(settings: Settings) -> dict[str, Any]:
    """The user's own, with an installed browser and its arguments where they name none."""
    given: dict[str, Any] = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS") or {}
    options = {**given, "args": [*ARGUMENTS, *given.get("args", ())]}
    # Playwright's default is no sandbox; as root Chromium starts in no other way.
    options.setdefault("chromium_sandbox", os.geteuid() != 0)
    if not {"executable_path", "channel"} & given.keys():
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is not None:
            options["executable_path"] = program
        elif not _has_own_browser():
            raise ConfigError(
                "CLEANCRAWL_BROWSER finds no Chromium on this machine: install one (apt install chromium), or name it: "
                'PLAYWRIGHT_LAUNCH_OPTIONS = {"executable_path": …}'
            )
    return options


def _has_own_browser() -> bool:
    """Whether somebody has called ``playwright install``."""
    place = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    caches = "Library/Caches" if sys.platform == "darwin" else ".cache"
    folder = Path(place) if place else Path.home() / caches / "ms-playwright"
    return any(folder.glob("chromium*"))
